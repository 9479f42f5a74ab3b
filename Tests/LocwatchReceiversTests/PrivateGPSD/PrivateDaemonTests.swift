import Foundation
import GPSDLocation
import GPSDTestKit
import Glibc
import LocationCore
import Synchronization
import TestSupport
import Testing

@testable import LocwatchReceivers
@testable import LocwatchSystem

/// A private gpsd whose program is another one, and a session with it that is scripted.
@Suite struct `A private gpsd's session` {
  private static let reset = LocationError(
    .disconnected, systemError: .errno(ECONNRESET), "Connection reset by peer")
  private static let version = #"{"class":"VERSION","release":"3.22"}"#

  /// A folder with a program gpsd, which ends at once.
  private final class Programs {
    let path = NSTemporaryDirectory() + "locwatch-\(UUID())"

    init() throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      try FileManager.default.createSymbolicLink(
        atPath: path + "/gpsd", withDestinationPath: "/bin/false")
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  private let programs: Programs
  private let daemon: PrivateDaemon

  init() throws {
    programs = try Programs()
    daemon = try PrivateDaemon(
      for: PrivateDaemon.Receiver(path: "/dev/ttyNONE", options: ["-b"]),
      environment: ["PATH": programs.path + ":/usr/bin:/bin"])
  }

  private var notStarted: String {
    "gpsd does not start: try '\(programs.path)/gpsd -N -n -D 1 /dev/ttyNONE'"
  }

  /// A session that has lines, and then the error of a connection that was reset.
  private func session(
    reading lines: [String] = [], open: @escaping PolledSession.Opening = { _ in }
  ) throws -> PrivateDaemonSession {
    let base = try PolledSession(open)
    for line in lines { base.bring(line) }
    base.fail(with: Self.reset)
    return PrivateDaemonSession(base, daemon: daemon, clock: .live)
  }

  /// As of a target that is removed while its session waits for something.
  @Test func `starts no gpsd after it was stopped`() async throws {
    daemon.stop()
    let session = try session { _ in Issue.record("it was opened") }
    let text = await detail { try await session.open(GPSDEndpoint()) }
    #expect(text == "cannot start gpsd: it was stopped")
  }

  @Test func `says that gpsd does not start if gpsd has sent nothing`() async throws {
    let session = try session()
    try await session.open(GPSDEndpoint())
    #expect(await detail { _ = try await session.read() } == notStarted)
    #expect(await detail { try session.send(.watch) } == notStarted)
    daemon.stop()
  }

  @Test func `says why the connection ended if gpsd has sent its greeting`() async throws {
    let session = try session(reading: [Self.version])
    try await session.open(GPSDEndpoint())
    #expect(await detail { _ = try await session.read() } == nil)
    #expect(await detail { _ = try await session.read() } == Self.reset.detail)
    #expect(await detail { try session.send(.watch) } == Self.reset.detail)
    daemon.stop()
  }

  @Test func `says that the system cannot start gpsd`() async throws {
    let daemon = try PrivateDaemon(
      for: PrivateDaemon.Receiver(path: String(repeating: "x", count: 1 << 18), options: []),
      environment: ["PATH": programs.path + ":/usr/bin:/bin"])
    #expect(
      await detail { _ = try await daemon.restart(by: .live) }
        == "cannot start gpsd: Argument list too long")
  }

  @Test func `says that gpsd does not start if no connection is made`() async throws {
    let session = try session(open: { _ throws(LocationError) in throw Self.reset })
    #expect(await detail { try await session.open(GPSDEndpoint()) } == notStarted)
    daemon.stop()
  }

  @Test func `forgets at a restart what the gpsd before has sent`() async throws {
    let session = try session(reading: [Self.version])
    try await session.open(GPSDEndpoint())
    _ = try await session.read()
    try await session.open(GPSDEndpoint())
    #expect(await detail { _ = try await session.read() } == notStarted)
    daemon.stop()
  }

