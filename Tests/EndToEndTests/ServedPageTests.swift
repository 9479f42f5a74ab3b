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

  /// Returns what is answered to a request, up to the end or until it contains a text.
  private func answer(of port: UInt16, to path: String, until end: String? = nil) throws -> String {
    let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    var limit = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let isConnected = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    try #require(isConnected)
    let request = "GET \(path) HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n"
    #expect(send(descriptor, request, request.utf8.count, CInt(MSG_NOSIGNAL)) == request.utf8.count)
    var bytes = [UInt8](repeating: 0, count: 65536)
    var text = ""
    while end.map({ !text.contains($0) }) ?? true {
      let count = recv(descriptor, &bytes, bytes.count, 0)
      if count <= 0 { break }
      text += String(decoding: bytes[..<count], as: UTF8.self)
    }
    return text
  }

  @Test(.needsGPSD) func `shows a live position beside the records`() async throws {
    let site = try await Site(.drive)
    let locwatch = try Locwatch.start("--json", "--serve", "0", "localhost:\(site.gpsd.port)")
    let port = try await port(of: locwatch)
    try await waitUntil("a fix is served") {
      try answer(of: port, to: "/fix").contains(#"{"type":"fix","#)
    }
    #expect(locwatch.output.text.contains(#"{"type":"fix","#))
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
      lines.dropFirst().first?.wholeMatch(
        of: /locwatch: everybody who can reach 0\.0\.0\.0:\d+ can read the position/) != nil)
  }
}

private func hostname() -> String {
  var names = utsname()
  unsafe uname(&names)
  return unsafe withUnsafeBytes(of: names.nodename) {
    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
  }
}
