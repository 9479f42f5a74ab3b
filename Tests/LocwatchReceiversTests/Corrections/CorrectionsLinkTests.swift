import EventLoop
import GPSDLocation
import GPSDTestKit
import Glibc
import LocationCore
import Synchronization
import TestSupport
import Testing

@testable import LocwatchReceivers
@testable import LocwatchSystem

@Suite(.timeLimit(.minutes(5))) struct `A session with the lines of a caster` {
  /// A file, which a thread may write to that has not seen the end of its test.
  private let messages: TemporaryFile
  private let clock = ManualClock()
  /// The caster's host.
  private let host: Socket
  private let port: UInt16

  init() throws {
    messages = try TemporaryFile()
    (host, port) = try Socket.listeningOnLoopback()
  }

  /// A table whose mount point needs the position.
  private static let virtualTable = Array(
    "SOURCETABLE 200 OK\r\n\r\nSTR;NEAR;a;b;c;d;e;f;g;1;2;1;0\r\nENDSOURCETABLE\r\n".utf8)

  private var name: String { "ntrip://127.0.0.1:\(port)/NEAR" }

  private func link(
    _ environment: [String: String] = [:], isSecure: Bool = false, isVerbose: Bool = false
  ) throws -> CorrectionsLink {
    try CorrectionsLink(
      CasterAddress(host: "127.0.0.1", port: port, mount: "NEAR", isSecure: isSecure),
      as: { "$GNGGA,\($0.coordinate.latitude)\r\n" },
      environment: Environment(environment), on: try #require(EventLoop.shared),
      log: Log(
        isVerbose: isVerbose, isQuiet: false,
        to: try Descriptor(appendingTo: FilePath(messages.path))))
  }

  /// Accepts a connection to the caster, and answers what is asked for.
  private func answer(_ path: String, with bytes: [UInt8]) throws -> Socket {
    let caster = try #require(try host.accept()).socket
    let request = Self.bytes(from: caster, until: { $0.count > 80 })
    #expect(String(decoding: request, as: UTF8.self).hasPrefix("GET \(path) HTTP/1.1\r\n"))
    #expect(caster.write(bytes[...]) == bytes.count)
    return caster
  }

  /// What has arrived once there is enough of it.
  private static func bytes(from socket: Socket, until isEnough: ([UInt8]) -> Bool) -> [UInt8] {
    var all: [UInt8] = []
    for _ in 0..<1000 where !isEnough(all) {
      var request = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&request, 1, 10)
      all += socket.takeArrived() ?? []
    }
    return all
  }

  /// Waits for the next lines.
  private func lines(of session: CorrectedSession) async throws -> String {
    let limit = LocationClock.live.now.advanced(by: .seconds(20))
    guard case .received(let lines) = try await session.read(until: limit) else { return "" }
    return lines.text
  }

  @Test(arguments: [false, true])
  func `says once why there are no corrections, and what to do`(isVerbose: Bool) async throws {
    let link = try link(isVerbose: isVerbose)
    link.start(by: clock.locationClock) { _, _ in true }
    defer { link.stop() }
    let table = try answer("/", with: Array("HTTP/1.1 404 Not Found\r\n\r\n".utf8))
    let caster = try answer("/NEAR", with: Array("HTTP/1.1 401 Unauthorized\r\n\r\n".utf8))
    let session = CorrectedSession(try PolledSession(), link: link)
    #expect(
      try await lines(of: session)
        == #"{"class":"LOCWATCH_CORRECTIONS","state":"lost","source":"\#(name)","reason":"401 Unauthorized"}"#
        + "\r\n")
    #expect(
      messages.text
        == "locwatch: no corrections from \(name): 401 Unauthorized; put the user and the password for "
        + "127.0.0.1 into ~/.netrc, or into NTRIP_USER and NTRIP_PASSWORD\n")
    withExtendedLifetime((table, caster)) {}
  }

  @Test func `is connected through openssl where the caster speaks TLS`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "#!/bin/sh\necho \"verify error:num=1:$NAME for ${10}\" >&2\n", to: "openssl", mode: 0o755)
    let link = try link(["PATH": "\(folder.path):/usr/bin:/bin", "NAME": "none"], isSecure: true)
    link.start(by: clock.locationClock) { _, _ in true }
    defer { link.stop() }
    let session = CorrectedSession(try PolledSession(), link: link)
    let reason = "its certificate is not accepted: none for 127.0.0.1"
    #expect(try await lines(of: session).contains(#""reason":"\#(reason)"#))
    #expect(
      messages.text.contains("no corrections from ntrips://127.0.0.1:\(port)/NEAR: \(reason)"))
  }

  @Test func `says that the user is wrong`() async throws {
    var limit = rlimit()
    #expect(getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0)
    let before = limit
    let link = try link(["NTRIP_USER": "me", "NTRIP_PASSWORD": "wrong"])
    // There must be no dump with the password.
    #expect(getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0)
    #expect(limit.rlim_cur == min(1, before.rlim_max) && limit.rlim_max == before.rlim_max)
    var again = before
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &again)
    link.start(by: clock.locationClock) { _, _ in true }
    defer { link.stop() }
    let table = try answer("/", with: Array("ERROR\r\n".utf8))
    let caster = try answer("/NEAR", with: Array("ERROR - Bad Password\r\n".utf8))
    let session = CorrectedSession(try PolledSession(), link: link)
    #expect(try await lines(of: session).contains(#""reason":"Bad Password"}"#))
    #expect(
      messages.text
        == "locwatch: no corrections from \(name): Bad Password; the caster rejects the user or the password\n"
    )
    withExtendedLifetime((table, caster)) {}
  }

  @Test func `gives gpsd frames once it reports the receiver, and again after a restart`()
    async throws
  {
    let link = try link()
    let path = link.path
    let opened = Mutex(0)
    let base = try PolledSession { _ in opened.withLock { $0 += 1 } }
    let session = CorrectedSession(base, link: link)
    link.start(by: clock.locationClock) { _, _ in true }
    defer { link.stop() }
    let gpsd = try Socket(AF_INET)
    #expect(gpsd.connect(to: try address(of: path)))
    let table = try answer("/", with: Self.virtualTable)
    let caster = try answer(
      "/NEAR", with: Array("ICY 200 OK\r\n\r\n".utf8) + RTCMFrame.numbered(1))
    #expect(try await lines(of: session).contains(#""state":"connected","source":"\#(name)"}"#))
    // The source of corrections has the caster's name, and a device is nothing of the receiver.
    base.bring(#"{"class":"DEVICE","path":"\#(path)"}"#)
    #expect(try await lines(of: session) == #"{"class":"DEVICE","path":"\#(name)"}"# + "\r\n")
    #expect(gpsd.takeArrived() == [])
    base.bring(#"{"class":"SKY"}"#)
    #expect(try await lines(of: session) == #"{"class":"SKY"}"# + "\r\n")
    let twice = RTCMFrame.numbered(1) + RTCMFrame.numbered(1)
    #expect(Self.bytes(from: gpsd, until: { $0.count >= twice.count }) == twice)
    #expect(opened.withLock(\.self) == 0)
    try await session.open(GPSDEndpoint())
    #expect(opened.withLock(\.self) == 1)
    // A fix has the caster get the position.
    link.record(.at(latitude: 48, longitude: 11.5))
    let position = Self.bytes(from: caster, until: { !$0.isEmpty })
    #expect(String(decoding: position, as: UTF8.self).hasPrefix("$GNGGA,"))
    // To a gpsd that has been started again, the receiver is new.
    let second = RTCMFrame.numbered(2)
    #expect(caster.write(second[...]) == second.count)
    var isReadable = pollfd(fd: gpsd.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&isReadable, 1, 300) == 0)
    base.bring(#"{"class":"SKY"}"#)
    _ = try await lines(of: session)
    #expect(Self.bytes(from: gpsd, until: { $0.count >= second.count }) == second)
    link.stop()
    #expect(await comes { caster.takeArrived() == nil })
    withExtendedLifetime(table) {}
  }

  /// Lets time pass until the link connects. A step is shorter than what a connection may take, because it can be made
  /// just before one.
  private func passUntilConnected() throws {
    var request = pollfd(fd: host.descriptor, events: Int16(POLLIN), revents: 0)
    for _ in 0..<1000 where poll(&request, 1, 50) == 0 { clock.jump(by: .seconds(2)) }
    try #require(request.revents != 0)
  }

  @Test func `says again why there are none after some have come`() async throws {
    let link = try link(isVerbose: true)
    link.start(by: clock.locationClock) { _, _ in true }
    defer { link.stop() }
    let session = CorrectedSession(try PolledSession(), link: link)
    let table = try answer("/", with: Array("HTTP/1.1 404 Not Found\r\n\r\n".utf8))
    let said = "locwatch: no corrections from \(name): closed by the caster\n"
    _ = try answer("/NEAR", with: [])
    #expect(try await lines(of: session).contains("closed"))
    #expect(await comes { self.messages.text == said })
    // The same reason is said once. The detail shows that the link has read the end before time passes: it could take
    // that time for a silence of the caster.
    try passUntilConnected()
    _ = try answer("/", with: [])
    _ = try answer("/NEAR", with: [])
    let detail = "locwatch: \(name): closed by the caster\n"
    #expect(await comes { self.messages.text == said + detail })
    try passUntilConnected()
    _ = try answer("/", with: [])
    do {
      let bytes = Array("ICY 200 OK\r\n\r\n".utf8) + RTCMFrame.numbered(1)
      let caster = try answer("/NEAR", with: bytes)
      #expect(try await lines(of: session).contains(#""state":"connected""#))
      withExtendedLifetime(caster) {}
    }
    #expect(await comes { self.messages.text == said + detail + said })
    withExtendedLifetime(table) {}
  }

  @Test(arguments: [
    (virtualTable, "its table asks for it"),
    (Array("HTTP/1.1 404 Not Found\r\n\r\n".utf8), "it has sent no corrections for 10 s"),
  ])
  func `says once that the caster is given the position, and why`(
    table: [UInt8], reason: String
  ) async throws {
    let link = try link()
    link.start(by: clock.locationClock) { _, _ in true }
    defer { link.stop() }
    let table = try answer("/", with: table)
    let caster = try answer("/NEAR", with: Array("ICY 200 OK\r\n\r\n".utf8))
    clock.jump(by: .seconds(10))
    link.record(.at(latitude: 48, longitude: 11.5))
    _ = Self.bytes(from: caster, until: { $0.last == UInt8(ascii: "\n") })
    // A frame makes the link notice that the next position is due.
    clock.jump(by: .seconds(10))
    let frame = RTCMFrame.numbered(1)
    #expect(caster.write(frame[...]) == frame.count)
    let position = Self.bytes(from: caster, until: { $0.last == UInt8(ascii: "\n") })
    #expect(String(decoding: position, as: UTF8.self) == "$GNGGA,48.0\r\n")
    #expect(
      messages.text
        == "locwatch: \(name) is given the receiver's position every 10 s: \(reason)\n")
    withExtendedLifetime(table) {}
  }

  @Test func `gives the caster no position that is out of date`() async throws {
    let link = try link()
    link.start(by: clock.locationClock) { _, _ in true }
    defer { link.stop() }
    let table = try answer("/", with: Self.virtualTable)
    let caster = try answer("/NEAR", with: Array("ICY 200 OK\r\n\r\n".utf8))
    var old = LocationFix.at(latitude: 48, longitude: 11.5)
    old.isCurrent = false
    link.record(old)
    var request = pollfd(fd: caster.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&request, 1, 500) == 0)
    link.record(.at(latitude: 49, longitude: 11.5))
    // One from the backlog does not take its place.
    link.record(old)
    let position = Self.bytes(from: caster, until: { !$0.isEmpty })
    #expect(String(decoding: position, as: UTF8.self).contains(",49.0"))
    withExtendedLifetime(table) {}
  }

  private func address(of path: String) throws -> HostAddress {
    let port = try #require(path.split(separator: ":").last.flatMap { UInt16($0) })
    return try HostAddress.resolve(NetworkAddress(.tcp, host: "127.0.0.1", port: port))[0]
  }

  @Test func `ends a wait when there is a line, which comes before those of gpsd`() async throws {
    let link = try link()
    let base = try PolledSession()
    let session = CorrectedSession(base, link: link)
    #expect(try session.text() == nil)
    let wait = session.wait()
    #expect(wait.arrival === base.point && wait.deadline == nil)
    let limit = LocationClock.live.now.advanced(by: .seconds(20))
    let waiting = Task { await Waiter(by: .live).wait(for: wait, until: limit) }
    link.start(by: clock.locationClock) { _, _ in true }
    defer { link.stop() }
    // The caster answers while gpsd sends nothing.
    let table = try answer("/", with: Array("HTTP/1.1 404 Not Found\r\n\r\n".utf8))
    let caster = try answer("/NEAR", with: Array("HTTP/1.1 401 Unauthorized\r\n\r\n".utf8))
    await waiting.value
    #expect(LocationClock.live.now < limit)
    base.bring(#"{"class":"TPV"}"#)
    // A line that is there ends no wait.
    #expect(session.wait().deadline == .past)
    #expect(try session.text()?.contains("401 Unauthorized") == true)
    #expect(try session.text() == #"{"class":"TPV"}"# + "\r\n")
    #expect(try session.text() == nil && session.wait().arrival === base.point)
    base.fail(with: LocationError(.disconnected, "closed by gpsd"))
    #expect(await detail { _ = try session.text() } == "closed by gpsd")
    withExtendedLifetime((table, caster)) {}
  }

  @Test func `is polled by its updates, until their task is cancelled`() async throws {
    let link = try link()
    let base = try PolledSession()
    base.bring(#"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3}"#)
    let source = GPSDLocationSource(makeSession: { CorrectedSession(base, link: link) })
    let watching = Task { for try await _ in source.updates() {} }
    #expect(await comes { base.waitCount > 0 })
    watching.cancel()
    try await watching.value
    #expect(base.isClosed)
  }

  @Test func `has lines with the reason or the base station`() throws {
    func text(_ corrections: Corrections) -> String {
      String(decoding: CorrectionsLine.text(of: corrections), as: UTF8.self)
    }
    let base = Coordinate(latitude: 48.5, longitude: -11.25)
    #expect(
      text(Corrections(.connected, of: "ntrip://a/\"B", base: base))
        == #"{"class":"LOCWATCH_CORRECTIONS","state":"connected","source":"ntrip://a/\"B","lat":48.5,"lon":-11.25}"#
        + "\r\n")
    #expect(
      text(Corrections(.lost, of: "x", reason: String(repeating: "y", count: 200)))
        == #"{"class":"LOCWATCH_CORRECTIONS","state":"lost","source":"x","reason":""#
        + String(repeating: "y", count: 128) + "...\"}\r\n")
  }
}
