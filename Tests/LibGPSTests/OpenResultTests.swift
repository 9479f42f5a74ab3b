import CGPS
import GPSDLocation
import Glibc
import LocationCore
import Testing

@testable import LibGPS

/// The results are those of libgps 3.22 to 3.27.5, whichever is installed.
@Suite struct `A result of gps_open` {
  private let endpoint = GPSDEndpoint(host: "127.0.0.1", port: 4711)

  /// Connects with results of `gps_open` in turn, then with success. Returns the error, and what was called.
  private func outcome(
    of codes: [CInt], to endpoint: GPSDEndpoint
  ) -> (error: LocationError?, calls: [String]) {
    var calls: [String] = []
    do throws(LocationError) {
      _ = try GPSHandle(to: endpoint) { host, port in
        calls.append("\(host) \(port)")
        let code = calls.count <= codes.count ? codes[calls.count - 1] : 0
        return (code == 0 ? dup(2) : -1, code)
      }
      return (nil, calls)
    } catch {
      return (error, calls)
    }
  }

  @Test(
    arguments: [
      (NL_NOCONNECT, ECONNREFUSED, "no gpsd accepts connections there"),
      (ECONNREFUSED, ECONNREFUSED, "no gpsd accepts connections there"),
      (NL_NOSOCK, EMFILE, "Too many open files"), (EMFILE, EMFILE, "Too many open files"),
      (ENETUNREACH, ENETUNREACH, "Network is unreachable"),
      (NL_NOSOCKOPT, nil, "error SETSOCKOPT SO_REUSEADDR"),
    ] as [(CInt, CInt?, String)])
  func `becomes an error that names the gpsd`(code: CInt, number: CInt?, reason: String) {
    let (error, calls) = outcome(of: [code], to: endpoint)
    #expect(
      error
        == LocationError(
          .unreachable, systemError: number.map { .errno($0) }, "127.0.0.1:4711: \(reason)"))
    #expect(calls == ["127.0.0.1 4711"])
  }

  /// As when another thread reads /etc/protocols at the same time.
  @Test(arguments: [NL_NOSERVICE, NL_NOHOST])
  func `that does not know a host which is known is not believed`(code: CInt) {
    let found = outcome(of: [code, 0], to: endpoint)
    #expect(found.error == nil && found.calls.count == 2)
    let (error, calls) = outcome(of: [code, code, code], to: endpoint)
    let reason = code == NL_NOHOST ? "can't get host entry" : "can't get service entry"
    #expect(error == LocationError(.unreachable, "127.0.0.1:4711: \(reason)"))
    #expect(calls.count == 3)
  }

  /// From libgps 3.26 on, any number can be left.
  @Test(arguments: [NL_NOHOST, ECONNREFUSED])
  func `counts for nothing if the host is unknown`(code: CInt) {
    let (error, calls) = outcome(of: [code], to: GPSDEndpoint(host: "host.invalid"))
    #expect(error?.code == .unknownHost)
    #expect(error?.systemError?.domain == .resolver)
    #expect(error?.detail.hasPrefix("host.invalid: ") == true)
    #expect(calls == ["host.invalid 2947"])
  }

  @Test(arguments: [1, 80, 2947, 10_000, 65_535] as [UInt16])
  func `is that of the port`(port: UInt16) {
    let (error, calls) = outcome(of: [0], to: GPSDEndpoint(host: "127.0.0.1", port: port))
    #expect(error == nil)
    #expect(calls == ["127.0.0.1 \(port)"])
  }
}
