import EventLoop
import GPSDLocation
import Glibc
import LocationCore

/// Connects to a gpsd within a time limit. `gps_open` has none: a call that exceeds it is abandoned.
struct Connector: Sendable {
  static let addressTimeout = Duration.seconds(3)
  static let connectTimeout = Duration.seconds(10)

  /// Looks up the addresses of a host, or connects to one of them; returns `nil` if the deadline
  /// passes or the task is cancelled.
  typealias Call<Value> = (GPSDEndpoint, _ limit: Moment) async throws(LocationError) -> Value?

  /// The threads that look up names or connect at the same time. A thread that cannot be interrupted keeps its slot
  /// when its time is over: for some two minutes, as long as the system tries to connect.
  private static let slots = ConnectSlots(count: 8, maximumAside: 512)

  private static let lookUps = BlockingCalls<[String]>()
  /// An old attempt is not adopted: the system repeats it after longer and longer pauses, up to a minute.
  private static let attempts = BlockingCalls<GPSHandle>(adoptionLimit: addressTimeout)

  let clock: LocationClock

  /// Connects with blocking calls on threads of their own.
  ///
  /// - Parameter wakeup: The point to wait at.
  func connect(
    to endpoint: GPSDEndpoint, _ wakeup: WaitPoint
  ) async throws(LocationError) -> GPSHandle {
    guard let slot = await Self.slots.take(wakeup) else { throw Self.cancelled }
    return try await connect(to: endpoint) { endpoint, limit throws(LocationError) in
      try await Self.lookUps.value(
        of: endpoint, until: limit, wakeup, isSlow: slot.setAside
      ) { () throws(LocationError) in
        try withExtendedLifetime(slot) { () throws(LocationError) in
          try NumericAddress.resolve(endpoint.host)
        }
      }
    } attempt: { numeric, limit throws(LocationError) in
      try await Self.attempts.value(
        of: numeric, until: limit, wakeup, isSlow: slot.setAside
      ) { () throws(LocationError) in
        try withExtendedLifetime(slot) { () throws(LocationError) in
          try GPSHandle(address: numeric.host, port: numeric.port)
        }
      }
    }
  }

  /// Connects to the first address that accepts the connection.
  ///
  /// - Parameters:
  ///   - lookUp: Finds the addresses of a name.
  ///   - attempt: Connects to an endpoint with a numeric address.
  func connect<Handle>(
    to endpoint: GPSDEndpoint, lookUp: Call<[String]>, attempt: Call<Handle>
  ) async throws(LocationError) -> Handle {
    try endpoint.check()
    let deadline = clock.now.advanced(by: Self.connectTimeout)
    var failure = LocationError(.unknownHost, "\(endpoint.host): the host has no address")
    for address in try await addresses(of: endpoint, until: deadline, lookUp) {
      let numeric = GPSDEndpoint(host: address, port: endpoint.port)
      do throws(LocationError) {
        let handle = try await attempt(numeric, limit(before: deadline))
        if let handle, !Task.isCancelled { return handle }
        failure = Self.tooLate(endpoint)
      } catch {
        failure = error.explained(for: endpoint)
      }
      if Task.isCancelled { throw Self.cancelled }
      if deadline <= clock.now { break }
    }
    throw failure
  }

  private func limit(before deadline: Moment) -> Moment {
    clock.now.advanced(by: Self.addressTimeout).earlier(of: deadline)
  }

  private func addresses(
    of endpoint: GPSDEndpoint, until deadline: Moment, _ lookUp: Call<[String]>
  ) async throws(LocationError) -> [String] {
    if let numeric = NumericAddress.parse(endpoint.host) { return numeric }
    let found = try await lookUp(endpoint, limit(before: deadline))
    if Task.isCancelled { throw Self.cancelled }
    guard let found else {
      throw LocationError(.unknownHost, "\(endpoint.host): no name server answers")
    }
    return found
  }

  private static let cancelled = LocationError(.cancelled, "cancelled while connecting")

  private static func tooLate(_ endpoint: GPSDEndpoint) -> LocationError {
    LocationError(
      .unreachable, systemError: .errno(ETIMEDOUT),
      "\(endpoint) does not answer: connection timed out")
  }
}

extension LocationError {
  /// Returns the error with a message that names the endpoint.
  fileprivate func explained(for endpoint: GPSDEndpoint) -> LocationError {
    let isRefused = systemError == .errno(ECONNREFUSED)
    let message = isRefused ? "connection refused: no gpsd listens there" : detail
    return LocationError(code, systemError: systemError, "\(endpoint): \(message)")
  }
}

/// Numeric addresses of hosts.
enum NumericAddress {
  /// Returns all addresses of `host`, in the system's order of preference. Blocks until the name
  /// server answers.
  static func resolve(_ host: String) throws(LocationError) -> [String] {
    do throws(ResolverError) {
      return try lookUp(host, flags: AI_ADDRCONFIG)
    } catch {
      let reason = unsafe String(cString: gai_strerror(error.code))
      throw LocationError(.unknownHost, systemError: .resolver(error.code), "\(host): \(reason)")
    }
  }

  /// Returns the address of a numeric `host`; `nil` if it is a name. Does not block.
  static func parse(_ host: String) -> [String]? { try? lookUp(host, flags: AI_NUMERICHOST) }

  private struct ResolverError: Error {
    var code: CInt
  }

  private static func lookUp(_ host: String, flags: CInt) throws(ResolverError) -> [String] {
    var hints = unsafe hints(flags: flags)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = unsafe getaddrinfo(host, nil, &hints, &list)
    guard code == 0 else { throw ResolverError(code: code) }
    defer { unsafe freeaddrinfo(list) }
    var addresses: [String] = []
    var next = unsafe list
    while let entry = unsafe next {
      if let text = unsafe text(entry.pointee), !addresses.contains(text) { addresses.append(text) }
      unsafe next = entry.pointee.ai_next
    }
    return addresses
  }

  /// Returns hints that request stream sockets.
  static func hints(flags: CInt) -> addrinfo {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
    unsafe hints.ai_flags = flags
    return unsafe hints
  }

  private static func text(_ info: addrinfo) -> String? {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { buffer in
      let code = unsafe getnameinfo(
        info.ai_addr, info.ai_addrlen, buffer.baseAddress, socklen_t(buffer.count), nil, 0,
        NI_NUMERICHOST)
      return code == 0 ? unsafe String(cString: buffer.baseAddress!) : nil
    }
  }
}

/// Determines why a connection failed. libgps up to 3.25 reports no reason, and later versions not
/// always: a second attempt on a plain socket yields the system's error.
enum ConnectFailure {
  /// Returns the errno of a connection to a numeric address; 0 if it succeeds this time, or takes
  /// longer than a second.
  static func reason(address: String, port: UInt16) -> CInt {
    var hints = unsafe NumericAddress.hints(flags: AI_NUMERICHOST)
    var list: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(address, String(port), &hints, &list) == 0, let info = unsafe list
    else { return 0 }
    defer { unsafe freeaddrinfo(list) }
    let descriptor = socket(unsafe info.pointee.ai_family, CInt(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return errno }
    defer { _ = close(descriptor) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    if unsafe Glibc.connect(descriptor, info.pointee.ai_addr, info.pointee.ai_addrlen) == 0 {
      return 0
    }
    guard errno == EINPROGRESS else { return errno }
    guard Readiness.isReady(descriptor, for: POLLOUT, within: 1000) else { return 0 }
    var reason: CInt = 0
    var length = socklen_t(MemoryLayout<CInt>.size)
    _ = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &reason, &length)
    return reason
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
