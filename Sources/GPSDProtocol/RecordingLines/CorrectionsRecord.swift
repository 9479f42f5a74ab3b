import LocationCore

/// A line that gpsd does not send: locwatch adds it to the reports of a private gpsd whose receiver it gives
/// corrections. So recordings have it, too.
///
/// `{"class":"LOCWATCH_CORRECTIONS","state":"lost","source":"ntrip://caster.example:2101/MOUNT","reason":"…"}`
package struct CorrectionsRecord: JSONRecord, Sendable {
  /// The class of the line.
  package static let className = "LOCWATCH_CORRECTIONS"

  /// The members of the line, by name.
  enum Field: Int, CaseIterable, CodingKey {
    case `class`, state, source, reason, lat, lon
  }

  private var state: Corrections.State?
  private var source: String?
  private var reason: String?
  private var lat, lon: Double?

  /// What the line says; `nil` if its state is unknown.
  var corrections: Corrections? {
    let base = lat.flatMap { lat in lon.flatMap { Coordinate(latitude: lat, longitude: $0) } }
    return state.map { Corrections($0, of: source ?? "", reason: reason, base: base) }
  }

  mutating func removeAll() { self = CorrectionsRecord() }

  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout DeviceNameCache
  ) throws(MalformedReport) {
    switch Field(rawValue: member) {
    case .state: state = try line.textValue(&index).flatMap(Corrections.State.init)
    case .source: source = try line.textValue(&index)
    case .reason: reason = try line.textValue(&index)
    case .lat: lat = try line.numberValue(&index)
    case .lon: lon = try line.numberValue(&index)
    case .class, nil: try line.skipValue(&index, depth: 1)
    }
  }
}
