import LocationCore
import Testing

@Suite struct `Corrections that a provider reports` {
  private static let connected = Corrections(.connected, of: "c")
  private static let lost = Corrections(.lost, of: "c", reason: "gone")

  private static func changes(_ events: [LocationEvent]) -> [ReceiverChange.Kind] {
    var probe = WatchMachineProbe()
    for event in events { probe.take(event) }
    return probe.told().compactMap { if case .change(let change) = $0 { change.kind } else { nil } }
  }

  @Test func `are a change when their state changes, and always a report`() {
    #expect(
      Self.changes([
        .corrections(Self.lost), .corrections(Self.lost), .corrections(Self.connected),
        .corrections(Self.connected), .corrections(Self.lost),
      ]) == [
        .corrections(Self.lost, previous: nil), .corrections(Self.connected, previous: .lost),
        .corrections(Self.lost, previous: .connected),
      ])
    var probe = WatchMachineProbe()
    probe.take(.corrections(Self.connected))
    var known = Self.connected
    known.base = Coordinate(latitude: 1, longitude: 2)
    probe.take(.corrections(known))
    let reports = probe.told().compactMap { update -> Corrections? in
      if case .event(.corrections(let corrections)) = update { corrections } else { nil }
    }
    #expect(reports == [Self.connected, known])
  }

  @Test(arguments: [(LocationError.Code.notRecorded, 2), (.disconnected, 1)])
  func `are a change again in another run of a recording`(code: LocationError.Code, count: Int) {
    let connected = LocationEvent.corrections(Self.connected)
    let failure = LocationEvent.disconnected(LocationError(code), retryIn: nil)
    let change = ReceiverChange.Kind.corrections(Self.connected, previous: nil)
    #expect(
      Self.changes([connected, failure, connected]) == Array(repeating: change, count: count))
  }

  @Test func `are described by words`() {
    let kind = ReceiverChange.Kind.corrections(Self.lost, previous: .connected)
    #expect(kind.name == "corrections" && kind.subject == "c" && kind.reason == "gone")
    #expect(kind.value == "lost" && kind.previous == "connected")
    #expect(ReceiverChange.Kind.jamming(true).reason == nil)
    #expect("\(LocationEvent.corrections(Self.lost))" == "corrections lost c: gone")
    var known = Self.connected
    known.base = Coordinate(latitude: 1, longitude: 2)
    #expect("\(known)" == "connected c, base 1.0, 2.0")
  }
}
