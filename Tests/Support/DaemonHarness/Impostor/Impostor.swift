import Glibc
package import SimulatedReceiver
import Synchronization

/// A server on a loopback port that plays a script to its clients, whatever gpsd would do.
///
/// ```swift
/// let impostor = try Impostor([.send(banner), .expect("?WATCH"), .send(fix), .reset])
/// ```
package final class Impostor: Sendable {
  package let port: Int
  private let state = Mutex(State())

  private struct State {
    var clients: [ImpostorClient] = []
    var isClosed = false
  }

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - scripts: What happens to each client, in the order in which they come; the last script is
  ///     for all further ones, too. A script that ends hangs up.
  ///   - port: 0 for one that the system chooses.
  package convenience init(_ scripts: [ImpostorStep]..., port: Int = 0) throws(SystemError) {
    let scripts = scripts.isEmpty ? [[.hold]] : scripts
    try self.init(port: port) { scripts[min($0, scripts.count - 1)] }
  }

  /// Starts to listen.
  ///
  /// - Parameter script: Gives what happens to the client of this number, counted from 0.
  package init(
    port: Int = 0, script: @escaping @Sendable (Int) -> [ImpostorStep]
  ) throws(SystemError) {
    let listener = try LoopbackSocket(isBlocking: false)
    try listener.listen(port: port)
    self.port = listener.localPort
    // Only the thread holds the listener: when it ends, connections are refused.
    BackgroundThread.start { [weak self, listener] in
      while let isClosed = self?.isClosed, !isClosed {
        var request = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, 10) > 0 else { continue }
        let descriptor = accept(listener.descriptor, nil, nil)
        guard descriptor >= 0 else { continue }
        self?.serve(descriptor, script)
      }
    }
  }

  deinit { for client in clients { client.close() } }

  /// All clients that came, gone ones included, in the order in which they came.
  package var clients: [ImpostorClient] { state.withLock(\.clients) }

  /// Waits for the client of this number, counted from 0.
  package func client(
    _ index: Int = 0, timeout: Duration = .seconds(30)
  ) async throws -> ImpostorClient {
    try await waitFor("client \(index)", timeout: timeout) {
      let clients = self.clients
      return index < clients.count ? clients[index] : nil
    }
  }

  /// Hangs up on all clients, and refuses others within a few milliseconds.
  package func close() {
    state.withLock { $0.isClosed = true }
    for client in clients { client.close() }
  }

  private var isClosed: Bool { state.withLock(\.isClosed) }

  private func serve(_ descriptor: CInt, _ script: (Int) -> [ImpostorStep]) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    let client = ImpostorClient()
    let index = state.withLock { state in
      state.clients.append(client)
      return state.clients.count - 1
    }
    let script = script(index)
    BackgroundThread.start {
      ImpostorConnection(OwnedDescriptor(owning: descriptor), client).play(script)
    }
  }
}
