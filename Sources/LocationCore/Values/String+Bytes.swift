extension String {
  /// Calls `body` with the text in UTF-8.
  @inlinable
  @inline(__always)
  package func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      body(utf8.span)
    } else {
      body(ContiguousArray(utf8).span)
    }
  }

  /// Whether all characters are ASCII, as far as that is known without reading them.
  @inlinable
  var isKnownASCII: Bool {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      utf8Span.isKnownASCII
    } else {
      false
    }
  }
}
