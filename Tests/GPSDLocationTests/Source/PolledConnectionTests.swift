import GPSDLocation
import LocationCore
import LocationTestKit
import Testing
import VirtualTimeTesting

/// A connection whose session has lines without a read.
@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `A connection that is polled` {
  private let session = PolledSession()
  private let clock = LocationClock(ManualClock())

  private func connection(device: String? = nil) -> some LocationConnection {
    GPSDLocationSource(device: device, clock: clock, makeSession: { [session] in session })
      .connection()
  }

  private static let service = TimedEvent(
    .service(LocationService(name: "gpsd 3.22")), at: .at(0))

  @Test func `has the events of lines that are there, once it is open`() async throws {
    var connection = connection()
    session.bring(Lines.version)
    #expect(connection.poll() == nil && connection.arrival(before: nil) == nil)
    #expect(try await connection.next(until: nil) == .value([Self.service], at: .at(0)))
    session.bring(Lines.tpv(1), Lines.tpv(2), at: 2)
    #expect(
      connection.poll() == [1, 2].map { TimedEvent(.fix(Lines.fix($0)), at: .at(2)) })
    #expect(connection.poll() == nil)
    #expect(session.calls == ["open", "send \(GPSDCommand.watch.text)"])
    await connection.close()
    session.bring(Lines.tpv(3))
    #expect(connection.poll() == nil && connection.arrival(before: nil) == nil)
  }

  @Test func `does not wait while lines without events are followed by others`() async throws {
    var connection = connection()
    session.bring(Lines.version)
    _ = try await connection.next(until: nil)
    session.bring("")
    session.bring(Lines.tpv(1), at: 1)
    #expect(connection.poll() == [TimedEvent(.fix(Lines.fix(1)), at: .at(1))])
    #expect(connection.poll() == nil)
  }

  @Test func `waits until gpsd has to be asked whether it lives`() async throws {
    var connection = connection()
    session.bring(Lines.version)
    _ = try await connection.next(until: nil)
    #expect(connection.arrival(before: nil)?.deadline == .at(10))
    #expect(connection.arrival(before: .at(3))?.deadline == .at(3))
    #expect(connection.arrival(before: .at(20))?.deadline == .at(10))
    // What is due is a matter for the read.
    #expect(connection.arrival(before: .at(0)) == nil)
  }

  @Test func `leaves commands and events to the next read`() async throws {
    var connection = connection(device: "/dev/a")
    session.bring(Lines.version)
    _ = try await connection.next(until: nil)
    session.bring(Lines.refusal)
    #expect(connection.poll() == nil)
    session.bring(Lines.tpv(1))
    #expect(connection.poll() == nil && connection.arrival(before: nil) == nil)
    let refused = LocationEvent.refused(path: "/dev/a", reason: "Do nothing: /dev/a")
    #expect(
      try await connection.next(until: nil) == .value([TimedEvent(refused, at: .at(0))], at: .at(0))
    )
    #expect(session.calls.suffix(1) == ["send \(GPSDCommand.watch.text)"])
    #expect(connection.poll() == [TimedEvent(.fix(Lines.fix(1)), at: .at(0))])
  }

  @Test func `leaves a failure to the next read`() async throws {
    var connection = connection()
    session.bring("")
    _ = try await connection.next(until: .at(0))
    session.bring("SSH-2.0", "", "a", "b", "c", "d", "e", "f", "g", "h")
    #expect(connection.poll() == nil && connection.arrival(before: nil) == nil)
    var failure: LocationError?
    do throws(LocationError) {
      let read = try await connection.next(until: nil)
      #expect(read != .ended)
      _ = try await connection.next(until: nil)
    } catch {
      failure = error
    }
    #expect(failure?.code == .notAService)
  }

  @Test func `leaves an error of the session to the next read`() async throws {
    var connection = connection()
    session.bring(Lines.version)
    _ = try await connection.next(until: nil)
    let failure = LocationError(.disconnected, "closed by gpsd")
    session.fail(with: failure)
    #expect(connection.poll() == nil && connection.arrival(before: nil) == nil)
    await #expect(throws: failure) { try await connection.next(until: nil) }
    #expect(session.calls.last == "close")
  }
}
