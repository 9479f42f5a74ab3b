package import LocationCore

/// Takes `alt` for the height above mean sea level of a service that reports no other height.
///
/// gpsd has not defined the surface of `alt` since 3.20, which introduced `altMSL` and `altHAE`. Old routers
/// and programs that answer like gpsd report only `alt`. Once one of the two was reported, `alt` is ignored.
package struct UndefinedHeights: Sendable {
  private enum State {
    case unknown
    case defined
    /// `alt` was used, and that is to be said.
    case used
    case usedAndSaid
  }

  private var state = State.unknown
  private var reader = ReportReader(AltRecord())

  /// Adds the height in a report to its fix, if the service has reported no other height.
  package init() {}

  package mutating func complete(_ fix: inout LocationFix, from line: ArraySlice<UInt8>) {
    guard state != .defined, fix.mode == .fix3D else { return }
    guard fix.altitude == nil, fix.ellipsoidalAltitude == nil else {
      state = .defined
      return
    }
    guard let alt = reader.read(line.span)?.alt else { return }
    fix.altitude = alt
    if state == .unknown { state = .used }
  }

  /// Returns what is to be said of the heights; `nil` if there is nothing, or if it was said.
  package mutating func takeNotice() -> String? {
    guard state == .used else { return nil }
    state = .usedAndSaid
    return
      "the service reports heights as 'alt' only, which are taken for heights above mean sea level"
  }
}

/// The one member that is read of a report without a defined height.
private struct AltRecord: JSONRecord, Sendable {
  enum Field: Int, CaseIterable, CodingKey {
    case `class`, alt
  }

  private(set) var alt: Double?

  mutating func removeAll() { alt = nil }

  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout DeviceNameCache
  ) throws(MalformedReport) {
    if member == Field.alt.rawValue {
      alt = try line.numberValue(&index)
    } else {
      try line.skipValue(&index, depth: 1)
    }
  }
}
