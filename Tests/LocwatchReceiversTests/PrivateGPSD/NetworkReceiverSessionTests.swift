import EventLoop
import GPSDLocation
import GPSDTestKit
import Glibc
import LocationCore
import Synchronization
import TestSupport
import Testing
import VirtualTimeTesting

@testable import LocwatchReceivers
@testable import LocwatchSystem

/// A receiver on the network and a private gpsd whose program is another one.
/// Fault 119.
@Suite(.timeLimit(.minutes(5))) struct `A session with a receiver on the network` {
  private let folder: TemporaryFolder
  /// A file, which a thread may write to that has not seen the end of its test.
  private let messages: TemporaryFile
  /// The receiver's host.
  private let host: Socket
  private let port: UInt16
  private let clock = ManualClock()

  init() throws {
    folder = try TemporaryFolder()
    messages = try TemporaryFile()
    (host, port) = try Socket.listeningOnLoopback()
    // It says with what it was started, and reads the receiver as gpsd does, which it asks something.
    try folder.write(
      """
      #!/bin/bash
      echo "$*" >>'\(folder.path)/started'
      for word; do
        [[ $word != tcp:* ]] || break
      done
      [[ $word == tcp:* ]] || exec sleep 1000
      # The socket keeps the number that it gets, as gpsd's does: 3 and 4 are taken.
      exec 5<>/dev/tcp/127.0.0.1/${word##*:}
      printf '$Q' >&5
      exec cat <&5 >'\(folder.path)/got'

      """, to: "gpsd", mode: 0o755)
  }

  private var name: String { "tcp://127.0.0.1:\(port)" }

  private func receiver(
    isRetried: Bool = true, corrections: CorrectionsLink? = nil
  ) throws -> NetworkReceiver {
    try NetworkReceiver(
      NetworkAddress(.tcp, host: "127.0.0.1", port: port),
      environment: ["PATH": folder.path + ":/usr/bin:/bin"], isRetried: isRetried,
      corrections: corrections, on: try #require(EventLoop.shared), clock: clock.locationClock,
      log: Log(
        isVerbose: true, isQuiet: false, to: try Descriptor(appendingTo: FilePath(messages.path))))
  }

  private func session(
    with receiver: NetworkReceiver, by clock: LocationClock = .live,
    _ didOpen: @escaping PolledSession.Opening = { _ in }
  ) throws -> NetworkReceiverSession {
    NetworkReceiverSession(try PolledSession(didOpen), receiver: receiver, clock: clock)
  }

  /// Whether the other end has closed a connection.
  private static func isOver(_ connection: Socket) -> Bool { connection.takeArrived() == nil }

  @Test func `gives gpsd what the receiver sends, until it is stopped`() async throws {
    let receiver = try receiver()
    receiver.start()
    let connection = try #require(try host.accept()).socket
    _ = fcntl(connection.descriptor, F_SETFL, O_NONBLOCK)
    #expect(connection.send("$A\r\n"))
    try await session(with: receiver).open(GPSDEndpoint())
    #expect(await comes { folder.text(of: "got") == "$A\r\n" })
    let started = try #require(folder.text(of: "started"))
    #expect(started.hasPrefix("-N -n -b tcp://127.0.0.1:") && started.hasSuffix("\n"))
    // What gpsd asks is not for this receiver.
    #expect(connection.takeArrived() == [])
    receiver.stop()
    #expect(await comes { Self.isOver(connection) })
    #expect(messages.text == "locwatch: \(name) is there\n")
    #expect(try receiver.daemon.wake() == nil)
  }

  @Test func `gives gpsd what a receiver sent that hung up before gpsd was there`() async throws {
    let receiver = try receiver(isRetried: false)
    receiver.start()
    do {
      let connection = try #require(try host.accept()).socket
      #expect(connection.send("$A\r\n"))
    }
    let session = try session(with: receiver)
    try await session.open(GPSDEndpoint())
    #expect(await comes { folder.text(of: "got") == "$A\r\n" })
    #expect(try session.text() == nil)
    // gpsd has a second to report it.
    clock.jump(by: .seconds(1))
    let reason = "cannot reach \(name) (closed by the receiver); --reconnect waits for it"
    #expect(await comes { receiver.link.failure != nil })
    #expect(await detail { _ = try session.text() } == reason)
    receiver.stop()
  }

  @Test func `starts gpsd without a receiver that is away`() async throws {
    let receiver = try receiver()
    receiver.handle(.failed("Connection refused"), arrivals: 0)
    try await session(with: receiver).open(GPSDEndpoint())
    #expect(await comes { folder.text(of: "started") == "-N -n -b\n" })
    receiver.stop()
  }

  @Test func `has gpsd write to a receiver that gets corrections`() async throws {
    let link = try CorrectionsLink(
      CasterAddress(host: "127.0.0.1", port: port, mount: "NEAR"), as: { _ in "" },
      environment: Environment(), on: try #require(EventLoop.shared),
      log: Log(isVerbose: false, isQuiet: false))
    let receiver = try receiver(corrections: link)
    let path = receiver.daemon.receiver.path
    receiver.start()
    let connection = try #require(try host.accept()).socket
    _ = fcntl(connection.descriptor, F_SETFL, O_NONBLOCK)
    try await session(with: receiver).open(GPSDEndpoint())
    #expect(await comes { folder.text(of: "started") == "-N -n \(path) \(link.path)\n" })
    var asked: [UInt8] = []
    #expect(
      await comes {
        asked += connection.takeArrived() ?? []
        return asked == Array("$Q".utf8)
      })
    receiver.stop()
  }

  @Test func `says once why the receiver is away, and that it is there`() throws {
    let receiver = try receiver()
    func node() -> DeviceNode? { receiver.daemon.receiver.node() }
    for reason in ["refused", "refused", "reset"] { receiver.handle(.failed(reason), arrivals: 0) }
    #expect(node() == nil)
    receiver.handle(.connected, arrivals: 1)
    #expect(node() == DeviceNode(number: 1))
    receiver.handle(.failed("reset"), arrivals: 1)
    #expect(node() == nil)
    receiver.stop()
    receiver.handle(.failed("closed"), arrivals: 1)
    let lines = ["is away: refused", "is away: reset", "is there", "is away: reset"]
    #expect(messages.text == lines.map { "locwatch: \(name) \($0)\n" }.joined())
  }

  @Test func `reports whose datagrams are ignored`() async throws {
    let receiver = try receiver()
    let addresses = try ["127.0.0.1", "::1"].map { host in
      try HostAddress.resolve(NetworkAddress(.udp, host: host, port: 9))[0]
    }
    receiver.handle(.ignored(addresses[1], for: addresses[0]), arrivals: 1)
    #expect(
      messages.text
        == "locwatch: \(name) gets datagrams of 127.0.0.1:9, and ignores those of [::1]:9: two receivers "
        + "need two ports\n")
    receiver.stop()
  }

  @Test func `fails if the receiver is away and is not tried again`() async throws {
    let receiver = try receiver(isRetried: false)
    receiver.handle(.failed("Connection refused"), arrivals: 0)
    let session = try session(with: receiver)
    let reason = "cannot reach \(name) (Connection refused); --reconnect waits for it"
    #expect(await detail { try await session.open(GPSDEndpoint()) } == reason)
    #expect(await detail { _ = try await session.read() } == reason)
    #expect(messages.text == "")
    receiver.handle(.connected, arrivals: 1)
    #expect(await detail { try await session.open(GPSDEndpoint()) } == nil)
    receiver.stop()
  }

  @Test(.virtualTime(waitsForOutside: true))
  func `waits a second for a receiver that does not answer`() async throws {
    let receiver = try receiver()
    let opened = Mutex<[Moment]>([])
    let clock = clock.locationClock
    let start = clock.now
    let session = try session(with: receiver, by: clock) { _ in
      opened.withLock { $0.append(clock.now) }
    }
    try await self.clock.whileAdvancing { try await session.open(GPSDEndpoint()) }
    #expect(opened.withLock(\.self) == [start.advanced(by: .seconds(1))])
    receiver.stop()
  }

  @Test(.virtualTime(waitsForOutside: true))
  func `waits for the first attempt if it is the only one`() async throws {
    let receiver = try receiver(isRetried: false)
    let session = try session(with: receiver, by: clock.locationClock)
    let opening = Task { try await session.open(GPSDEndpoint()) }
    for _ in 0..<30 {
      await clock.settle()
      clock.jump(by: .milliseconds(100))
    }
    #expect(folder.text(of: "started") == nil)
    receiver.handle(.connected, arrivals: 1)
    try await clock.whileAdvancing { try await opening.value }
    #expect(await comes { folder.text(of: "started")?.hasPrefix("-N -n -b tcp://") == true })
    receiver.stop()
  }

  @Test func `gives the receiver its name, and waits on while it is tried again`() async throws {
    let receiver = try receiver()
    let base = try PolledSession()
    let session = NetworkReceiverSession(base, receiver: receiver, clock: clock.locationClock)
    #expect(try session.text() == nil)
    let wait = session.wait()
    #expect(wait.arrival === base.point && wait.deadline == nil)
    let listener = Listener(at: LocationClock.live.semaphore)
    wait.arrival?.tell(listener, as: 0)
    receiver.handle(.failed("closed by the receiver"), arrivals: 1)
    #expect(!listener.hasHeard)
    base.bring(#"{"class":"TPV","device":"\#(receiver.daemon.receiver.path)"}"#)
    #expect(listener.hasHeard)
    #expect(try session.text() == #"{"class":"TPV","device":"\#(name)"}"# + "\r\n")
    #expect(try session.text() == nil && session.wait().arrival === base.point)
    receiver.stop()
  }

  @Test func `ends a wait when the receiver goes away`() async throws {
    let receiver = try receiver(isRetried: false)
    let base = try PolledSession()
    let session = NetworkReceiverSession(base, receiver: receiver, clock: clock.locationClock)
    let reading = Task { await detail { _ = try await session.read() } }
    #expect(await comes { base.waitCount > 0 })
    receiver.handle(.failed("closed by the receiver"), arrivals: 1)
    let reason = "cannot reach \(name) (closed by the receiver); --reconnect waits for it"
    #expect(await reading.value == reason)
    // Lines that are there are not returned, either.
    base.bring("{}")
    #expect(await detail { _ = try session.text() } == reason)
    #expect(session.wait().deadline == .past)
    receiver.handle(.connected, arrivals: 2)
    #expect(try session.text() == "{}\r\n")
    #expect(try session.text() == nil && session.wait().arrival === base.point)
    receiver.stop()
  }

  @Test func `passes on the error of gpsd's connection, after the last lines`() async throws {
    let receiver = try receiver()
    let base = try PolledSession()
    let session = NetworkReceiverSession(base, receiver: receiver, clock: clock.locationClock)
    base.bring("{}")
    base.fail(with: LocationError(.disconnected, "closed by gpsd"))
    #expect(try session.text() == "{}\r\n")
    #expect(await detail { _ = try session.text() } == "closed by gpsd")
    receiver.stop()
  }
}
