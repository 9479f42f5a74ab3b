import DaemonHarness
import EventLoop
import GPSDLocation
import Glibc
import LocationCore
import Synchronization
import Testing

@testable import LibGPS

/// Faults 2 and 3, with calls that end when a test says so.
@Suite(.timeLimit(.minutes(3))) struct `A connector` {
  private let loop: EventLoop
  private let boat = GPSDEndpoint(host: "boat.example", port: 4711)

  init() throws { loop = try #require(EventLoop.shared) }

  @Test func `returns the connection that a call has made`() async throws {
    let calls = BlockedCalls(isBlocked: false)
    let handle = try await calls.connector().connect(to: boat, on: loop)
    #expect(calls.peer(of: 0, says: "hello"))
    #expect(received(by: handle) == "hello")
    #expect(calls.endpoints == [boat])
  }

  @Test func `passes on the error of a call`() async {
    let error = LocationError(.unreachable, "no")
    let connector = Connector { _ throws(LocationError) in throw error }
    #expect(await failure { try await connector.connect(to: boat, on: loop) } == error)
  }

  @Test func `gives up a call that takes too long, and then joins it`() async {
    let calls = BlockedCalls()
    let connector = calls.connector(limit: .zero)
    for _ in 0..<3 {
      #expect(
        await failure { try await connector.connect(to: boat, on: loop) }
          == LocationError(
            .unreachable, systemError: .errno(ETIMEDOUT),
            "boat.example:4711 does not answer: connection timed out"))
    }
    #expect(calls.threadCount == 1)
    calls.gate.open()
  }

  @Test func `returns the connection of a call that it has joined`() async throws {
    let calls = BlockedCalls()
    let connector = calls.connector()
    await leaveCall(of: connector, to: boat)
    // The loop runs its jobs in order: the call ends once the next task waits for it.
    let next = Task(executorPreference: loop) { try await connector.connect(to: boat, on: loop) }
    await Task(executorPreference: loop) { calls.gate.open() }.value
    let handle = try await next.value
    #expect(calls.peer(of: 0, says: "late"))
    #expect(received(by: handle) == "late")
    #expect(calls.endpoints == [boat])
  }

  @Test
  func `closes a connection for which no task waits, and does not join a call that has ended`()
    async throws
  {
    let calls = BlockedCalls()
    let connector = calls.connector()
    await leaveCall(of: connector, to: boat)
    calls.gate.open()
    try await waitUntil("end of the connection") { calls.isOver(0) }
    let handle = try await connector.connect(to: boat, on: loop)
    #expect(calls.peer(of: 1, says: "new"))
    #expect(received(by: handle) == "new")
    #expect(calls.endpoints == [boat, boat])
  }

  @Test func `closes a connection that is made while the task is cancelled`() async {
    let calls = BlockedCalls(isBlocked: false)
    let connector = calls.connector(runsAtOnce: true)
    let connecting = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await failure { try await connector.connect(to: boat, on: loop) }
    }
    #expect(await connecting.value == LocationError(.cancelled, "cancelled while connecting"))
    #expect(calls.isOver(0))
  }

  @Test func `returns a connection that has been made, even if the time is over`() async throws {
    let calls = BlockedCalls(isBlocked: false)
    let connector = calls.connector(limit: .zero, runsAtOnce: true)
    let handle = try await connector.connect(to: boat, on: loop)
    #expect(calls.peer(of: 0, says: "now"))
    #expect(received(by: handle) == "now")
  }

  /// Fault 138: `gps_open` can take minutes.
  @Test func `does not wait for calls to other hosts`() async throws {
    let calls = BlockedCalls()
    let connector = calls.connector(isBlocked: { $0 != boat })
    let others = (0..<100).map { GPSDEndpoint(host: "host\($0)") }
    let connecting = others.map { other in
      Task { await failure { try await connector.connect(to: other, on: loop) } }
    }
    _ = try await connector.connect(to: boat, on: loop)
    for task in connecting { task.cancel() }
    for task in connecting { #expect(await task.value?.code == .cancelled) }
    calls.gate.open()
  }

  @Test func `has two calls for two tasks that connect to one gpsd at the same time`() async throws
  {
    let calls = BlockedCalls()
    let connector = calls.connector()
    let first = (0..<2).map { _ in
      Task { await failure { try await connector.connect(to: boat, on: loop) } }
    }
    while calls.threadCount < 2 { await Task.yield() }
    for task in first { task.cancel() }
    for task in first { #expect(await task.value?.code == .cancelled) }
    let next = (0..<2).map { _ in
      Task(executorPreference: loop) { try await connector.connect(to: boat, on: loop) }
    }
    await Task(executorPreference: loop) { calls.gate.open() }.value
    for task in next { _ = try await task.value }
    #expect(calls.threadCount == 2)
  }

  /// Fault 54.
  @Test func `fails where no thread is left, and blocks nobody`() async throws {
    let isLeft = Atomic(false)
    let connector = Connector(
      startThread: { isLeft.load(ordering: .relaxed) && BlockingThread.start($0) }
    ) { _ throws(LocationError) in try GPSHandle(copying: 2) }
    #expect(
      await failure { try await connector.connect(to: boat, on: loop) }
        == LocationError(
          .unreachable, systemError: .errno(EAGAIN), "boat.example:4711: no thread is left"))
    isLeft.store(true, ordering: .relaxed)
    _ = try await connector.connect(to: boat, on: loop)
  }

  /// Starts a call, and cancels the task that waits for it.
  private func leaveCall(of connector: Connector, to endpoint: GPSDEndpoint) async {
    let connecting = Task { await failure { try await connector.connect(to: endpoint, on: loop) } }
    // A task that is cancelled before it waits starts its call, too.
    connecting.cancel()
    #expect(
      await connecting.value == LocationError(.cancelled, "cancelled while connecting"))
  }

  private func received(by handle: GPSHandle) -> String {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = recv(handle.descriptor, &bytes, bytes.count, CInt(MSG_DONTWAIT))
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }
}

