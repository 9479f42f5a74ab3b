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

extension String {
  /// The text between the quotation marks of a JSON string.
  package var escapedForJSON: String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\0"..<" ":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
