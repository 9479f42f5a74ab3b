import GPSDLocation
import LocationCore
import LocationTestKit
import TestSupport
import Testing
import VirtualTimeTesting

@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `A connection that is polled` {
  private let session = PolledSession()
  private let clock = LocationClock(ManualClock())
  private static let service = TimedEvent(
    .service(LocationService(name: "gpsd 3.22")), at: .at(0))

  private func connection(device: String? = nil) -> some LocationConnection {
    GPSDLocationSource(device: device, clock: clock, makeSession: { [session] in session })
      .connection()
  }

  /// Returns a connection that has reported its gpsd.
  private func open(device: String? = nil) async throws -> some LocationConnection {
    var connection = connection(device: device)
    session.bring(Lines.version)
    #expect(try await connection.read(by: clock) == .received([Self.service]))
    return connection
  }

  @Test func `begins to connect, and has the events of lines that are there`() async throws {
    var connection = connection()
    session.bring(Lines.version)
    #expect(try connection.poll(at: .at(0)) == .quiet(at: .at(0)))
    #expect(connection.wait().arrival != nil && session.calls == [])
    #expect(try await connection.read(by: clock) == .received([Self.service]))
    session.bring(Lines.tpv(1), Lines.tpv(2), at: 2)
    #expect(
      try connection.poll(at: .at(2))
        == .received([1, 2].map { TimedEvent(.fix(Lines.fix($0)), at: .at(2)) }))
    #expect(try connection.poll(at: .at(3)) == .quiet(at: .at(3)))
    #expect(session.calls == ["open", "send \(GPSDCommand.watch.text)"])
    connection.close()
    session.bring(Lines.tpv(3))
    #expect(try connection.poll(at: .at(4)) == .ended)
  }

  @Test func `does not wait while lines without events are followed by others`() async throws {
    var connection = try await open()
    session.bring("")
    session.bring(Lines.tpv(1), at: 1)
    #expect(try connection.poll(at: .at(1)) == .event(.fix(Lines.fix(1)), at: .at(1)))
    #expect(try connection.poll(at: .at(1)) == .quiet(at: .at(1)))
  }

  @Test func `waits until gpsd has to be asked whether it lives`() async throws {
    var connection = try await open()
    #expect(try connection.poll(at: .at(0)) == .quiet(at: .at(0)))
    #expect(connection.wait().deadline == .at(10))
    session.wait(until: 20)
    #expect(connection.wait().deadline == .at(10))
    session.wait(until: 3)
    #expect(connection.wait().deadline == .at(3))
    #expect(session.calls.count == 2)
    #expect(try connection.poll(at: .at(10)) == .quiet(at: .at(10)))
    #expect(session.calls.last == "send \(GPSDCommand.devices.text)")
  }

  @Test func `sends a command before it reports why`() async throws {
    var connection = try await open(device: "/dev/a")
    session.bring(Lines.refusal)
    session.bring(Lines.tpv(1))
    #expect(
      try connection.poll(at: .at(0))
        == .event(.refused(path: "/dev/a", reason: "Do nothing: /dev/a"), at: .at(0)))
    #expect(session.calls.suffix(1) == ["send \(GPSDCommand.watch.text)"])
    #expect(try connection.poll(at: .at(0)) == .event(.fix(Lines.fix(1)), at: .at(0)))
  }

  @Test func `fails once, after what came before, and hangs up`() async throws {
    var stranger = connection()
    session.bring("SSH-2.0", "", "a", "b", "c", "d", "e", "f", "g", "h")
    #expect(try await stranger.read(by: clock) == .event(.notice("SSH-2.0"), at: .at(0)))
    #expect { try stranger.poll(at: .at(0)) } throws: {
      ($0 as? LocationError)?.code == .notAService
    }
    #expect(session.calls.last == "close")
    var connection = try await open()
    let failure = LocationError(.disconnected, "closed by gpsd")
    session.fail(with: failure)
    #expect(throws: failure) { try connection.poll(at: .at(0)) }
    #expect(session.calls.last == "close")
    #expect(try connection.poll(at: .at(0)) == .ended)
  }
}
