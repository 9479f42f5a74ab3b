import CZlib

/// Decompresses gzip data piece by piece, in any number of members.
///
/// After damage, decompression continues with the next member. Bytes after the last member are damage
/// unless they are zero, because tapes and some programs pad files with zeros.
@safe struct Inflater: ~Copyable {
  /// The first bytes of gzip data.
  static let mark: [UInt8] = [0x1F, 0x8B]
  /// The beginning of a member: the mark, and the only method of compression that there is.
  private static let memberMark = mark + [0x08]
  /// The maximum size of one read, in bytes.
  static let capacity = 64 * 1024
  /// The number of consecutive members that may fail, so that hostile data is not decompressed repeatedly.
  private static let maximumFailures = 64
  /// A window of 32 KB, to which repetitions refer, and gzip's format instead of zlib's.
  private static let windowBits: CInt = 15 + 16

  /// zlib refers to it by its address.
  private let stream: UnsafeMutablePointer<z_stream>
  private var input = [UInt8](repeating: 0, count: capacity)
  /// The range of the compressed bytes in the input that have not been used.
  private var unused = 0..<0
  /// Where the current member begins in the input, or -1 if that has been overwritten; `nil` between
  /// members.
  private var member: Int?
  /// Whether zlib may have bytes that the last output had no room for.
  private var isFull = false
  private var failures = 0
  private var isOver: Bool
  /// Whether the data is damaged, or ends within a member.
  private(set) var isDamaged: Bool
  /// How many compressed bytes were read.
  private(set) var bytesRead = 0

  /// - Parameter beginning: Compressed bytes that were read before, at most as many as are read at once.
  init(beginning: some Collection<UInt8> = []) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    // It fails only if there is no memory.
    let code = unsafe inflateInit2_(
      stream, Self.windowBits, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
    isOver = code != Z_OK
    isDamaged = isOver
    let beginning = beginning.prefix(Self.capacity)
    input.replaceSubrange(..<beginning.count, with: beginning)
    unused = 0..<beginning.count
    bytesRead = beginning.count
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Whether bytes can be decompressed without reading more.
  var hasInput: Bool {
    isOver || isFull || unused.count >= (member == nil ? Self.memberMark.count : 1)
  }

  /// Decompresses bytes, and reads compressed ones as they are needed.
  ///
  /// - Parameters:
  ///   - output: Room for `count` bytes.
  ///   - read: Reads into a buffer of a given size, as read(2) does.
  /// - Returns: How many bytes were decompressed; 0 at the end, and what `read` returned if that is
  ///   negative.
  mutating func read(
    into output: UnsafeMutablePointer<UInt8>, upTo count: Int,
    by read: (UnsafeMutablePointer<UInt8>, Int) -> Int
  ) -> Int {
    while !isOver, count > 0 {
      if !hasInput {
        let more = unsafe refill(by: read)
        if more < 0 { return more }
        if more == 0 { end() }
      } else if let member {
        let inflated = unsafe inflate(member, into: output, upTo: count)
        if inflated > 0 { return inflated }
      } else {
        findMember()
      }
    }
    return 0
  }

  /// Reads after the unused bytes. Returns the result of the call.
  private mutating func refill(by read: (UnsafeMutablePointer<UInt8>, Int) -> Int) -> Int {
    let start = unused.count
    // Within a member, no bytes are unused, and used bytes may be searched again.
    if start > 0 {
      for (index, position) in unused.enumerated() { input[index] = input[position] }
      unused = 0..<start
    }
    let count = unsafe input.withUnsafeMutableBufferPointer { bytes in
      unsafe read(bytes.baseAddress! + start, bytes.count - start)
    }
    guard count > 0 else { return count }
    if member != nil { member = -1 }
    unused = 0..<(start + count)
    bytesRead += count
    return count
  }

  private mutating func end() {
    // A member that was cut off may have treated the next one as a part of itself.
    if let member { return leave(member) }
    isOver = true
    if input[unused].contains(where: { $0 != 0 }) { isDamaged = true }
  }

  /// Moves to the beginning of the next member, or to where it may begin when more bytes have been read.
  private mutating func findMember() {
    while unused.count >= Self.memberMark.count {
      let start = unused.lowerBound
      if input[unused].starts(with: Self.memberMark) {
        member = start
        unsafe inflateReset(stream)
        return
      }
      if input[start] != 0 { isDamaged = true }
      unused = (start + 1)..<unused.upperBound
    }
  }

  private mutating func inflate(
    _ member: Int, into output: UnsafeMutablePointer<UInt8>, upTo count: Int
  ) -> Int {
    let room = UInt32(clamping: count)
    let available = UInt32(clamping: unused.count)
    let code = unsafe input.withUnsafeMutableBufferPointer { bytes in
      unsafe stream.pointee.next_in = bytes.baseAddress! + unused.lowerBound
      unsafe stream.pointee.avail_in = available
      unsafe stream.pointee.next_out = output
      unsafe stream.pointee.avail_out = room
      return unsafe CZlib.inflate(stream, Z_NO_FLUSH)
    }
    let used = unsafe Int(available - stream.pointee.avail_in)
    unused = (unused.lowerBound + used)..<unused.upperBound
    isFull = unsafe stream.pointee.avail_out == 0
    switch code {
    case Z_OK, Z_BUF_ERROR: break
    case Z_STREAM_END:
      self.member = nil
      isFull = false
      failures = 0
    default: leave(member)
    }
    return unsafe Int(room - stream.pointee.avail_out)
  }

  /// Looks for another member after the beginning of this one, because the next member may have been treated
  /// as a part of it.
  private mutating func leave(_ member: Int) {
    isDamaged = true
    isFull = false
    failures += 1
    if failures >= Self.maximumFailures { isOver = true }
    unused = (member + 1)..<unused.upperBound
    self.member = nil
  }
}
