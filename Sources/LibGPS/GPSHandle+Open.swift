import CGPS
import CGPSShims
import GPSDLocation
import Glibc
import LocationCore

extension GPSHandle {
  /// A call of `gps_open`: returns the descriptor of a new connection; or -1, and a negative code of libgps or a
  /// positive error number of the system.
  typealias Open = (_ host: String, _ port: String) -> (descriptor: CInt, code: CInt)

  /// How often to call `gps_open` if it does not find a host that can be found.
  private static var maximumCalls: Int { 3 }

  /// Connects to gpsd. Blocks until a name server has answered and one of the addresses has accepted the connection,
  /// or all have failed: the system tries each for about two minutes.
  ///
  /// The corresponding C function is `gps_open`. Several threads may call it at the same time, each with its own
  /// `gps_data_t`. They share only the result of `getprotobyname`, from which libgps reads the number of TCP: it may
  /// hold the number of another protocol at that moment, because another thread searches /etc/protocols. libgps then
  /// does not find the host, and the call is repeated. That happened to at most 14 of 10,000 calls on 1,000 threads.
  ///
  /// - Throws: `unknownHost` if the resolver does not find the host, otherwise `unreachable`.
  convenience init(
    to endpoint: GPSDEndpoint, by open: Open = GPSHandle.open
  ) throws(LocationError) {
    var code: CInt = 0
    for _ in 0..<Self.maximumCalls {
      let opened = open(endpoint.host, endpoint.port.digits)
      guard opened.descriptor < 0 else {
        self.init(descriptor: opened.descriptor)
        return
      }
      code = opened.code
      // libgps from 3.26 on does not report that the host is unknown, and none reports why.
      try Self.lookUp(endpoint.host)
      guard code == NL_NOHOST || code == NL_NOSERVICE else { break }
    }
    throw Self.failure(code, of: endpoint)
  }

  /// Calls `gps_open`, and `gps_close` at once: libgps keeps buffers of 40 KB that only its own readers use. So only a
  /// duplicate of the descriptor is kept.
  private static func open(_ host: String, _ port: String) -> (descriptor: CInt, code: CInt) {
    // From 3.25 on, gps_open keeps both strings until gps_close.
    unsafe host.withCString { host in
      unsafe port.withCString { port in
        // Zeroed, but not written to: a thousand calls that block take no memory for it.
        guard let memory = unsafe calloc(1, MemoryLayout<gps_data_t>.size) else {
          return (-1, ENOMEM)
        }
        defer { unsafe free(memory) }
        let gps = unsafe memory.bindMemory(to: gps_data_t.self, capacity: 1)
        let code = unsafe lw_gps_open(gps, host, port)
        guard code == 0 else { return (-1, code) }
        let descriptor = unsafe fcntl(lw_gps_fd(gps), F_DUPFD_CLOEXEC, 0)
        let number = errno
        _ = unsafe gps_close(gps)
        return (descriptor, number)
      }
    }
  }

  /// - Throws: The error of the resolver, if it does not find the host.
  private static func lookUp(_ host: String) throws(LocationError) {
    var list: UnsafeMutablePointer<addrinfo>?
    let code = unsafe getaddrinfo(host, nil, nil, &list)
    guard code != 0 else { return unsafe freeaddrinfo(list) }
    let reason = unsafe String(cString: gai_strerror(code))
    throw LocationError(.unknownHost, systemError: .resolver(code), "\(host): \(reason)")
  }

  private static func failure(_ code: CInt, of endpoint: GPSDEndpoint) -> LocationError {
    // libgps before 3.26 reports only which call failed. These are the usual reasons.
    let number =
      switch code {
      case NL_NOCONNECT: ECONNREFUSED
      case NL_NOSOCK: EMFILE
      default: code
      }
    let reason =
      switch number {
      case ECONNREFUSED: "no gpsd accepts connections there"
      case 1...: systemText(number)
      default: unsafe String(cString: gps_errstr(number))
      }
    return LocationError(
      .unreachable, systemError: number > 0 ? .errno(number) : nil, "\(endpoint): \(reason)")
  }
}

extension GPSDEndpoint {
  /// Rejects host names that libgps treats specially: its pseudo hosts return reports of a gpsd that
  /// may have ended long ago.
  func check() throws(LocationError) {
    guard port != 0 else { throw LocationError(.unreachable, "port 0 is not valid") }
    guard !host.isEmpty else { throw LocationError(.unreachable, "the host name is empty") }
    let isName = host.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "/") }
    guard isName, host.utf8.count <= 255 else {
      throw LocationError(.unreachable, "'\(host)' is not a host name")
    }
  }
}

extension UInt16 {
  /// The number as text. The standard library's conversion of integers would take 140 KB of memory.
  fileprivate var digits: String {
    let digits = [10_000, 1000, 100, 10, 1].drop { $0 > self }
      .map { UInt8(ascii: "0") + UInt8(self / $0 % 10) }
    return String(decoding: digits, as: UTF8.self)
  }
}
