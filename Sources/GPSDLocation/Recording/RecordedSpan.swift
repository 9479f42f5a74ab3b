import GPSDProtocol
package import LocationCore

/// The length of a recording and the dates that its receivers reported, which determine its age.
///
/// The clock of the machine that made the recording is not used.
package struct RecordedSpan: Hashable, Sendable {
  /// The time that passed while it was recorded, by a clock that nobody sets.
  package var length = Nanoseconds.zero
  /// The first and the last date that most of the recording agrees on; `nil` if no date is believed.
  package var dates: ClosedRange<Timestamp>?
  /// The recorded time during which receivers reported these dates.
  package var datedLength = Nanoseconds.zero
  /// The latest date that is believed, even if most of the recording has other dates.
  package var latest: Timestamp?
  /// Whether a time stamp names the source of the lines after it; `nil` if only a part of the file was read.
  package var namesSource: Bool?

  package init() {}

  /// Reads all of a file.
  package init(reading file: RecordingFile) throws(LocationError) {
    var framer = LineFramer()
    var dates = RecordedDates()
    var sources = SourceSearch()
    var namesSource = false
    while let count = try file.read(upTo: 64 * 1024, into: &framer), count > 0 {
      while let frame = framer.next() {
        if case .lines(let lines) = frame { dates.read(lines) }
        namesSource = sources.finds(in: frame) || namesSource
      }
    }
    if framer.pending > 0 { framer.append([UInt8(ascii: "\n")]) }
    while let frame = framer.next() { namesSource = sources.finds(in: frame) || namesSource }
    self = dates.span
    self.namesSource = namesSource
  }

  /// Reads the length and the latest date from both ends of a file; `nil` if another program has compressed it or
  /// appended to it, if it does not begin with a time stamp, or has none near its end.
  package init?(endsOf file: RecordingFile) {
    let (head, tail) = file.storedEnds(upTo: LineFramer.maximumLineLength)
    if let stored = RecordedSpan(gzipHeader: head) {
      guard Self.namesSource(gzipHead: head, tail: tail) != nil else { return nil }
      self = stored
      return
    }
    guard let first = RecordingTimestamp(line: head.prefix { $0 != UInt8(ascii: "\n") }) else {
      return nil
    }
    var decoder = GPSDDecoder(keepsSatellites: false)
    var last: RecordingTimestamp?
    var rest = tail[...]
    while let line = rest.firstLine {
      rest = rest[line.endIndex...]
      if let stamp = RecordingTimestamp(line: line) {
        last = stamp
      } else if decoder.decode(line.span) == .tpv {
        latest = decoder.tpv.time ?? latest
      }
    }
    guard let last, last.elapsed >= first.elapsed else { return nil }
    length = Nanoseconds(last.elapsed - first.elapsed)
  }
}

