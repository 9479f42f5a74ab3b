import GPSDLocation
import Glibc
import LocationCore

/// Connects to a gpsd within a time limit, although gps_open() has none: a call that takes longer
/// is left to run out.
struct Connector: Sendable {
  static let longestPerAddress = Duration.seconds(3)
  static let longestInAll = Duration.seconds(10)

  /// Looks the addresses of a host up, or connects to one of them, until a deadline; `nil` where that
  /// passes, and when the task is cancelled.
  typealias Call<Value> = (GPSDEndpoint, _ limit: Moment) -> Result<Value, GPSDError>?

  private static let lookUps = BlockingCalls<Result<[String], GPSDError>>()
  private static let attempts = BlockingCalls<Result<GPSHandle, GPSDError>>()

  let clock: LocationClock

  /// Connects by calls that block.
  ///
  /// - Parameter wakeup: Ends a wait when the task is cancelled.
  func connect(to endpoint: GPSDEndpoint, wakeup: Wakeup) throws(GPSDError) -> GPSHandle {
    try connect(to: endpoint) { endpoint, limit in
      Self.lookUps.value(of: endpoint.host, until: limit, by: clock, wakeup: wakeup) {
        NumericAddress.resolve(endpoint.host, port: endpoint.port)
      }
    } attempt: { numeric, limit in
      Self.attempts.value(
        of: "\(numeric.host) \(numeric.port)", until: limit, by: clock, wakeup: wakeup
      ) {
        Result { () throws(GPSDError) in
          try GPSHandle(address: numeric.host, port: numeric.port)
        }
      }
    }
  }

  /// Connects to the first address that takes it.
  ///
  /// - Parameters:
  ///   - lookUp: Finds the addresses of a name.
  ///   - attempt: Connects to an address, which stands for the host.
  func connect<Handle>(
    to endpoint: GPSDEndpoint, lookUp: Call<[String]>, attempt: Call<Handle>
  ) throws(GPSDError) -> Handle {
    try endpoint.check()
    let deadline = clock.now.advanced(by: Self.longestInAll)
    var failure = GPSDError(.unknownHost, "\(endpoint.host): it has no address")
    for address in try addresses(of: endpoint, until: deadline, lookUp) {
      let numeric = GPSDEndpoint(host: address, port: endpoint.port)
      let opened = attempt(numeric, limit(before: deadline))
      if Task.isCancelled { throw Self.cancelled }
      switch opened {
      case .success(let handle): return handle
      case .failure(let error): failure = error.explained(for: endpoint)
      case nil: failure = Self.tooLate(endpoint)
      }
      if deadline <= clock.now { break }
    }
    throw failure
  }

  private func limit(before deadline: Moment) -> Moment {
    clock.now.advanced(by: Self.longestPerAddress).orEarlier(deadline)
  }

  private func addresses(
    of endpoint: GPSDEndpoint, until deadline: Moment, _ lookUp: Call<[String]>
  ) throws(GPSDError) -> [String] {
    if let numeric = NumericAddress.parse(endpoint.host, port: endpoint.port) { return numeric }
    let found = lookUp(endpoint, limit(before: deadline))
    if Task.isCancelled { throw Self.cancelled }
    guard let found else {
      throw GPSDError(.unknownHost, "\(endpoint.host): no name server answers")
    }
    return try found.get()
  }

  private static let cancelled = GPSDError(.cancelled, "cancelled while connecting")

  private static func tooLate(_ endpoint: GPSDEndpoint) -> GPSDError {
    GPSDError(
      .cannotConnect, number: ETIMEDOUT, "\(endpoint) does not answer: connection timed out")
  }
}

extension GPSDError {
  /// The same, in words that name what was to be reached.
  fileprivate func explained(for endpoint: GPSDEndpoint) -> GPSDError {
    let words = number == ECONNREFUSED ? "connection refused: no gpsd listens there" : detail
    return GPSDError(code, number: number, "\(endpoint): \(words)")
  }
}
