import GPSDLocation
import Glibc
import LocationCore
import LocationTestKit
import Testing

@testable import LibGPS

/// On a clock that is where the last call left it.
@Suite struct `Limits of a connect` {
  private let clock = ManualClock()
  private let host = GPSDEndpoint(host: "boat.example", port: 4711)

  private func now() -> Double { clock.locationClock.now.uptime.inSeconds }

  /// Connects to a host with these addresses, by calls that never return and are waited for up to
  /// their limits. Tells what was called, when it began and up to when it was waited for.
  private func calls(
    to host: GPSDEndpoint, _ addresses: [String], lookUpTakes seconds: Int? = 0
  ) async -> (calls: [String], error: LocationError?) {
    var calls: [String] = []
    func never<Value>(_ called: GPSDEndpoint, _ limit: Moment) -> Value? {
      calls.append("\(called) \(now()) to \(limit.uptime.inSeconds)")
      clock.jump(by: clock.locationClock.now.duration(to: limit))
      return nil
    }
    do throws(LocationError) {
      _ = try await Connector(clock: clock.locationClock).connect(to: host) { called, limit in
        guard let seconds else { return never(called, limit) }
        calls.append("\(called) \(now()) to \(limit.uptime.inSeconds)")
        clock.jump(by: .seconds(seconds))
        return addresses
      } attempt: {
        never($0, $1) as String?
      }
      return (calls, nil)
    } catch {
      return (calls, error)
    }
  }

  @Test func `an address has 3 s, and all have 10 s`() async {
    clock.jump(by: .seconds(100))
    let (calls, error) = await calls(to: host, (1...9).map { "192.0.2.\($0)" })
    #expect(
      calls == [
        "boat.example:4711 100.0 to 103.0", "192.0.2.1:4711 100.0 to 103.0",
        "192.0.2.2:4711 103.0 to 106.0", "192.0.2.3:4711 106.0 to 109.0",
        "192.0.2.4:4711 109.0 to 110.0",
      ])
    #expect(
      error
        == LocationError(
          .unreachable, systemError: .errno(ETIMEDOUT),
          "boat.example:4711 does not answer: connection timed out"))
  }

  @Test func `the time that a name server takes counts`() async {
    let (calls, _) = await calls(
      to: host, ["192.0.2.1", "192.0.2.2", "::1", "::2"], lookUpTakes: 2)
    #expect(
      calls == [
        "boat.example:4711 0.0 to 3.0", "192.0.2.1:4711 2.0 to 5.0", "192.0.2.2:4711 5.0 to 8.0",
        "[::1]:4711 8.0 to 10.0",
      ])
  }

  @Test func `a name server has 3 s`() async {
    let (calls, error) = await calls(to: host, [], lookUpTakes: nil)
    #expect(calls == ["boat.example:4711 0.0 to 3.0"])
    #expect(error == LocationError(.unknownHost, "boat.example: no name server answers"))
  }

  @Test func `an address needs no name server`() async {
    let (calls, _) = await calls(to: GPSDEndpoint(host: "192.0.2.7"), [])
    #expect(calls == ["192.0.2.7:2947 0.0 to 3.0"])
  }

  @Test func `the next address is tried at once where one refuses`() async throws {
    var limits: [Double] = []
    let handle = try await Connector(clock: clock.locationClock).connect(to: host) { _, _ in
      ["192.0.2.1", "192.0.2.2", "192.0.2.3"]
    } attempt: { called, limit throws(LocationError) in
      limits.append(limit.uptime.inSeconds)
      clock.jump(by: .seconds(1))
      guard called.host == "192.0.2.2" else { throw LocationError(.unreachable, "refused") }
      return called.host
    }
    #expect(handle == "192.0.2.2")
    #expect(limits == [3, 4])
  }
}
