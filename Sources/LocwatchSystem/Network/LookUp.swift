import Glibc
package import LocationCore
import Synchronization

/// The addresses of a host, which become known while its caller does something else.
package final class LookUp: Sendable {
  package typealias Outcome = Result<[HostAddress], LocationError>
  /// Begins to look up the addresses of a host.
  package typealias Start = (NetworkAddress) -> LookUp

  private let state: Mutex<Outcome?>

  /// - Parameter outcome: `nil` while it is unknown.
  package init(_ outcome: Outcome? = nil) { state = Mutex(outcome) }

  /// `nil` while it is unknown.
  package var outcome: Outcome? { state.withLock(\.self) }

  fileprivate func finish(_ outcome: Outcome) { state.withLock { $0 = outcome } }
}

/// Looks up the addresses of hosts. A name server may take a minute to answer, or never answer, so a few separate
/// threads wait for it. They end when there is nothing left to look up.
package final class Resolver: Sendable {
  private struct Request {
    package let address: NetworkAddress
    let lookUp: LookUp
    let done: @Sendable () -> Void
  }

  private struct State {
    var requests: [Request] = []
    var threads = 0
  }

  package static let shared = Resolver()
  /// The number of names that are looked up at the same time. A name that is not there can take a minute, so as many
  /// may be missing before the others wait for them.
  private static let maximumThreads = 64

  private let resolve: @Sendable (NetworkAddress) -> LookUp.Outcome
  private let state = Mutex(State())

  /// - Parameter resolve: Returns the addresses of a host. Blocks until they are known.
  package init(
    resolve: @escaping @Sendable (NetworkAddress) -> LookUp.Outcome = { address in
      Result { () throws(LocationError) in try HostAddress.resolve(address) }
    }
  ) {
    self.resolve = resolve
  }

  /// Begins to look up a host. What is no name is known at once.
  ///
  /// - Parameter done: Called on another thread when the outcome is known.
  package func lookUp(
    _ address: NetworkAddress, done: @escaping @Sendable () -> Void
  ) -> LookUp {
    if let known = HostAddress.known(of: address) { return LookUp(.success(known)) }
    let lookUp = LookUp()
    let needsThread = state.withLock { state in
      state.requests.append(Request(address: address, lookUp: lookUp, done: done))
      guard state.threads < Self.maximumThreads else { return false }
      state.threads += 1
      return true
    }
    if needsThread, !BlockingThread.start({ [self] in work() }) {
      state.withLock { state in
        state.threads -= 1
        state.requests.removeAll { $0.lookUp === lookUp }
      }
      lookUp.finish(
        .failure(LocationError(.unreachable, systemError: .errno(EAGAIN), "no thread is left")))
    }
    return lookUp
  }

  private func work() {
    while let request = takeRequest() {
      request.lookUp.finish(resolve(request.address))
      request.done()
    }
  }

  private func takeRequest() -> Request? {
    state.withLock { state in
      guard !state.requests.isEmpty else {
        state.threads -= 1
        return nil
      }
      return state.requests.removeFirst()
    }
  }
}
