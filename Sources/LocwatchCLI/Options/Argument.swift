/// An argument of the command line.
package struct Argument: Sendable {
  /// The bytes, which need not be UTF-8.
  package let bytes: ArraySlice<UInt8>

  package init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  package init(_ text: String) { bytes = Array(text.utf8)[...] }

  /// The argument as text. What is not UTF-8 is replaced.
  var text: String { String(decoding: bytes, as: UTF8.self) }
}
