import DaemonHarness
import Foundation
import Glibc
import SimulatedReceiver
import TestSupport
import Testing

/// The corrections of a caster, through a private gpsd, to a receiver. Faults 69 and 72.
@Suite(.needsGPSD, .timeLimit(.minutes(3)))
struct `Corrections for a receiver` {
  private let folder: TemporaryFolder
  private let receiver: SimulatedReceiver
  private let feeding: Feeding
  private var link: String { receiver.path }

  init() throws {
    folder = try TemporaryFolder()
    receiver = try SimulatedReceiver(
      .quick(Phase(1000, .threeDimensional), route: .driving), link: folder.path + "/gps0")
    feeding = Feeding(receiver)
  }

  private static let table: [ImpostorStep] = [
    .expect("GET /"),
    .send("SOURCETABLE 200 OK\r\n\r\nSTR;NEAR;a;b;c;d;e;f;g;1;2;1;0\r\nENDSOURCETABLE\r\n"),
    .close,
  ]
  private static let frames = (1...20).map { RTCMFrame.numbered($0) }
  /// 7 km from where the receiver begins.
  private static let base = RTCMFrame.base(x: 4_180_000, y: 851_000, z: 4_725_000)

  private static func stream(_ header: String = "ICY 200 OK\r\n\r\n") -> [ImpostorStep] {
    [.expect("GET /NEAR"), .send(header)]
      + frames.flatMap { [.sendBytes($0), .pause(.milliseconds(100))] }
      + [.sendBytes(base), .hold]
  }

  private static func expectAll(in bytes: [UInt8]) {
    let text = Data(bytes)
    for (index, frame) in frames.enumerated() {
      #expect(text.range(of: Data(frame)) != nil, "frame \(index)")
    }
    #expect(text.range(of: Data(base)) != nil)
  }

  @Test func `reach it from the first frame on, and are recorded`() async throws {
    let caster = try Impostor(Self.table, Self.stream())
    let recording = try TemporaryFile()
    let report = try TemporaryFile(ending: ".json")
    let url = "ntrip://127.0.0.1:\(caster.port)/NEAR"
    let locwatch = try Locwatch.start(
      [
        "--json", link, "--corrections", url, "--record", recording.path, "--report",
        report.path,
      ],
      environment: ["NTRIP_USER": "someone", "NTRIP_PASSWORD": "s3cretword"])
    try await waitUntil("all frames", timeout: .seconds(60)) {
      Data(receiver.written).range(of: Data(Self.base)) != nil
    }
    try await waitUntil("a position for the caster") {
      caster.clients.last?.commands.contains { $0.hasPrefix("$GNGGA,") } == true
    }
    // A core dump would contain the password.
    let limits = try String(
      contentsOfFile: "/proc/\(locwatch.identifier)/limits", encoding: .utf8)
    #expect(limits.contains(#/Max core file size +[01] /#))
    locwatch.signal(SIGINT)
    #expect(try await locwatch.waitForExit() == .exited(130))
    Self.expectAll(in: receiver.written)
    let position =
      "locwatch: \(url) is given the receiver's position every 10 s: its table asks for it\n"
    #expect(locwatch.errors.text.components(separatedBy: position).count == 2)
    let records = locwatch.output.text.split(separator: "\n")
    let told = records.filter { $0.contains(#""type":"corrections""#) }
    #expect(told.count == 1)
    let expected = #"{"type":"corrections","state":"connected","caster":"\#(url)","received":"#
    #expect(told.first?.hasPrefix(expected) == true)
    // The source of corrections is no receiver, and has its own name in the recording.
    #expect(!locwatch.output.text.contains("tcp://"))
    #expect(!recording.text.contains("tcp://") && recording.text.contains(#""device":"\#(url)""#))
    let replay = try await Locwatch.run("--json", "--replay", recording.path)
    // Only the recording has what was received while the run was stopped.
    #expect(replay.output.hasPrefix(locwatch.output.text))
    let written = report.text
    #expect(written.contains(#""corrections":{"duration":"#))
    let all = locwatch.output.text + locwatch.errors.text + recording.text + written
    for secret in ["s3cretword", "someone", "c29tZW9uZTpzM2NyZXR3b3Jk"] {
      #expect(!all.contains(secret))
    }
    #expect(
      caster.clients.last?.commands.contains("Authorization: Basic c29tZW9uZTpzM2NyZXR3b3Jk")
        == true)
  }

  @Test func `reach a receiver on the network, in chunks`() async throws {
    let header = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    let all: [UInt8] = (Self.frames + [Self.base]).flatMap(\.self)
    var chunks: [ImpostorStep] = []
    for start in stride(from: 0, to: all.count, by: 33) {
      let piece = Array(all[start...].prefix(33))
      chunks += [
        .send("\(String(piece.count, radix: 16))\r\n"), .sendBytes(piece), .send("\r\n"),
        .pause(.milliseconds(50)),
      ]
    }
    let caster = try Impostor(
      Self.table, [.expect("GET /NEAR"), .send(header)] + chunks + [.hold])
    let scenario = Scenario.quick(Phase(1000, .threeDimensional), route: .driving)
    let phone = try Impostor([
      .generate { index in
        usleep(100_000)
        return scenario.bytes(at: index)
      }
    ])
    let locwatch = try Locwatch.start(
      "--json", "tcp://127.0.0.1:\(phone.port)", "--corrections",
      "ntrip://127.0.0.1:\(caster.port)/NEAR")
    try await waitUntil("all frames", timeout: .seconds(60)) {
      Data(phone.clients.first?.received ?? []).range(of: Data(Self.base)) != nil
    }
    locwatch.signal(SIGINT)
    _ = try await locwatch.waitForExit()
    Self.expectAll(in: phone.clients.first?.received ?? [])
    #expect(locwatch.output.text.contains(#""type":"fix""#))
  }

  @Test func `that are refused are reported once with the reason; fixes continue`() async throws {
    let caster = try Impostor([
      .expect("GET /"), .send("HTTP/1.1 401 Unauthorized\r\n\r\n"), .close,
    ])
    let url = "ntrip://127.0.0.1:\(caster.port)/NEAR"
    let locwatch = try Locwatch.start(
      [link, "-n", "30", "--corrections", url], environment: ["HOME": "/nonexistent"])
    #expect(try await locwatch.waitForExit() == .exited(0))
    let told = locwatch.output.text.split(separator: "\n").filter { $0.contains("corrections") }
    #expect(told.count == 1)
    #expect(told.first?.hasSuffix("corrections - \(url) lost (401 Unauthorized)") == true)
    #expect(
      locwatch.errors.text.contains(
        "locwatch: no corrections from \(url): 401 Unauthorized; put the user and the password for "
          + "127.0.0.1 into ~/.netrc, or into NTRIP_USER and NTRIP_PASSWORD\n"))
    #expect(caster.clients.count == 2)
  }

