import DaemonHarness
import GPSDLocation
import Glibc
import LocationCore
import TestSupport
import Testing

@testable import LibGPS

@Suite(.serialized, .timeLimit(.minutes(3))) struct `A libgps session's descriptor` {
  @Test func `is not inherited by children, and notices a vanished peer`() async throws {
    let fixture = try await SessionFixture(.hold)
    let descriptor = try #require(fixture.session.descriptor)
    #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
    #expect(option(SOL_SOCKET, SO_KEEPALIVE, of: descriptor) == 1)
    #expect(option(CInt(IPPROTO_TCP), TCP_KEEPIDLE, of: descriptor) == 10)
    #expect(option(CInt(IPPROTO_TCP), TCP_KEEPINTVL, of: descriptor) == 5)
    #expect(option(CInt(IPPROTO_TCP), TCP_KEEPCNT, of: descriptor) == 3)
    #expect(option(CInt(IPPROTO_TCP), TCP_USER_TIMEOUT, of: descriptor) == 20_000)
  }

  @Test func `is closed each time, over 200 connections`() async throws {
    let impostor = try Impostor([.sendLines("hello"), .hold])
    let session = LibGPSSession()
    var opened: Set<String> = []
    for _ in 0..<200 {
      try await session.open(impostor.endpoint)
      let descriptor = try #require(session.descriptor)
      opened.insert(try #require(openDescriptors()[descriptor]))
      session.close()
    }
    try await waitUntil("200 hang-ups") { impostor.clients.filter(\.hasHungUp).count == 200 }
    #expect(opened.count == 200 && opened.allSatisfy { $0.hasPrefix("socket:[") })
    // Numbers would not show it: other tests have descriptors, too, and so has the impostor.
    #expect(opened.isDisjoint(with: openDescriptors().values))
  }

  @Test func `is closed when the session goes`() async throws {
    var fixture: SessionFixture? = try await SessionFixture(.hold)
    let client = try await #require(fixture?.impostor).client()
    let impostor = fixture?.impostor
    fixture = nil
    try await client.waitForHangUp()
    withExtendedLifetime(impostor) {}
  }

  @Test func `is closed only once`() async throws {
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(null) }
    for _ in 0..<100 {
      let fixture = try await SessionFixture(.hold)
      let number = try #require(fixture.session.descriptor)
      fixture.session.close()
      let taken = fcntl(null, F_DUPFD_CLOEXEC, number)
      defer { close(taken) }
      // Another test was faster to take the number.
      guard taken == number else { continue }
      fixture.session.close()
      var status = stat()
      #expect(fstat(taken, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
      return
    }
    Issue.record("the number was always taken by somebody else")
  }

  /// Fault 32: select(2) ends a process whose descriptors go beyond 1023.
  @Test func `may be any number`() async throws {
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    var many: [CInt] = [null]
    defer { for descriptor in many { close(descriptor) } }
    for _ in 0..<50 {
      while let last = many.last, last < 1100 {
        let next = fcntl(null, F_DUPFD_CLOEXEC, 3)
        try #require(next >= 0, "the limit of descriptors is below 1100")
        many.append(next)
      }
      let fixture = try await SessionFixture(.sendLines("line"), .expect("?VERSION;"), .close)
      let descriptor = try #require(fixture.session.descriptor)
      many.append(fcntl(null, F_DUPFD_CLOEXEC, 3))
      // Another test closed a lower number meanwhile.
      guard descriptor > 1023 else { continue }
      #expect(try await fixture.line() == "line\r\n")
      try fixture.session.send(.version)
      #expect(await failure { try await fixture.read() }?.code == .disconnected)
      return
    }
    Issue.record("there was always a lower number")
  }

  @Test func `gives an error, and no signal, where the peer is gone`() async throws {
    let fixture = try await SessionFixture(.reset)
    var error: LocationError?
    try await waitUntil("error of a send") {
      let isSignalled = isPipeSignalSent {
        do throws(LocationError) {
          try fixture.session.send(.version)
        } catch let failure {
          error = failure
        }
      }
      #expect(!isSignalled)
      return error?.systemError == .errno(EPIPE)
    }
    #expect(
      error == LocationError(.disconnected, systemError: .errno(EPIPE), "cannot send: Broken pipe"))
  }

  @Test func `takes commands whole`() async throws {
    let fixture = try await SessionFixture(.hold)
    let device = "/dev/serial/by-id/" + String(repeating: "%s", count: 100)
    try fixture.session.send(.watch(device: device))
    try fixture.session.send(.version)
    let client = try await fixture.impostor.client()
    _ = try await client.waitForCommand(containing: "?VERSION;")
    #expect(
      String(decoding: client.received, as: UTF8.self)
        == #"?WATCH={"enable":true,"json":true,"device":"\#(device)"};?VERSION;"#)
  }

  /// Whether something sends SIGPIPE to this thread. A signal that is blocked waits, even if the process ignores it.
  private func isPipeSignalSent(by body: () -> Void) -> Bool {
    var (signals, before, pending) = (sigset_t(), sigset_t(), sigset_t())
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    body()
    sigpending(&pending)
    return sigismember(&pending, SIGPIPE) == 1
  }

  private func option(_ level: CInt, _ option: CInt, of descriptor: CInt) -> CInt {
    var value: CInt = -1
    var length = socklen_t(MemoryLayout<CInt>.size)
    getsockopt(descriptor, level, option, &value, &length)
    return value
  }
}
