package import LocationCore

/// gpsd's `TOFF` and `PPS` reports: the receiver's time, and the time of the clock of gpsd's machine at the
/// same moment.
///
/// `TOFF` compares the clocks when a receiver's first report of a second arrives, `PPS` at its pulse.
/// gpsd sends them if it is asked for pulses. A value that is not reported is `nil`.
package struct TimeOffset: Hashable, Sendable {
  /// The receiver's path on gpsd's machine.
  package var device: String?
  /// The time by the receiver.
  package var real: Timestamp?
  /// The time by the clock of gpsd's machine.
  package var clock: Timestamp?
  /// The precision of the clock as NTP states it: the binary logarithm of seconds.
  package var precision: Int?
  /// The quantization error of the pulse ("sawtooth"), in picoseconds.
  package var qErr: Double?
  /// The name of the shared memory segment by which NTP receives the times.
  package var shm: String?

  fileprivate var numbers = QuantitiesOfReport()

  /// Creates an empty report.
  package init() {}

  /// How far the machine's clock is ahead of the receiver's: ``clock`` minus ``real``. Negative if it
  /// is behind; `nil` if one of them is unknown.
  package var offset: Duration? {
    guard let real, let clock else { return nil }
    return real.nanoseconds(to: clock).duration
  }

  /// Decodes a report; `nil` if it is of another kind.
  package init?(_ report: ServiceReport) {
    guard [.toff, .pps].contains(report.kind),
      let decoded = ReportReader.read(report.text, into: TimeOffset())
    else { return nil }
    self = decoded
  }
}

extension TimeOffset: JSONRecord {
  /// The members of the report, by name. Those before `real_sec` are not numbers.
  enum Field: Int, CaseIterable, CodingKey {
    case `class`, device, shm
    case real_sec, real_nsec, clock_sec, clock_nsec, precision, qErr
  }

  static var firstNumber: Int { Field.real_sec.rawValue }

  mutating func set(_ number: Double?, at member: Int) { numbers[member] = number }

  mutating func removeAll() { self = TimeOffset() }

  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout DeviceNameCache
  ) throws(MalformedReport) {
    switch member {
    case Field.device.rawValue: device = try names.read(line, &index)
    case Field.shm.rawValue: shm = try line.textValue(&index)
    default: try line.skipValue(&index, depth: 1)
    }
  }

  mutating func finish() throws(MalformedReport) -> Int {
    real = time(.real_sec, .real_nsec)
    clock = time(.clock_sec, .clock_nsec)
    precision = integer(.precision).flatMap { Int(exactly: $0) }
    qErr = numbers[Field.qErr.rawValue]
    numbers.removeAll()
    return 0
  }

  private func time(_ seconds: Field, _ nanoseconds: Field) -> Timestamp? {
    // Seconds beyond these do not fit into a Timestamp.
    guard let seconds = integer(seconds), seconds.magnitude < 9_000_000_000,
      let nanoseconds = integer(nanoseconds), (0..<1_000_000_000).contains(nanoseconds)
    else { return nil }
    return Timestamp(secondsSince1970: seconds, nanoseconds: Int32(nanoseconds))
  }

  private func integer(_ field: Field) -> Int64? {
    numbers[field.rawValue].flatMap { Int64(exactly: $0) }
  }
}