  @Test func `has no other error if it is cancelled`() async throws {
    _ = try await daemon.restart(by: .live)
    let error = LocationError(.cancelled, "cancelled while connecting")
    #expect(daemon.reason(of: error).detail == error.detail)
    daemon.stop()
  }

  @Test(.timeLimit(.minutes(5)))
  func `starts gpsd with its sockets, a key of its own, and the receiver's options`() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(
      """
      #!/bin/sh
      echo "$*, $LISTEN_FDS $((LISTEN_PID - $$)) $GPSD_SHM_KEY" > '\(folder.path)/new'
      mv '\(folder.path)/new' '\(folder.path)/said'
      echo 'no such receiver' >&2

      """, to: "gpsd", mode: 0o755)
    let environment: Environment = ["PATH": "/nowhere:\(folder.path):/usr/bin:/bin"]
    let receiver = PrivateDaemon.Receiver(path: "/dev/ttyNONE", options: ["-b", "-s"])
    var keys: [Int] = []
    for _ in 0..<2 {
      let daemon = try PrivateDaemon(for: receiver, environment: environment)
      _ = try await daemon.restart(by: .live)
      while folder.text(of: "said") == nil, !Task.isCancelled { await Task.yield() }
      let words = try #require(folder.text(of: "said")).split(separator: " ")
      #expect(words.dropLast() == ["-N", "-n", "-b", "-s", "/dev/ttyNONE,", "2", "0"])
      keys.append(try #require(words.last.flatMap { Int($0.dropLast()) }))
      unlink("\(folder.path)/said")
      daemon.stop()
    }
    #expect(keys.map { $0 & 0xffff } == [Int(getpid()) & 0xffff, Int(getpid()) & 0xffff])
    #expect(keys.allSatisfy { $0 >> 24 == 0x4c } && keys[0] < keys[1])
  }

  @Test func `says who its peers are only after it has been started`() async throws {
    let asked = Mutex<PrivateDaemon?>(nil)
    let isAnswered = Mutex(false)
    let wasAnsweredBefore = Mutex<Bool?>(nil)
    let receiver = PrivateDaemon.Receiver(path: "/dev/ttyNONE") {
      let isAsked = BlockingThread.start {
        _ = asked.withLock(\.self)?.isPeer(SocketAddress(port: 1), connectedTo: 2)
        isAnswered.withLock { $0 = true }
      }
      // Without a gpsd, the answer would come at once.
      for _ in 0..<100 where isAsked && !isAnswered.withLock(\.self) { usleep(1000) }
      wasAnsweredBefore.withLock { $0 = isAnswered.withLock(\.self) }
      return nil
    }
    let daemon = try PrivateDaemon(
      for: receiver, environment: ["PATH": programs.path + ":/usr/bin:/bin"])
    asked.withLock { $0 = daemon }
    _ = try await daemon.restart(by: .live)
    #expect(wasAnsweredBefore.withLock(\.self) == false)
    #expect(await comes { isAnswered.withLock(\.self) })
    asked.withLock { $0 = nil }
    daemon.stop()
  }