/// Calls of a connector that block, as `gps_open` does, until a gate is open, and then connect.
private final class BlockedCalls: Sendable {
  private struct State {
    var threadCount = 0
    var endpoints: [GPSDEndpoint] = []
    var peers: [CInt] = []
  }

  let gate = Gate()
  private let state = Mutex(State())
  private let isBlocked: Bool

  init(isBlocked: Bool = true) { self.isBlocked = isBlocked }

  deinit { for peer in state.withLock(\.peers) { close(peer) } }

  /// How many threads were started.
  var threadCount: Int { state.withLock(\.threadCount) }

  /// The gpsds of all calls, in their order.
  var endpoints: [GPSDEndpoint] { state.withLock(\.endpoints) }

  /// - Parameter runsAtOnce: Whether a call ends before its task waits.
  func connector(
    limit: Duration = .seconds(60), runsAtOnce: Bool = false,
    isBlocked: @escaping @Sendable (GPSDEndpoint) -> Bool = { _ in true }
  ) -> Connector {
    Connector(
      limit: limit,
      startThread: { body in
        self.state.withLock { $0.threadCount += 1 }
        guard runsAtOnce else { return BlockingThread.start(body) }
        body()
        return true
      },
      open: { endpoint throws(LocationError) in
        self.state.withLock { $0.endpoints.append(endpoint) }
        if self.isBlocked, isBlocked(endpoint) { while !self.gate.isOpen { usleep(1000) } }
        var ends: [CInt] = [-1, -1]
        socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends)
        self.state.withLock { $0.peers.append(ends[1]) }
        return GPSHandle(descriptor: ends[0])
      })
  }

  /// Sends a text to one of the connections, in the order in which they were made.
  func peer(of number: Int, says text: String) -> Bool {
    let peer = state.withLock { $0.peers[number] }
    return send(peer, text, text.utf8.count, CInt(MSG_NOSIGNAL)) == text.utf8.count
  }

  /// Whether one of the connections has been closed.
  func isOver(_ number: Int) -> Bool {
    let peer = state.withLock { $0.peers.count > number ? $0.peers[number] : -1 }
    var byte: UInt8 = 0
    return recv(peer, &byte, 1, CInt(MSG_DONTWAIT)) == 0
  }
}
