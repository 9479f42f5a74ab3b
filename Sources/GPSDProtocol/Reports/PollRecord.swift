/// The places of the last reports of each receiver in gpsd's `POLL` report.
struct PollRecord: JSONRecord, Sendable {
  enum Field: Int, CaseIterable, CodingKey {
    case `class`, tpv, sky
  }

  /// The maximum number of receivers whose last reports are read.
  private static let maximumReports = 64

  private(set) var (positions, skies): ([Range<Int>], [Range<Int>]) = ([], [])

  mutating func removeAll() { self = PollRecord() }

  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout DeviceNameCache
  ) throws(MalformedReport) {
    switch Field(rawValue: member) {
    case .tpv: positions = try Self.elements(line, &index)
    case .sky: skies = try Self.elements(line, &index)
    case .class, nil: try line.skipValue(&index, depth: 1)
    }
  }

  /// Returns the places of a list's elements.
  private static func elements(
    _ line: Span<UInt8>, _ index: inout Int
  ) throws(MalformedReport) -> [Range<Int>] {
    var places: [Range<Int>] = []
    var more = try line.open("[", "]", &index)
    while more {
      let start = index
      try line.skipValue(&index, depth: 2)
      if places.count < maximumReports { places.append(start..<index) }
      more = try line.proceed(to: "]", &index)
    }
    return places
  }
}
