import DaemonHarness
import LibGPS
import LocationTestKit
import SimulatedReceiver
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A live provider keeps the contract` {
  private static let lines = [
    #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#,
    #"{"class":"TPV","device":"/dev/a","mode":1}"#,
    #"{"class":"TPV","device":"/dev/a","mode":3,"lat":47.4,"lon":8.5}"#,
  ]
  private static let events: [LocationEvent] = [
    .service(LocationService(name: "gpsd 3.22")), .noFix(NoFix(device: "/dev/a")),
    .fix(
      LocationFix(
        coordinate: Coordinate(latitude: 47.4, longitude: 8.5)!, mode: .fix3D, device: "/dev/a")),
  ]

  private func violations(
    _ ending: ContractEnding, by steps: ImpostorStep...
  ) async throws -> [ContractViolation] {
    let impostor = try Impostor([.expect("?WATCH")] + Self.lines.map { .sendLines($0) } + steps)
    return await GPSDLocationSource(endpoint: impostor.endpoint).contractViolations(
      reporting: Self.events, then: ending, excusing: [.momentsOfArrival]
    ) { event in
      guard case .fix(var fix) = event else { return event }
      fix.received = nil
      return .fix(fix)
    }
  }

  @Test func `where an impostor hangs up`() async throws {
    #expect(try await violations(.fails(.disconnected), by: .close) == [])
  }

  @Test func `where an impostor falls silent`() async throws {
    #expect(try await violations(.staysOpen, by: .hold) == [])
  }

  @Test(.enabled(if: GPSDProcess.program != nil, "gpsd is not installed"))
  func `where a real gpsd has a receiver`() async throws {
    let site = try await Site(.tenHertz)
    try await waitUntil("gpsd has opened the receiver") { site.receiver.isOpen }
    let source = GPSDLocationSource(endpoint: .loopback(site.gpsd.port))
    let report = LocationEvent.notice("a report")
    let found = await source.contractViolations(
      reporting: [
        .service(LocationService(name: "gpsd")), .receivers([Receiver(path: site.receiver.path)]),
        report, report, report,
      ],
      then: .staysOpen, excusing: [.momentsOfArrival]
    ) { event in
      switch event {
      case .service: .service(LocationService(name: "gpsd"))
      case .receivers(let receivers): .receivers(receivers.map { Receiver(path: $0.path) })
      case .receiver, .removed, .refused, .fix, .noFix, .sky, .other, .notice, .corrections,
        .disconnected, .selected:
        report
      }
    }
    #expect(found == [])
  }
}
