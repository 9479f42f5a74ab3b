/// The path of a file. Its bytes need not be UTF-8, so that every file can be named.
package struct FilePath: Hashable, Sendable {
  /// The bytes without a NUL at the end.
  package let bytes: [UInt8]

  package init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  package init(_ path: String) { bytes = Array(path.utf8) }

  /// Whether the path is a dash, which stands for standard input or output.
  package var isStandardStream: Bool { self == "-" }

  /// Calls `body` with the path as a C string.
  package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    let characters = bytes.map(CChar.init(bitPattern:)) + [0]
    // An array is never without an address when it has an element.
    return unsafe characters.withUnsafeBufferPointer { unsafe body($0.baseAddress!) }
  }
}

extension FilePath: ExpressibleByStringInterpolation {
  package init(stringLiteral path: String) { self.init(path) }
}

extension FilePath: CustomStringConvertible {
  /// The path for people, with bytes that are not UTF-8 written like `\xff`.
  package var description: String {
    var text = ""
    var decoder = UTF8()
    var rest = bytes[...]
    while !rest.isEmpty {
      var iterator = rest.makeIterator()
      if case .scalarValue(let scalar) = decoder.decode(&iterator) {
        text.unicodeScalars.append(scalar)
        rest = rest.dropFirst(UTF8.width(scalar))
      } else {
        let digits = String(rest.removeFirst(), radix: 16)
        text += "\\x\(digits)"
      }
      decoder = UTF8()
    }
    return text
  }
}
