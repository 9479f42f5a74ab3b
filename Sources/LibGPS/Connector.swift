import GPSDLocation
import Glibc
import LocationCore

/// Connects to a gpsd within a time limit, although gps_open() has none: a call that takes longer
/// is left to run out.
struct Connector: Sendable {
  static let longestPerAddress = Duration.seconds(3)
  static let longestInAll = Duration.seconds(10)

  private static let lookUps = BlockingCalls<Result<[String], GPSDError>>()
  private static let attempts = BlockingCalls<Result<GPSHandle, GPSDError>>()

  let clock: LocationClock
  /// Ends a wait when the task is cancelled.
  let wakeup: Wakeup

  func connect(to endpoint: GPSDEndpoint) throws(GPSDError) -> GPSHandle {
    try endpoint.check()
    let deadline = clock.now.advanced(by: Self.longestInAll)
    var failure = GPSDError(.unknownHost, "\(endpoint.host): it has no address")
    for address in try addresses(of: endpoint, until: deadline) {
      let limit = clock.now.advanced(by: Self.longestPerAddress).orEarlier(deadline)
      let port = endpoint.port
      let opened = Self.attempts.value(
        of: "\(address) \(port)", until: limit, by: clock, wakeup: wakeup
      ) {
        Result { () throws(GPSDError) in try GPSHandle(address: address, port: port) }
      }
      if Task.isCancelled { throw Self.cancelled }
      switch opened {
      case .success(let handle): return handle
      case .failure(let error): failure = error.explained(for: endpoint)
      case nil: failure = Self.tooLate(endpoint)
      }
    }
    throw failure
  }

  private func addresses(
    of endpoint: GPSDEndpoint, until deadline: Moment
  ) throws(GPSDError) -> [String] {
    if let numeric = NumericAddress.parse(endpoint.host, port: endpoint.port) { return numeric }
    let limit = clock.now.advanced(by: Self.longestPerAddress).orEarlier(deadline)
    let found = Self.lookUps.value(of: endpoint.host, until: limit, by: clock, wakeup: wakeup) {
      NumericAddress.resolve(endpoint.host, port: endpoint.port)
    }
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
