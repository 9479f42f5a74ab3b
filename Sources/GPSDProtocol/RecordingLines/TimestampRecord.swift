package import LocationCore

/// A line that gpsd does not send: locwatch adds it to a recording, to state when the lines after it were received.
///
/// `{"class":"LOCWATCH","t":12.345}`
package struct TimestampRecord: JSONRecord, Sendable {
  /// The class of the line.
  package static let className = "LOCWATCH"

  /// The members of the line, by name.
  enum Field: Int, CaseIterable, CodingKey {
    case `class`, t, start, sync, source, lost, verbatim
  }

  /// The time since the recording began, in seconds.
  package private(set) var elapsed = 0.0
  /// When the recording began.
  package private(set) var start: Timestamp?
  /// Whether something kept the clock right by which ``start`` was measured; `nil` if the line does not say.
  package private(set) var isClockSynchronized: Bool?
  package private(set) var source: String?
  package private(set) var lostLines = 0
  package private(set) var isBeforeVerbatimLine = false
  private var hasTime = false

  private init() {}

  /// Reads a line in any form of JSON; `nil` if a member is not what locwatch writes. Unknown members are skipped.
  package init?(line: ArraySlice<UInt8>) {
    var reader = ReportReader(TimestampRecord())
    guard let record = reader.read(line.span) else { return nil }
    self = record
  }

  mutating func removeAll() { self = TimestampRecord() }

  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout DeviceNameCache
  ) throws(MalformedReport) {
    switch Field(rawValue: member) {
    case .t:
      elapsed = try Self.required(line.numberValue(&index))
      hasTime = true
    case .start: start = try Self.required(line.timeValue(&index))
    case .sync:
      switch try line.numberValue(&index) {
      case 0: isClockSynchronized = false
      case 1: isClockSynchronized = true
      default: throw MalformedReport()
      }
    case .source: source = try line.text(line.string(&index), limit: .max)
    case .lost: lostLines = try Self.required(line.integerValue(&index))
    case .verbatim: isBeforeVerbatimLine = try line.numberValue(&index) == 1
    case .class, nil: try line.skipValue(&index, depth: 1)
    }
  }

  mutating func finish() throws(MalformedReport) -> Int {
    guard hasTime, elapsed >= 0, lostLines >= 0 else { throw MalformedReport() }
    return 0
  }

  private static func required<Value>(_ value: Value?) throws(MalformedReport) -> Value {
    guard let value else { throw MalformedReport() }
    return value
  }
}
