import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The names of functions, where the program has them.
enum FunctionName {
  /// Returns the name of the last function of the program, such as `closure #1 in SearchModel.search`.
  static func outermost(of addresses: [UInt]) -> String? {
    let name = addresses.compactMap(name).last { !$0.contains("thunk") }
    return name.map(shortened)
  }

  /// Leaves out the types, the module and the file of a private name, and that a function continues in parts with names
  /// of their own.
  private static func shortened(_ name: String) -> String {
    var name = String(name.split(separator: " resume partial function for ").last ?? name[...])
    while let file = name.firstRange(of: " in _"),
      let end = name[file.upperBound...].firstIndex(of: ")"),
      let begin = name[..<file.lowerBound].lastIndex(of: "(")
    {
      name.removeSubrange(file.lowerBound...end)
      name.remove(at: begin)
    }
    return name.split(separator: " in ").map { part in
      let words = part.split(separator: " ").drop { $0 != "closure" }.prefix(2)
      guard words.isEmpty else { return words.joined(separator: " ") }
      let path = part.prefix { $0 != "(" }.split(separator: ".")
      return path.dropFirst(path.count > 1 ? 1 : 0).joined(separator: ".")
    }.joined(separator: " in ")
  }

  private static func name(at address: UInt) -> String? {
    guard let symbol = symbol(at: address),
      let text = unsafe demangle(symbol, symbol.utf8.count, nil, nil, 0)
    else { return nil }
    defer { unsafe free(text) }
    return unsafe String(cString: text)
  }
}

@_silgen_name("swift_demangle")
private func demangle(
  _ name: UnsafePointer<CChar>?, _ length: Int, _ buffer: UnsafeMutablePointer<CChar>?,
  _ size: UnsafeMutablePointer<Int>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?

#if canImport(Darwin)
  extension FunctionName {
    private static func symbol(at address: UInt) -> String? {
      guard let address = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
      var info = Dl_info()
      guard unsafe dladdr(address, &info) != 0 else { return nil }
      return unsafe info.dli_sname.map { unsafe String(cString: $0) }
    }
  }
#else
  extension FunctionName {
    /// Returns the symbol from the program's own file: `dladdr` knows only what other libraries may use.
    private static func symbol(at address: UInt) -> String? {
      if let known = symbols.withLock({ $0[address] }) { return known }
      let symbol = ProgramFile.own?.symbol(at: address)
      symbols.withLock { $0[address] = .some(symbol) }
      return symbol
    }

    /// The symbols found so far: one for each function that has started a task.
    private static let symbols = Mutex<[UInt: String?]>([:])
  }

  /// The functions of this program, an ELF file of 64 bits.
  private struct ProgramFile {
    static let own = ProgramFile()
    private let file: [UInt8]
    /// The difference between addresses in memory and in the file.
    private let bias: UInt

    private init?() {
      file = contents(of: "/proc/self/exe")
      guard file.starts(with: [0x7f, 0x45, 0x4c, 0x46, 2]) else { return nil }
      let vector = contents(of: "/proc/self/auxv")
      let places = stride(from: 0, to: vector.count, by: 16)
      // AT_PHDR: where the headers of the segments are in memory. The first one says where they are in the file.
      guard let place = places.first(where: { vector.number($0) == 3 }) else { return nil }
      bias = vector.number(place + 8) &- file.number(Int(file.number(0x20)) + 0x10)
    }

    func symbol(at address: UInt) -> String? {
      let address = address &- bias
      let sections = Int(clamping: file.number(0x28))
      for index in 0..<Int(file.number(0x3c, bytes: 2)) {
        let section = sections + index * 64
        guard file.number(section + 4, bytes: 4) == 2 else { continue }  // SHT_SYMTAB
        let names = sections + Int(file.number(section + 0x28, bytes: 4)) * 64
        let first = Int(clamping: file.number(section + 0x18))
        let size = Int(clamping: file.number(section + 0x20))
        // A program of tests has hundreds of thousands of symbols.
        let found = unsafe file.withUnsafeBytes { bytes in
          stride(from: first, through: min(first + size, bytes.count) - 24, by: 24).first {
            let start = unsafe bytes.loadUnaligned(fromByteOffset: $0 + 8, as: UInt.self)
            let length = unsafe bytes.loadUnaligned(fromByteOffset: $0 + 16, as: UInt.self)
            return start <= address && address &- start < length
          }
        }
        guard let found else { continue }
        let name = Int(clamping: file.number(names + 0x18)) + Int(file.number(found, bytes: 4))
        guard file.indices.contains(name) else { return nil }
        return String(decoding: file[name...].prefix { $0 != 0 }, as: UTF8.self)
      }
      return nil
    }
  }

  private func contents(of path: String) -> [UInt8] {
    guard let file = unsafe fopen(path, "r") else { return [] }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    while true {
      let piece = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 20) { buffer, count in
        count = unsafe fread(buffer.baseAddress, 1, buffer.count, file)
      }
      guard !piece.isEmpty else { return bytes }
      bytes += piece
    }
  }

  extension [UInt8] {
    /// Returns the number at a place, in the order of bytes of all systems that Swift supports; zero after the end.
    fileprivate func number(_ place: Int, bytes: Int = 8) -> UInt {
      guard place >= 0, place <= count - bytes else { return 0 }
      return (0..<bytes).reduce(0) { $0 | UInt(self[place + $1]) << (8 * UInt($1)) }
    }
  }
#endif