  /// Whether any process has this as its last argument.
  private static func isRunning(_ argument: String) throws -> Bool {
    try ProcessTable.identifiers().contains { ProcessTable.arguments(of: $0).last == argument }
  }

  @Test func `come from a caster with TLS whose certificate has its name`() async throws {
    let (certificate, key) = (folder.path + "/certificate", folder.path + "/key")
    let made = try ChildProcess(
      "openssl",
      [
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=caster",
        "-addext", "subjectAltName=DNS:localhost", "-out", certificate, "-keyout", key,
      ])
    #expect(try await made.waitForExit() == .exited(0))
    let port = try freePort()
    let caster = try ChildProcess(
      "openssl",
      [
        "s_server", "-quiet", "-accept", "127.0.0.1:\(port)", "-cert", certificate, "-key",
        key,
      ], input: .pipe)
    let url = "ntrips://localhost:\(port)/NEAR"
    let trust = ["SSL_CERT_FILE": certificate, "NTRIP_USER": "u", "NTRIP_PASSWORD": "s3cret"]
    let locwatch = try Locwatch.start(
      ["--json", link, "--corrections", url], environment: trust)
    try await waitUntil("a request for the table") {
      caster.output.text.contains("GET / HTTP/1.1\r\n")
    }
    try await caster.write("SOURCETABLE 200 OK\r\n\r\nSTR;NEAR;\r\nENDSOURCETABLE\r\n")
    try await waitUntil("a request for corrections", timeout: .seconds(60)) {
      caster.output.text.contains("GET /NEAR HTTP/1.1\r\n")
    }
    #expect(caster.output.text.contains("Authorization: Basic dTpzM2NyZXQ="))
    try await caster.write("ICY 200 OK\r\n\r\n")
    for frame in Self.frames + [Self.base] { try await caster.write(frame) }
    try await waitUntil("all frames", timeout: .seconds(60)) {
      Data(receiver.written).range(of: Data(Self.base)) != nil
    }
    Self.expectAll(in: receiver.written)
    // What openssl reads ends with locwatch, however that ends.
    locwatch.signal(SIGKILL)
    _ = try await locwatch.waitForExit()
    try await waitUntil("the end of openssl") { try !Self.isRunning("127.0.0.1:\(port)") }
    // Another name is not accepted, nor is an unsigned certificate.
    let refusals: [(String, [String: String], String)] = [
      ("127.0.0.1", trust, "IP address mismatch"), ("localhost", [:], "self-signed certificate"),
    ]
    for (host, trust, reason) in refusals {
      let locwatch = try Locwatch.start(
        ["--json", link, "--corrections", "ntrips://\(host):\(port)/NEAR"], environment: trust)
      try await waitUntil("the reason") {
        locwatch.output.text.contains(
          #""reason":"its certificate is not accepted: \#(reason)""#)
      }
      locwatch.signal(SIGINT)
      _ = try await locwatch.waitForExit()
    }
  }

  @Test func `leave no openssl behind that waits for TLS after kill -9`() async throws {
    let caster = try Impostor([.hold])
    let address = "127.0.0.1:\(caster.port)"
    let locwatch = try Locwatch.start("--json", link, "--corrections", "ntrips://\(address)/NEAR")
    try await waitUntil("the first bytes of openssl") {
      caster.clients.last?.received.isEmpty == false
    }
    #expect(try Self.isRunning(address))
    locwatch.signal(SIGKILL)
    _ = try await locwatch.waitForExit()
    try await waitUntil("the end of openssl") { try !Self.isRunning(address) }
  }
}
