package import LocationCore

/// gpsd's `OSC` report: the state of an oscillator that a receiver disciplines.
///
/// A value that is not reported is `nil`.
package struct OSC: Hashable, Sendable {
  /// The receiver's path on gpsd's machine.
  package var device: String?
  /// Whether the oscillator runs.
  package var running: Bool?
  /// Whether the oscillator has a reference, such as a fix.
  package var reference: Bool?
  /// Whether the oscillator follows its reference.
  package var disciplined: Bool?
  /// The time between the oscillator's pulse and the receiver's, in nanoseconds.
  package var delta: Double?

  /// Creates an empty report.
  package init() {}

  /// Decodes a report; `nil` if it is of another kind.
  package init?(_ report: ServiceReport) {
    guard report.kind == .osc, let decoded = ReportReader.read(report.text, into: OSC()) else {
      return nil
    }
    self = decoded
  }
}

extension OSC: JSONRecord {
  /// The members of the report, by name. `delta` is a number.
  enum Field: Int, CaseIterable, CodingKey {
    case `class`, device, running, reference, disciplined
    case delta
  }

  static var firstNumber: Int { Field.delta.rawValue }

  mutating func set(_ number: Double?, at member: Int) { delta = number }

  mutating func removeAll() { self = OSC() }

  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout DeviceNameCache
  ) throws(MalformedReport) {
    switch Field(rawValue: member) {
    case .device: device = try names.read(line, &index)
    case .running: running = try line.booleanValue(&index)
    case .reference: reference = try line.booleanValue(&index)
    case .disciplined: disciplined = try line.booleanValue(&index)
    case .class, .delta, nil: try line.skipValue(&index, depth: 1)
    }
  }
}
