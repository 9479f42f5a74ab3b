import GPSDProtocol
package import LocationCore

extension RecordingFile {
  /// How much of a file is searched before others on the same actor have a turn.
  private static let turn = 16 * 1024 * 1024
  /// The number of bytes without a line that are searched: a hole in a file can have any size.
  private static let maximumGap = 1024 * 1024

  /// Returns whether a time stamp names the source of the lines after it.
  ///
  /// The whole file is searched, because it may contain several runs, with one source and with several, unless locwatch
  /// has compressed it, whose header says it. For a stream, the first lines decide, and the method waits for them.
  package func namesSource() async throws(LocationError) -> Bool {
    var search = SourceSearch()
    guard let size else { return search.finds(in: .lines(try await firstLines())) }
    let (head, tail) = storedEnds(upTo: RecordedSpan.sourceHeadLength)
    if let known = RecordedSpan.namesSource(gzipHead: head, tail: tail) { return known }
    defer { rewind() }
    // A folder may have thousands of small files.
    let piece =
      isCompressed ? LineFramer.maximumLineLength : min(LineFramer.maximumLineLength, max(1, size))
    var framer = LineFramer()
    var (searched, sinceLines) = (0, 0)
    while !Task.isCancelled {
      let count = try read(upTo: piece, into: &framer) ?? 0
      // The last line may be complete even without a line end.
      if count == 0, framer.pending > 0 { framer.append([UInt8(ascii: "\n")]) }
      sinceLines += count
      while let frame = framer.next() {
        if search.finds(in: frame) { return true }
        if case .lines = frame { sinceLines = 0 }
      }
      if count == 0 || sinceLines > Self.maximumGap { return false }
      searched += count
      if searched % Self.turn < count { await Task.yield() }
    }
    return false
  }
}

/// Searches lines for a time stamp that names a source.
struct SourceSearch {
  /// Whether nothing has been searched.
  private var isAtFileStart = true
  /// Whether the next line comes from gpsd even if it looks like a time stamp.
  private var isBeforeVerbatimLine = false

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
