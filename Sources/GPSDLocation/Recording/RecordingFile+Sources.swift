import GPSDProtocol
package import LocationCore

extension RecordingFile {
  /// Returns whether a time stamp names the source of the lines after it.
  ///
  /// The first and the last lines decide, because a file that was appended to may contain runs with one source, and with
  /// several. Of a compressed file, the header says it, or the first lines if another program has compressed it. For a
  /// stream, the first lines decide, and the method waits for them.
  package func namesSource() async throws(LocationError) -> Bool {
    guard let size else { return SourceSearch.finds(in: try await firstLines()) }
    defer { release() }
    let length = min(size, LineFramer.maximumLineLength)
    var (first, last) = storedEnds(upTo: length)
    if isCompressed {
      if let known = RecordedSpan.namesSource(gzipHead: first, tail: last) { return known }
      (first, last) = (head(upTo: LineFramer.maximumLineLength), [])
    }
    // The last line may be complete even without a line end.
    last.append(UInt8(ascii: "\n"))
    let whole = last.drop { length < size && $0 != UInt8(ascii: "\n") }
    return SourceSearch.finds(in: first[...]) || SourceSearch.finds(in: whole)
  }
}

/// Searches lines for a time stamp that names a source.
struct SourceSearch {
  /// Whether nothing has been searched.
  private var isAtFileStart = true
  /// Whether the next line comes from gpsd even if it looks like a time stamp.
  private var isBeforeVerbatimLine = false

  /// Returns whether a time stamp among the first or the last lines of a file names a source.
  static func finds(in lines: ArraySlice<UInt8>) -> Bool {
    var search = SourceSearch()
    return search.finds(in: .lines(lines))
  }

  mutating func finds(in frame: LineFramer.Frame) -> Bool {
    defer { isAtFileStart = false }
    switch frame {
    case .lines(let lines): return finds(in: isAtFileStart ? lines.withoutByteOrderMark : lines)
    case .discarded:
      isBeforeVerbatimLine = false
      return false
    }
  }

  /// Returns whether a time stamp among whole lines names a source.
  mutating func finds(in lines: ArraySlice<UInt8>) -> Bool {
    guard RecordingTimestamp.mayBegin(in: lines) else {
      isBeforeVerbatimLine = false
      return false
    }
    let bytes = lines.span
    var start = 0
    while let end = bytes.lineEnd(from: start) {
      defer { start = end }
      if isBeforeVerbatimLine {
        isBeforeVerbatimLine = false
      } else if !OwnLine.isUsualReport(bytes, from: start),
        UsualLine(bytes, from: start, to: end) == nil
      {
        let line = lines[(lines.startIndex + start)..<(lines.startIndex + end)]
        guard let time = RecordingTimestamp(line: line) else { continue }
        if time.source != nil { return true }
        isBeforeVerbatimLine = time.isBeforeVerbatimLine
      }
    }
    return false
  }
}