/// Finds the dates of a recording, line by line.
struct RecordedDates {
  private static let head = Array(#"{"class":""#.utf8)
  private static let fixHead = head + Array(#"TPV""#.utf8)

  private var decoder = GPSDDecoder(keepsSatellites: false)
  private var times = AgreeingTimes()
  private var elapsed = Nanoseconds.zero
  /// The time of the last time stamp; `nil` before the first.
  private var latestStamp: Nanoseconds?
  private var isBeforeVerbatimLine = false

  mutating func read(_ lines: ArraySlice<UInt8>) {
    var rest = lines
    while true {
      if !isBeforeVerbatimLine { rest = rest.withoutEmptyLinesAtFront }
      guard let line = rest.firstLine else { return }
      rest = rest[line.endIndex...]
      read(line: line)
    }
  }

  private mutating func read(line: ArraySlice<UInt8>) {
    if !isBeforeVerbatimLine, let stamp = RecordingTimestamp(line: line) {
      let time = Nanoseconds(stamp.elapsed)
      // An earlier time stamp begins another recording.
      if let latestStamp { elapsed = elapsed + max(.zero, time - latestStamp) }
      latestStamp = time
      isBeforeVerbatimLine = stamp.isBeforeVerbatimLine
      return
    }
    isBeforeVerbatimLine = false
    // Other reports are not decoded, unless another program has written the line again.
    guard line.starts(with: Self.fixHead) || !line.starts(with: Self.head),
      decoder.decode(line.span) == .tpv,
      decoder.tpv.mode.rawValue >= TPV.Mode.fix2D.rawValue, let date = decoder.tpv.time
    else { return }
    times.record(date, at: elapsed)
  }

  /// The span of the lines so far.
  var span: RecordedSpan {
    var span = RecordedSpan()
    span.length = elapsed
    guard let longest = times.longest else { return span }
    span.dates = longest.times
    span.datedLength = longest.length
    span.latest = times.eras.filter(\.isBelieved).map(\.times.upperBound).max()
    return span
  }
}

extension RecordedSpan {
  /// The first bytes of the gzip field that holds a span: its name, and the length of the rest.
  private static let mark: [UInt8] = [0x4C, 0x57, 40, 0]
  private static let none = Int64.min
  /// A gzip file has the field after this many bytes, if it has one.
  private static let fieldStart = 12
  /// The second byte of flags that says that there is a field.
  private static let fieldFlag: UInt8 = 4

  /// The extra field of the header of a gzip file, from which the span is read later without the rest (RFC
  /// 1952, 2.3.1.1).
  package var extraField: [UInt8] {
    let numbers = [
      length.count, dates?.lowerBound.nanosecondsSince1970 ?? Self.none,
      dates?.upperBound.nanosecondsSince1970 ?? Self.none, datedLength.count,
      latest?.nanosecondsSince1970 ?? Self.none,
    ]
    return numbers.reduce(into: Self.mark) { bytes, number in
      for shift in stride(from: 0, to: 64, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: number >> shift))
      }
    }
  }

  /// How many bytes of a gzip file are enough for ``init(gzipHeader:)``.
  package static let headerLength = fieldStart + mark.count + 40

  /// Reads the span from the first bytes of a gzip file; `nil` if they have none.
  package init?(gzipHeader head: [UInt8]) {
    guard head.count >= Self.headerLength, head.starts(with: Inflater.mark),
      head[3] == Self.fieldFlag,
      head[Self.fieldStart...].starts(with: Self.mark)
    else { return nil }
    let numbers = (0..<5).map { index in
      let start = Self.fieldStart + Self.mark.count + 8 * index
      return (0..<8).reduce(Int64(0)) { $0 | Int64(head[start + $1]) << (8 * Int64($1)) }
    }
    func time(_ number: Int64) -> Timestamp? {
      number == Self.none ? nil : Timestamp(nanosecondsSince1970: number)
    }
    guard numbers[0] >= 0, numbers[3] >= 0 else { return nil }
    length = Nanoseconds(numbers[0])
    datedLength = Nanoseconds(numbers[3])
    if let first = time(numbers[1]), let last = time(numbers[2]), first <= last {
      dates = first...last
    }
    latest = time(numbers[4])
  }

  /// The first bytes of the gzip field that says whether sources are named.
  private static let sourceMark: [UInt8] = [0x4C, 0x53, 5, 0]
  private static let sourceFieldLength = sourceMark.count + 5
  /// How many bytes at the beginning of a gzip file are enough for ``namesSource(gzipHead:tail:)``.
  static let sourceHeadLength = headerLength + sourceFieldLength

  /// The field that follows ``extraField``: whether sources are named, and the size of the recording in the form in which
  /// a gzip file ends with it, so that the field of a file to which another one was appended is recognised. It is empty if that is
  /// unknown.
  package func sourceField(ofSize size: Int) -> [UInt8] {
    guard let namesSource else { return [] }
    return Self.sourceMark + [namesSource ? 1 : 0]
      + (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) }
  }

  /// Returns whether a compressed recording names sources, by its first and its last bytes; `nil` if they do not say.
  static func namesSource(gzipHead head: [UInt8], tail: [UInt8]) -> Bool? {
    guard RecordedSpan(gzipHeader: head) != nil, head.count >= sourceHeadLength,
      Int(head[fieldStart - 2]) | Int(head[fieldStart - 1]) << 8 == sourceHeadLength - fieldStart,
      head[headerLength...].starts(with: sourceMark),
      head[..<sourceHeadLength].suffix(4).elementsEqual(tail.suffix(4))
    else { return nil }
    return head[headerLength + sourceMark.count] != 0
  }
}
