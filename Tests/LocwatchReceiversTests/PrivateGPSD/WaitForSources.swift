import EventLoop
import GPSDLocation
import Glibc
import LocationCore

@testable import LocwatchSystem

extension [WaitSource] {
  /// Waits as a loop would, and returns whether one of them is ready.
  func areReady(within milliseconds: CInt = 0) -> Bool {
    var requests = map { source in
      let events: CInt =
        switch source.interest {
        case .reading: POLLIN
        case .writing: POLLOUT
        case .hangUp: 0
        case .readingAndWriting: POLLIN | POLLOUT
        case .end: 0x2000
        }
      return pollfd(fd: source.descriptor, events: Int16(events), revents: 0)
    }
    return poll(&requests, nfds_t(requests.count), milliseconds) > 0
  }
}

extension LookUp {
  /// Returns what looks up a host before it returns.
  static func atOnce(
    _ resolve: @escaping (NetworkAddress) throws(GPSDError) -> [HostAddress] = HostAddress.resolve
  ) -> Start {
    { address in LookUp(Result { () throws(GPSDError) in try resolve(address) }) }
  }
}

/// A session whose reads wait until they are cancelled, unless there is something to return.
struct WaitingSession: GPSDSession {
  let value: @Sendable (_ deadline: Moment?) -> TimedRead<GPSDLines>?

  func open(_ endpoint: GPSDEndpoint) async throws(GPSDError) {}
  func send(_ command: GPSDCommand) async throws(GPSDError) {}

  func read(until deadline: Moment?) async throws(GPSDError) -> TimedRead<GPSDLines> {
    if let value = value(deadline) { return value }
    try? await Task.sleep(for: .seconds(1000))
    return .ended
  }

  func close() async {}
}
