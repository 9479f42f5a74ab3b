import DaemonHarness
import Glibc
import SimulatedReceiver
import Testing

/// The page of `--serve`, as a browser gets it.
@Suite(.timeLimit(.minutes(2))) struct `A served page` {
  /// Waits until the run says where its page is, and returns its port.
  private func port(of locwatch: ChildProcess) async throws -> UInt16 {
    try await waitFor("the address") {
      locwatch.errors.text.firstMatch(of: /page at http:\/\/127\.0\.0\.1:(\d+)\/\n/).flatMap {
        UInt16($0.1)
      }
    }
  }

  private final class Client {
    private let descriptor = socket(
      AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)

    /// - Parameter host: The last number of its address. From each address, there can be sixteen connections.
    init(of port: UInt16, from host: UInt32 = 1) throws {
      var limit = timeval(tv_sec: 30, tv_usec: 0)
      setsockopt(
        descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      try #require(Self.withAddress(host, 0) { bind(descriptor, $0, $1) } == 0)
      try #require(Self.withAddress(1, port) { connect(descriptor, $0, $1) } == 0)
    }

    deinit { close(descriptor) }

    private static func withAddress(
      _ host: UInt32, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) -> CInt {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = (0x7f00_0000 + host).bigEndian
      return withUnsafePointer(to: address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }

    /// Sends as much as is taken at once.
    func send(_ text: String) {
      _ = Glibc.send(
        descriptor, text, text.utf8.count, CInt(MSG_NOSIGNAL | MSG_DONTWAIT))
    }

    /// Returns what comes, up to the end or until it contains a text.
    func answer(until end: String? = nil) -> String {
      var bytes = [UInt8](repeating: 0, count: 65536)
      var text = ""
      while end.map({ !text.contains($0) }) ?? true {
        let count = recv(descriptor, &bytes, bytes.count, 0)
        if count <= 0 { break }
        text += String(decoding: bytes[..<count], as: UTF8.self)
      }
      return text
    }
  }

  private func request(_ path: String) -> String {
    "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n"
  }

  private func answer(of port: UInt16, to path: String, until end: String? = nil) throws -> String {
    let client = try Client(of: port)
    client.send(request(path))
    return client.answer(until: end)
  }

  @Test(.needsGPSD) func `shows no old position after a pause of the process`() async throws {
    let site = try await Site(.drive)
    let locwatch = try Locwatch.start("--stale", "2s", "--serve", "0", site.address)
    let port = try await port(of: locwatch)
    try await waitUntil("a fix is served") {
      try answer(of: port, to: "/fix").contains(#"{"type":"fix","#)
    }
    site.gpsd.signal(SIGSTOP)
    locwatch.signal(SIGSTOP)
    let clients = try ["/fix", "/metrics"].map { path in
      let client = try Client(of: port)
      client.send(request(path))
      return client
    }
    try await site.pass(.seconds(4))
    locwatch.signal(SIGCONT)
    #expect(clients[0].answer().contains(#"{"type":"state","state":"lost""#))
    #expect(!clients[1].answer().contains("locwatch_latitude_degrees{"))
    site.gpsd.signal(SIGCONT)
  }

  @Test(.needsGPSD) func `shows a live position beside the records`() async throws {
    let site = try await Site(.drive)
    let locwatch = try Locwatch.start("--json", "--serve", "0", "localhost:\(site.gpsd.port)")
    let port = try await port(of: locwatch)
    try await waitUntil("a fix is served") {
      try answer(of: port, to: "/fix").contains(#"{"type":"fix","#)
    }
    // The page has a fix before the output is written.
    _ = try await locwatch.output.waitForLine(containing: #"{"type":"fix","#)
    let page = try answer(of: port, to: "/")
    #expect(page.contains("<p class=\"place\">") && page.hasSuffix("</footer></body></html>\n"))
    let events = try answer(of: port, to: "/events", until: "data: {\"type\":\"fix\"")
    #expect(events.contains("\r\n\r\ndata: {\"type\":\"state\",\"state\":\"fix-3d\""))
    #expect(try answer(of: port, to: "/metrics").contains("locwatch_latitude_degrees{"))
    try await site.gpsd.kill()
    let lost = try answer(of: port, to: "/live", until: "gpsd cannot be reached")
    #expect(lost.contains("<p class=\"place old\">"))
    locwatch.signal(SIGTERM)
    #expect(try await locwatch.waitForExit() == .exited(143))
  }

  @Test(.needsGPSD) func `keeps writing records whatever its clients do`() async throws {
    let site = try await Site(.drive)
    let locwatch = try Locwatch.start("--json", "--serve", "0", "localhost:\(site.gpsd.port)")
    let port = try await port(of: locwatch)
    func fixes() -> Int { locwatch.output.text.ranges(of: #"{"type":"fix","#).count }
    try await waitUntil("a fix") { fixes() > 0 }
    _ = try answer(of: port, to: "/")
    let before = try locwatch.usage()
    // Some never read, and some never finish.
    var clients: [Client] = []
    for (host, text) in [(2, request("/")), (3, request("/events")), (4, "GET / HTTP/1.1\r\nHo")] {
      for _ in 0..<16 {
        let client = try Client(of: port, from: UInt32(host))
        client.send(text)
        clients.append(client)
      }
    }
    // Others send something and leave.
    let texts = ["\u{0}\u{1}\r\n\r\n", request("/"), String(repeating: "x", count: 1 << 20), "GET"]
    for number in 0..<400 { try Client(of: port, from: 5).send(texts[number % texts.count]) }
    let known = fixes()
    try await waitUntil("more fixes") { fixes() > known + 2 }
    #expect(try answer(of: port, to: "/fix").contains(#"{"type":"fix","#))
    #expect(try locwatch.usage().residentBytes - before.residentBytes < 16 << 20)
    #expect(try locwatch.usage().openDescriptors <= before.openDescriptors + 49)
    locwatch.signal(SIGTERM)
    #expect(try await locwatch.waitForExit() == .exited(143))
    withExtendedLifetime(clients) {}
  }

  @Test func `needs a free port`() async throws {
    let first = try Locwatch.start("--serve", "0", "localhost:1")
    let port = try await port(of: first)
    let second = try await Locwatch.run("--serve", "\(port)", "localhost:1")
    #expect(second.status == .exited(73))
    #expect(
      second.errors
        == "locwatch: cannot create the page at 127.0.0.1:\(port): Address already in use\n")
    #expect(second.output == "")
  }

  @Test func `says who can read the position`() async throws {
    let result = try await Locwatch.run(
      "--serve", "0.0.0.0:0", "--duration", "1s", "--json", "localhost:1")
    let lines = result.errors.split(separator: "\n")
    // A browser on another machine finds this one by its name.
    let address = lines.first?.wholeMatch(of: /locwatch: page at http:\/\/(.+):\d+\//)?.output.1
    #expect(address.map(String.init) == hostname())
    #expect(
      lines.dropFirst().first == "locwatch: anyone who can reach this machine can read the position"
    )
  }
}

private func hostname() -> String {
  var names = utsname()
  unsafe uname(&names)
  return unsafe withUnsafeBytes(of: names.nodename) {
    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
  }
}
