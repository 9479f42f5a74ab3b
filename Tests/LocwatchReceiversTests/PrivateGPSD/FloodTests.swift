import EventLoop
import Glibc
import LocationCore
import Synchronization
import Testing

@testable import LocwatchReceivers
@testable import LocwatchSystem

@Suite(.timeLimit(.minutes(5))) struct `A receiver on the network that sends without end` {
  private final class Flood: Sendable {
    let receivedCount = Mutex(0)
    /// The most bytes of one turn.
    let largestTurn = Mutex(0)
    let isOver = Mutex(false)
  }

  @Test func `has its share of each turn of the loop, so that it delays no report`() async throws {
    let loop = try #require(EventLoop.shared)
    let listener = try GPSDPort()
    let (host, port) = try Socket.listeningOnLoopback()
    let gpsd = try Socket(AF_INET)
    #expect(gpsd.connect(toLoopbackPort: listener.port))
    let flood = Flood()
    #expect(
      BlockingThread.start {
        guard let connection = try? host.accept()?.socket else { return }
        _ = fcntl(connection.descriptor, F_SETFL, 0)
        let bytes = [UInt8](repeating: 0x41, count: 1 << 16)
        while !flood.isOver.withLock(\.self),
          send(connection.descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL)) > 0
        {}
      })
    #expect(
      BlockingThread.start {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while recv(gpsd.descriptor, &bytes, bytes.count, 0) > 0 {}
      })
    let relaying = Task(executorPreference: loop) {
      let point = WaitPoint(on: loop)
      var relay = NetworkRelay(
        NetworkAddress(.tcp, host: "127.0.0.1", port: port), to: listener, clock: .live,
        lookUp: LookUp.atOnce(), isGPSD: { _, _ in true })
      while !Task.isCancelled {
        let before = relay.receivedCount
        let news = relay.turn()
        flood.largestTurn.withLock { $0 = max($0, relay.receivedCount - before) }
        flood.receivedCount.withLock { $0 = relay.receivedCount }
        if news == nil { _ = await point.wait(for: relay.sources) }
      }
    }
    // What has something to read at all times, and what the relay has read between its turns.
    var pipe: [CInt] = [-1, -1]
    try #require(Glibc.pipe(&pipe) == 0)
    #expect(write(pipe[1], "x", 1) == 1)
    let reading = pipe[0]
    let counts = await Task(executorPreference: loop) {
      let point = WaitPoint(on: loop, descriptor: reading)
      var counts = [flood.receivedCount.withLock(\.self)]
      while counts.last ?? 0 < 500 * NetworkRelay.share {
        _ = await point.wait()
        counts.append(flood.receivedCount.withLock(\.self))
      }
      return counts
    }.value
    flood.isOver.withLock { $0 = true }
    relaying.cancel()
    await relaying.value
    #expect(flood.largestTurn.withLock(\.self) == NetworkRelay.share)
    // Of the two waits that end in a turn of the loop, either may continue first.
    let most = zip(counts, counts.dropFirst()).map { $1 - $0 }.max()
    #expect([1, 2].contains { most == $0 * NetworkRelay.share })
    for end in pipe { close(end) }
  }
}
