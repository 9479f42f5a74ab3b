extension ArraySlice<UInt8> {
  /// The rest from the first line on that is not empty. There can be millions of empty lines before it.
  package var withoutEmptyLinesAtFront: ArraySlice<UInt8> {
    let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    guard first == lineFeed || first == carriageReturn else { return self }
    let bytes = span
    var count = 0
    while count < bytes.count {
      if bytes[count] == lineFeed {
        count += 1
      } else if bytes[count] == carriageReturn, bytes.byte(count + 1) == lineFeed {
        count += 2
      } else {
        break
      }
    }
    return self[(startIndex + count)...]
  }

  /// The first line with its line end; `nil` if the slice is empty.
  package var firstLine: ArraySlice<UInt8>? {
    isEmpty ? nil : prefix(span.lineEnd(from: 0) ?? count)
  }

  /// The first line with its line end, or all empty lines at the front; `nil` if the slice is empty.
  package var firstLineOrEmptyLines: ArraySlice<UInt8>? {
    let rest = withoutEmptyLinesAtFront
    return rest.startIndex > startIndex ? self[..<rest.startIndex] : firstLine
  }
}
