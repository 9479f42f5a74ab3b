import EventLoop
import Glibc
import LocationCore
import LocationTestKit
import LocwatchTestSupport
import Testing

@testable import LocwatchReceivers
@testable import LocwatchSystem

/// A relay to which two ports of one host send. Fault 119.
@Suite(.timeLimit(.minutes(5))) struct `Datagrams of one host` {
  private final class Scene {
    private let clock = ManualClock()
    private var relay: NetworkRelay
    private let relayAddress: HostAddress
    private let sockets: [Socket]
    let addresses: [HostAddress]

    init() throws {
      let any = try HostAddress.resolve(NetworkAddress(.udp, host: "127.0.0.1", port: 0))
      let (listener, _) = try Socket.listeningLocally()
      var relay = NetworkRelay(
        NetworkAddress(.udp, host: "h", port: 1), to: GPSDPort(at: listener, port: 0),
        clock: clock.locationClock, lookUp: LookUp.atOnce { _ in any }, isGPSD: { _, _ in true })
      #expect(relay.turn() == nil)
      let descriptor = try #require(relay.sources.last).descriptor
      relayAddress = try #require(HostAddress { getsockname(descriptor, $0, &$1) == 0 ? () : nil })
      self.relay = relay
      sockets = try (0..<2).map { _ in try Socket(AF_INET, SOCK_DGRAM) }
      addresses = try sockets.map { try $0.bindToFreePort() }
    }

    /// How often the receiver has come, and how many of its bytes are passed on.
    var counts: [Int] { [relay.arrivals, relay.receivedCount] }

    /// Sends a byte from a port at a second. Returns what the relay says.
    func send(from port: Int, at second: Double) -> [NetworkRelay.News] {
      clock.jump(by: .seconds(second) - clock.elapsed)
      var news = [relay.turn()]
      let count = relayAddress.withSocketAddress {
        sendto(sockets[port].descriptor, [0x24], 1, 0, $0, $1)
      }
      #expect(count == 1 && relay.sources.areReady(within: 20_000))
      news.append(relay.turn())
      return news.compactMap(\.self)
    }

    /// That the datagrams of a port are ignored.
    func ignored(_ port: Int) -> NetworkRelay.News {
      .ignored(addresses[port], for: addresses[1 - port])
    }
  }

  @Test func `are read from another port after 3 s without the first one`() throws {
    let scene = try Scene()
    #expect(scene.send(from: 0, at: 0) == [.connected])
    #expect(scene.send(from: 0, at: 1) == [])
    #expect(scene.send(from: 1, at: 2) == [])
    #expect(scene.send(from: 1, at: 3.999) == [])
    #expect(scene.counts == [1, 2])
    #expect(scene.send(from: 1, at: 4) == [])
    #expect(scene.send(from: 1, at: 5) == [])
    #expect(scene.counts == [1, 4])
    // The first port is that of another receiver after all, and comes too late.
    #expect(scene.send(from: 0, at: 10) == [scene.ignored(0)])
    #expect(scene.send(from: 1, at: 10.5) == [])
    #expect(scene.counts == [1, 5])
  }

  @Test func `are read from one port if both send`() throws {
    let scene = try Scene()
    #expect(scene.send(from: 0, at: 0) == [.connected])
    #expect(scene.send(from: 1, at: 1) == [])
    #expect(scene.send(from: 0, at: 10) == [])
    #expect(scene.send(from: 1, at: 11) == [scene.ignored(1)])
    // Also while the first one is silent.
    #expect(scene.send(from: 1, at: 39.999) == [])
    #expect(scene.counts == [1, 2])
    #expect(scene.send(from: 1, at: 40) == [.failed("silent for 30 s"), .connected])
    // What was known of the two is forgotten.
    #expect(scene.send(from: 0, at: 43) == [])
    #expect(scene.counts == [2, 4])
  }
}
