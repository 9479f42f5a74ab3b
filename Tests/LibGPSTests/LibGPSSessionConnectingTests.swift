import DaemonHarness
import GPSDLocation
import Glibc
import LocationCore
import TestSupport
import Testing

@testable import LibGPS

/// Fault 2.
@Suite(.timeLimit(.minutes(3))) struct `A libgps session that connects` {
  @Test func `says that nobody listens`() async throws {
    let port = try freePort()
    let error = await failure { try await LibGPSSession().open(.loopback(port)) }
    #expect(
      error
        == LocationError(
          .unreachable, systemError: .errno(ECONNREFUSED),
          "127.0.0.1:\(port): no gpsd accepts connections there"))
  }

  @Test func `uses a copy of an existing connection`() async throws {
    var ends: [CInt] = [-1, -1]
    try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { close(ends[1]) }
    let session = LibGPSSession()
    try await session.open(GPSDEndpoint(connection: ends[0]))
    close(ends[0])
    #expect(send(ends[1], "hello\r\n", 7, 0) == 7)
    let read = try await session.read(until: .within(.seconds(20)))
    guard case .received(let lines) = read else {
      Issue.record("no lines")
      return
    }
    #expect(lines.map { String(decoding: $0, as: UTF8.self) } == ["hello\r\n"])
    session.close()
    var byte: UInt8 = 0
    #expect(recv(ends[1], &byte, 1, 0) == 0)
    let closed = GPSDEndpoint(connection: 1_000_000)
    #expect(await failure { try await session.open(closed) }?.systemError == .errno(EBADF))
  }

  /// Fault 54.
  @Test func `fails where the system has no descriptor or thread left for its loop`() async {
    let session = LibGPSSession(on: nil, connector: Connector())
    #expect(
      await failure { try await session.open(.loopback(2)) }
        == LocationError(
          .unreachable, "no file descriptor or thread is left to connect to 127.0.0.1:2"))
    #expect(await failure { try await session.read() }?.code == .disconnected)
    session.close()
  }

  @Test func `tries every address of a name`() async throws {
    // The name stands for ::1 too, or before, and the impostor does not listen there.
    let impostor = try Impostor([.sendLines("hello"), .hold])
    let session = LibGPSSession()
    try await session.open(GPSDEndpoint(host: "localhost", port: UInt16(impostor.port)))
    guard case .received = try await session.read(until: .within(.seconds(10))) else {
      Issue.record("no lines")
      return
    }
  }

  @Test func `gives up after 3 s where nobody answers`() async throws {
    let backlog = try FullBacklog()
    let start = ContinuousClock.now
    let error = await failure { try await LibGPSSession().open(.loopback(backlog.port)) }
    let elapsed = ContinuousClock.now - start
    #expect(
      error
        == LocationError(
          .unreachable, systemError: .errno(ETIMEDOUT),
          "127.0.0.1:\(backlog.port) does not answer: connection timed out"))
    #expect(elapsed > .milliseconds(2900) && elapsed < .seconds(20))
  }

  @Test func `connects while hundreds of others do`() async throws {
    let impostor = try Impostor([.sendLines("hello"), .hold])
    let sessions = (0..<300).map { _ in LibGPSSession() }
    let opening = sessions.map { session in
      Task { await failure { try await session.open(impostor.endpoint) } }
    }
    for task in opening { #expect(await task.value == nil) }
    #expect(Set(sessions.map(\.descriptor)).count == 300)
    try await waitUntil("300 connections") { impostor.clients.count == 300 }
  }

  @Test func `gives up a name that cannot be resolved`() async {
    let start = ContinuousClock.now
    let error = await failure { try await LibGPSSession().open(GPSDEndpoint(host: "host.invalid")) }
    #expect(error?.code == .unknownHost)
    #expect(error?.detail.hasPrefix("host.invalid: ") == true)
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test(arguments: [
    "", "shared memory", "DBUS export", "local file", "/run/gpsd.sock", "a host", "host\n",
    String(repeating: "a", count: 256),
  ])
  func `does not let libgps see what is not a host`(host: String) async {
    let error = await failure { try await LibGPSSession().open(GPSDEndpoint(host: host)) }
    #expect(error?.code == .unreachable)
  }

  /// A name has at most 255 bytes (RFC 1035, 2.3.4).
  @Test func `looks up a name of 255 bytes`() async {
    let host = String(repeating: "a", count: 63) + String(repeating: ".invalid", count: 24)
    #expect(host.utf8.count == 255)
    let error = await failure { try await LibGPSSession().open(GPSDEndpoint(host: host)) }
    #expect(error?.code == .unknownHost)
  }

  @Test func `does not let libgps see port 0`() async {
    let error = await failure { try await LibGPSSession().open(.loopback(0)) }
    #expect(error == LocationError(.unreachable, "port 0 is not valid"))
  }

  @Test func `has no connection before it is opened, nor after it is closed`() async throws {
    let closed = try await SessionFixture(.hold).session
    closed.close()
    for session in [LibGPSSession(), closed] {
      #expect(await failure { try await session.read() }?.code == .disconnected)
      #expect(await failure { try session.send(.watch) }?.code == .disconnected)
    }
  }

  @Test func `can be opened again, and starts afresh`() async throws {
    let impostor = try Impostor([.send("cut o"), .close], [.sendLines("whole"), .hold])
    let session = LibGPSSession()
    try await session.open(impostor.endpoint)
    guard case .received(let part) = try await session.read(until: .within(.seconds(10))),
      part.bytes.isEmpty, part.discardedBytes == 5
    else {
      Issue.record("the part was not counted")
      return
    }
    session.close()
    try await session.open(impostor.endpoint)
    guard case .received(let lines) = try await session.read(until: .within(.seconds(10))) else {
      Issue.record("no lines")
      return
    }
    #expect(lines.bytes.elementsEqual("whole\r\n".utf8))
    // The end of the first connection is not that of the second.
    guard case .quiet = try await session.read(until: .past) else {
      Issue.record("the second connection has ended")
      return
    }
  }

  @Test func `keeps nothing of a line that its closing cut off`() async throws {
    // Both arrive at once, so that the part is kept when the line is read.
    let impostor = try Impostor([.send("first\r\ncut o"), .hold], [.sendLines("whole"), .hold])
    let session = LibGPSSession()
    for line in ["first\r\n", "whole\r\n"] {
      try await session.open(impostor.endpoint)
      guard case .received(let lines) = try await session.read(until: .within(.seconds(10))) else {
        Issue.record("no lines")
        return
      }
      #expect(lines.bytes.elementsEqual(line.utf8))
      #expect(lines.discardedBytes == 0)
      session.close()
    }
  }

  @Test func `hangs up on the first gpsd when it is opened twice`() async throws {
    let fixture = try await SessionFixture(.hold)
    try await fixture.session.open(fixture.impostor.endpoint)
    try await fixture.impostor.client(0).waitForHangUp()
    #expect(try await fixture.impostor.client(1).hasHungUp == false)
  }
}
