import GPSDLocation
import Glibc
import LocationCore
import Synchronization
import LocwatchTestSupport
import TestSupport
import Testing

@testable import LocwatchReceivers
@testable import LocwatchSystem

/// Fault 69.
@Suite(.timeLimit(.minutes(5))) struct `A caster with TLS` {
  private static let name = "ntrips://caster.example:2101/NEAR"

  /// The programs that the link has started, of which the test plays the last.
  private final class Programs: Sendable {
    private struct State {
      var ends: [Socket] = []
      var addresses: [HostAddress] = []
      /// The end of the link of the last one.
      weak var link: Socket?
      var errors: [String] = []
      var ended = 0
      var failure: LocationError?
    }

    private let state = Mutex(State())

    var count: Int { state.withLock(\.ends.count) }
    var endedCount: Int { state.withLock(\.ended) }
    var last: Socket? { state.withLock(\.ends.last) }
    /// Where they connect.
    var addresses: [HostAddress] { state.withLock(\.addresses) }

    func start(
      _ caster: CasterAddress, at address: HostAddress
    ) throws(LocationError) -> TLSConnection {
      #expect(caster.description == name)
      if let failure = state.withLock(\.failure) { throw failure }
      let (own, other) = try Socket.pair()
      state.withLock {
        $0.ends.append(other)
        $0.addresses.append(address)
        $0.link = own
      }
      return TLSConnection(
        through: own, takeErrors: { self.state.withLock { $0.errors } },
        end: { self.state.withLock { $0.ended += 1 } })
    }

    /// Ends the last program, after it has said why.
    func end(saying errors: String...) {
      state.withLock { state in
        state.errors = errors
        state.ends[state.ends.count - 1] = Socket(taking: -1)
        #expect(state.link?.waitForEnd() == true)
      }
    }

    /// Has no other program start.
    func fail(_ reason: String) {
      state.withLock { $0.failure = LocationError(.unreachable, reason) }
    }
  }

  private let programs = Programs()

  private func scene() throws -> CorrectionsScene {
    try CorrectionsScene(startTLS: programs.start)
  }

  /// What the last program was to send.
  private func request(_ scene: CorrectionsScene) -> String {
    scene.work()
    return scene.text(of: programs.last)
  }

  private func send(_ bytes: some Sequence<UInt8>) {
    #expect((programs.last?.write(Array(bytes)[...]) ?? 0) > 0)
  }

  @Test func `is asked through a program for each request, which ends with it`() throws {
    let scene = try scene()
    #expect(request(scene).hasPrefix("GET / HTTP/1.1\r\nHost: caster.example:2101\r\n"))
    send(CorrectionsScene.table.utf8)
    #expect(request(scene).hasPrefix("GET /NEAR HTTP/1.1\r\n"))
    #expect(programs.count == 2 && programs.endedCount == 1)
    send("ICY 200 OK\r\n\r\n".utf8)
    send(RTCMFrame.numbered(1))
    #expect(scene.work() == [Corrections(.connected, of: Self.name)])
    programs.end()
    scene.work()
    #expect(scene.failures == ["closed by the caster"])
    #expect(programs.endedCount == 2)
    scene.advance(by: .seconds(1))
    #expect(request(scene).hasPrefix("GET /NEAR HTTP/1.1\r\n"))
    #expect(programs.count == 3 && programs.endedCount == 2)
  }

  @Test func `whose certificate is refused is not asked again for 30 s`() throws {
    let scene = try scene()
    _ = request(scene)
    programs.end(saying: "depth=0 CN = other.example", "verify error:num=62:hostname mismatch")
    #expect(
      scene.work() == [
        Corrections(
          .lost, of: Self.name, reason: "its certificate is not accepted: hostname mismatch")
      ])
    #expect(programs.count == 1 && programs.endedCount == 1)
    scene.advance(by: .milliseconds(29_999))
    scene.work()
    #expect(programs.count == 1)
    scene.advance(by: .milliseconds(1))
    scene.work()
    #expect(programs.count == 2)
  }

  @Test func `that cannot be reached is retried after at most 4 s`() throws {
    let scene = try scene()
    for pause in [1.0, 2, 4, 4, 4] {
      let count = programs.count
      scene.work()
      #expect(programs.count == count + 1)
      programs.end(saying: Self.refused)
      scene.work()
      scene.advance(by: .milliseconds(pause * 1000 - 1))
      scene.work()
      #expect(programs.count == count + 1)
      scene.advance(by: .milliseconds(1))
    }
    #expect(scene.failures == [String](repeating: "Connection refused", count: 5))
  }

  @Test func `that drops packets is asked at its next address after 3 s, or is away`() throws {
    let silent = try SilentHost()
    let (host, other) = try Socket.listeningLocally()
    var addresses = [silent.address]
    let scene = try CorrectionsScene(
      resolve: { () throws(LocationError) in addresses }, startTLS: programs.start)
    scene.work()
    scene.advance(by: .milliseconds(2999))
    scene.work()
    #expect(scene.failures == [])
    scene.advance(by: .milliseconds(1))
    scene.work()
    #expect(scene.failures == ["Connection timed out"] && programs.count == 0)
    addresses.append(other)
    for wait in [Duration.seconds(1), .seconds(3)] {
      scene.advance(by: wait)
      scene.work()
    }
    #expect(scene.text(of: programs.last).hasPrefix("GET / HTTP/1.1\r\n"))
    #expect(scene.failures.count == 1 && programs.addresses == [other])
    withExtendedLifetime((silent, host)) {}
  }

  @Test func `whose program is gone before it has read the request says why`() throws {
    let scene = try CorrectionsScene(startTLS: { caster, address throws(LocationError) in
      let connection = try programs.start(caster, at: address)
      programs.end(saying: Self.refused)
      return connection
    })
    scene.work()
    #expect(scene.failures == ["Connection refused"])
  }

  @Test func `is lost without a program, which is looked for again`() throws {
    let scene = try scene()
    programs.fail("openssl does not start: no memory")
    #expect(
      scene.work() == [
        Corrections(.lost, of: Self.name, reason: "openssl does not start: no memory")
      ])
    for (index, pause) in [1.0, 2, 4, 4].enumerated() {
      scene.advance(by: .milliseconds(pause * 1000 - 1))
      scene.work()
      #expect(scene.failures.count == index + 1)
      scene.advance(by: .milliseconds(1))
      scene.work()
      #expect(scene.failures.count == index + 2)
    }
  }

  @Test func `whose program is gone without a word is lost for what the system says`() throws {
    let scene = try CorrectionsScene(startTLS: { caster, address throws(LocationError) in
      let connection = try programs.start(caster, at: address)
      if programs.count < 3 { programs.end() }
      return connection
    })
    // The table is not needed.
    scene.work()
    #expect(programs.count == 2 && scene.failures == ["Broken pipe"])
    scene.advance(by: .seconds(1))
    scene.work()
    #expect(programs.count == 3)
    // It has not read what it was to send.
    programs.end()
    scene.work()
    #expect(programs.count == 4 && scene.failures == ["Broken pipe"])
    programs.end()
    scene.work()
    #expect(scene.failures == ["Broken pipe", "Connection reset by peer"])
    #expect(programs.endedCount == 4)
  }

  private static let refused =
    "40E7720FDE7F0000:error:8000006F:system library:BIO_connect:Connection refused:"
    + "../crypto/bio/bio_sock2.c:117:calling connect()"

  @Test(
    arguments: [
      ([], nil), (["depth=0 CN = a", "verify return:1"], nil),
      (
        [
          "verify return:1",
          "40B7:error:0A000126:SSL routines:ssl3_read_n:unexpected eof while reading:../a.c:318:",
        ],
        nil
      ),
      ([refused, "connect:errno=111"], "Connection refused"),
      (
        [
          "4017:error:10080002:BIO routines:BIO_lookup_ex:system lib:../bio_addr.c:746:Name or service not known"
        ],
        "Name or service not known"
      ),
      (["4017:error:10080002:BIO routines:BIO_lookup_ex:system lib:a.c:746"], "system lib"),
      (["4017:error:10080002:BIO routines:BIO_lookup_ex:system lib:a.c:746:"], "system lib"),
      (
        ["x:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:a.c:1:"],
        "TLS: wrong version number"
      ),
      (["x:error:1:2:3"], nil), (["x:error:1:2:3:gone"], "gone"), (["x:no error:1:2:3:gone"], nil),
      (["x:error:1:2:3:\(String(repeating: "a", count: 65)):"], String(repeating: "a", count: 64)),
      ([":", "verify error", "verify error:num=1"], nil),
    ] as [([String], String?)])
  func `has failed for the reason that openssl gives`(lines: [String], reason: String?) {
    #expect(TLSConnection.failure(in: lines) == reason.map { NTRIPExchange.Failure(reason: $0) })
  }

  @Test func `is refused for the first error of its certificate`() {
    let lines = [
      "depth=0 CN = localhost", "verify error:num=10:certificate has expired",
      "40D7:error:0A000086:SSL routines:tls_post_process_server_certificate:certificate verify failed:a.c:1889:",
    ]
    #expect(
      TLSConnection.failure(in: lines)
        == NTRIPExchange.Failure(
          reason: "its certificate is not accepted: certificate has expired", isRefusal: true))
  }

  @Test(
    arguments: [
      (
        "caster.example", "192.0.2.1",
        "-servername caster.example -verify_hostname caster.example -connect 192.0.2.1:443"
      ),
      ("192.0.2.1", "192.0.2.1", "-noservername -verify_ip 192.0.2.1 -connect 192.0.2.1:443"),
      ("fe80::1%lo", "fe80::1%lo", "-noservername -verify_ip fe80::1 -connect [fe80::1%lo]:443"),
    ])
  func `has to have a certificate of its name`(
    host: String, answering: String, arguments: String
  ) throws {
    let caster = CasterAddress(host: host, port: 443, mount: "M", isSecure: true)
    let expected = "s_client -quiet -nocommands -no_ign_eof -verify_return_error " + arguments
    let found = try TLSConnection.arguments(for: caster, at: Self.address(answering))
    #expect(found.joined(separator: " ") == expected)
  }

  private static func address(_ host: String = "192.0.2.1") throws -> HostAddress {
    try #require(HostAddress.known(of: NetworkAddress(.tcp, host: host, port: 443))?.first)
  }

  /// What has come once there is enough of it, or at the end.
  private static func bytes(of socket: Socket, atLeast count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var ready = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&ready, 1, 100)
      guard let more = socket.takeArrived() else { break }
      bytes += more
    }
    return bytes
  }

  @Test(arguments: [[], ["openssl"], ["setpriv"]])
  func `needs openssl, and what starts it`(programs: [String]) throws {
    let folder = try TemporaryFolder()
    for program in programs { try folder.write("", to: program, mode: 0o755) }
    let missing = programs == ["openssl"] ? "setpriv, " : "openssl, "
    #expect {
      _ = try TLSConnection.start(in: ["PATH": folder.path], or: [])
    } throws: {
      let failure = $0 as? Failure
      return failure?.status == .unavailable && "\(failure!.message)".hasPrefix(missing)
    }
  }

  @Test func `is not connected to where nothing can be started`() throws {
    let folder = try TemporaryFolder()
    for program in ["openssl", "setpriv"] { try folder.write("", to: program, mode: 0o755) }
    let start = try TLSConnection.start(in: ["PATH": folder.path])
    let address = try Self.address()
    #expect(
      throws: LocationError(
        .unreachable, systemError: .errno(ENOEXEC),
        "openssl does not start: Exec format error")
    ) {
      _ = try start(CasterAddress(host: "h", mount: "M", isSecure: true), address)
    }
  }

  @Test func `ends its program with the connection`() throws {
    let folder = try TemporaryFolder()
    try folder.write("#!/bin/sh\necho $$\nexec sleep 1000\n", to: "openssl", mode: 0o755)
    let start = try TLSConnection.start(in: ["PATH": "\(folder.path):/usr/bin:/bin"])
    var connection: TLSConnection? = try start(
      CasterAddress(host: "h", mount: "M", isSecure: true), Self.address())
    let text = Self.bytes(of: try #require(connection?.socket), atLeast: 2)
    let process = try #require(pid_t(String(decoding: text.dropLast(), as: UTF8.self)))
    #expect(kill(process, 0) == 0)
    connection = nil
    #expect(kill(process, 0) == -1)
  }

  @Test func `gets the bytes that are written, and is answered by what it writes`() throws {
    // It answers with what it gets, and ends with it.
    let folder = try TemporaryFolder()
    try folder.write(
      "#!/bin/sh\necho \"verify error:1:$*\" >&2\n/bin/cat\necho $NTRIP_PASSWORD $A >&2\n",
      to: "openssl",
      mode: 0o755)
    let start = try TLSConnection.start(
      in: ["PATH": folder.path, "NTRIP_PASSWORD": "s3cret", "A": "b"])
    let connection = try start(
      CasterAddress(host: "h", mount: "M", isSecure: true), Self.address())
    let bytes = Array("Q\n\0\u{FF}".utf8)
    #expect(connection.socket.write(bytes[...]) == bytes.count)
    #expect(Self.bytes(of: connection.socket, atLeast: bytes.count) == bytes)
    let arguments = try #require(connection.takeFailure()?.reason)
    #expect(
      arguments
        == "its certificate is not accepted: s_client -quiet -nocommands -no_ign_eof -verify_return_error -se"
    )
    shutdown(connection.socket.descriptor, CInt(SHUT_WR))
    #expect(Self.bytes(of: connection.socket, atLeast: 1) == [])
    #expect(connection.takeErrors() == ["b"])
  }
}