  @Test func `removes a receiver that is gone once only its own reports have ended`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("#!/bin/sh\nexec sleep 1000\n", to: "gpsd", mode: 0o755)
    let node = Mutex(DeviceNode?(DeviceNode(number: 1)))
    let daemon = try PrivateDaemon(
      for: PrivateDaemon.Receiver(path: "/dev/ttyNONE", node: { node.withLock(\.self) }),
      environment: ["PATH": folder.path + ":/usr/bin:/bin"])
    func handle(_ kind: String, at seconds: Double?) {
      let received = seconds.map { Moment(uptime: .milliseconds(Int64($0 * 1000))) }
      let line = #"{"class":"\#(kind)","device":"/dev/ttyNONE"}"# + "\r\n"
      daemon.handle(GPSDLines(bytes: Array(line.utf8)[...], received: received))
    }
    func deadline() throws -> Double? {
      try daemon.wake().map { $0.uptime / .seconds(1) }
    }
    _ = try await daemon.restart(by: ManualClock().locationClock)
    handle("TPV", at: 1)
    #expect(try deadline() == 3)
    handle("SKY", at: 1.5)
    #expect(try deadline() == 3.5)
    handle("VERSION", at: 2)
    handle("TPV", at: nil)
    #expect(try deadline() == 3.5)
    node.withLock { $0 = nil }
    daemon.keepReceiver(at: Moment(uptime: .seconds(3)))
    #expect(try deadline() == 3.5)
    // The command is sent, and its answer looked for.
    for milliseconds in [3500, 3550, 3600] as [Int64] {
      daemon.keepReceiver(at: Moment(uptime: .milliseconds(milliseconds)))
      #expect(try deadline() == Double(milliseconds + 50) / 1000)
    }
    daemon.stop()
    #expect(try daemon.wake() == nil)
  }

  @Test(arguments: [("gpsd", 0o755, true), ("gpsd", 0o644, false), ("gpsd/x", 0o755, false)])
  func `is the first program of that name that can be run`(
    name: String, mode: Int, isFound: Bool
  ) throws {
    let folder = try TemporaryFolder()
    if name.contains("/") { try folder.makeFolder("gpsd") }
    try folder.write("", to: name, mode: mode_t(mode))
    let found = try GPSDProgram.find(["PATH": "\(folder.path):\(programs.path)"])
    #expect(found == (isFound ? folder.path : programs.path) + "/gpsd")
  }

  @Test func `uses the connection to the gpsd that was started, each time another`() async throws {
    let copies = Mutex<[Socket]>([])
    let session = try session(open: { endpoint in
      guard let connection = endpoint.connection else { return }
      copies.withLock { $0.append(Socket(taking: dup(connection))) }
    })
    try await session.open(GPSDEndpoint())
    try await session.open(GPSDEndpoint())
    let ports = copies.withLock(\.self).compactMap { copy in
      HostAddress { getsockname(copy.descriptor, $0, &$1) == 0 ? () : nil }
    }
    #expect(ports.count == 2 && Set(ports).count == 2)
    daemon.stop()
  }

  @Test func `believes no peer before gpsd is started, nor one that is not connected`() async throws
  {
    #expect(daemon.isPeer(SocketAddress(port: 1), connectedTo: 2) == false)
    _ = try await daemon.restart(by: .live)
    #expect(daemon.isPeer(SocketAddress(port: 1), connectedTo: 2) == nil)
    // This process is not the gpsd, although its user is the same.
    let listener = try GPSDPort()
    let socket = try Socket(AF_INET)
    #expect(socket.connect(toLoopbackPort: listener.port))
    var accepted: (socket: Socket, peer: HostAddress)?
    while accepted == nil { accepted = try listener.socket.accept() }
    let peer = SocketAddress(try #require(accepted?.peer))
    let port = SocketAddress(port: listener.port)
    // A look may miss a connection while others come and go.
    var owner: TCPTable.Owner?
    for _ in 0..<1000 where owner == nil { owner = TCPTable().owner(of: peer, connectedTo: port) }
    #expect(owner?.user == geteuid())
    var isPeer: Bool?
    for _ in 0..<1000 where isPeer == nil {
      isPeer = daemon.isPeer(peer, connectedTo: listener.port)
    }
    #expect(isPeer == false)
    daemon.stop()
    #expect(try daemon.wake() == nil)
  }

  @Test func `can bring a receiver back by the paths that gpsd takes`() throws {
    #expect(daemon.bringsReceiverBack)
    let other = try PrivateDaemon(
      for: PrivateDaemon.Receiver(path: "/dev/my gps"),
      environment: ["PATH": programs.path])
    #expect(!other.bringsReceiverBack)
  }
}
