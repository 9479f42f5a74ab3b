import Testing

@testable import LocwatchServer

/// Requests, and the status that each gets: 200 if it is granted.
@Suite struct `A request to the page` {
  private static let names = RequestGuard(
    computer: "Boat.lan.example", others: ["gps.example", "GPS.test"])

  /// Returns the status of a request, in one piece and byte by byte; 0 if it is not complete.
  private func status(_ text: String) -> Int {
    let bytes = Array(text.utf8)
    let pieces = [[bytes], bytes.map { [$0] }]
    let statuses = pieces.map { pieces -> Int in
      var reader = HTTPRequestReader()
      do throws(HTTPRefusal) {
        for piece in pieces {
          guard let request = try reader.read(piece) else { continue }
          if let refusal = Self.names.refusal(of: request) { throw refusal }
          return 200
        }
        return 0
      } catch {
        return Int(error.status.prefix(3)) ?? -1
      }
    }
    #expect(statuses[0] == statuses[1])
    return statuses[0]
  }

  private func ask(_ headers: String..., version: String = "HTTP/1.1") -> Int {
    status("GET /fix \(version)\r\n" + headers.map { "\($0)\r\n" }.joined() + "\r\n")
  }

  private static let ownHosts = [
    "127.0.0.1:9947", "127.0.0.1", "127.1.2.3:80", "192.0.2.7:9947", "[::1]:9947", "[::1]",
    "[2001:db8::1]:9947", "[::ffff:127.0.0.1]", "localhost:9947", "LocalHost", "localhost:",
    "boat:9947", "BOAT", "boat.local:9947", "boat.lan.example", "gps.example:9947", "Gps.Test",
  ]

  @Test(arguments: ownHosts)
  func `is granted for an address and for a name of this machine`(host: String) {
    #expect(ask("Host: \(host)") == 200)
    #expect(ask("hOST:\(host) \t") == 200)
    #expect(ask("Host: \(host)", version: "HTTP/1.0") == 200)
  }

  private static let foreignHosts = [
    "evil.example", "evil.example:9947", "localhost.evil.example",
    "127.0.0.1.evil.example:9947", "1.2.3.4a", "evil.localhost", "localhost.",
    "localhost localhost", "localhost evil.example", "evil.example localhost", "user@localhost",
    "*", "l*", "[a-z]ocalhost", "?ocalhost", "localhost\\", "", ":9947", ":", "[", "]", "[]",
    "[1]", "[evil.example]", "[::1", "::1]", ".", "localhost,evil.example",
    "evil.example#127.0.0.1", "boat.evil.example", "boat.lan", "lan.example", "gps", "-n", "%s",
    "gps.example gps.test", "gps.example.evil.example", "0x7f000001", "löcalhost",
    "localhost\u{0}", "127.0.0.1/", "127.0.0.1:99:47", "localhost:9947:9947", "http://localhost",
  ]

  /// A site has pointed its own name to the local address.
  @Test(arguments: foreignHosts) func `is refused for any other name`(host: String) {
    #expect([421, 400].contains(ask("Host: \(host)")))
    #expect(host.utf8.contains(0) || ask("Host: \(host)") == 421)
    #expect(ask("Host: \(host)", version: "HTTP/1.0") != 200)
  }

  @Test func `has one host`() {
    #expect(ask() == 400)
    #expect(ask("Host: localhost", "Host: localhost") == 400)
    #expect(ask("Host: localhost", "host: evil.example") == 400)
    #expect(ask("Host: evil.example", "HOST: localhost") == 400)
    #expect(ask(version: "HTTP/1.0") == 200)
    #expect(ask("Host: localhost", "Host: localhost", version: "HTTP/1.0") == 400)
  }

  @Test(arguments: [
    ("Sec-Fetch-Site: cross-site", 403), ("Sec-Fetch-Site: same-site", 403),
    ("Sec-Fetch-Site: ", 403), ("Sec-Fetch-Site: none, cross-site", 403),
    ("Sec-Fetch-Site: None", 403), ("Sec-Fetch-Site: none", 200),
    ("sec-fetch-site:same-origin\t", 200), ("Origin: http://evil.example", 403),
    ("Origin: null", 403), ("Origin: http://localhost:3000", 403),
    ("Origin: https://localhost:9947", 403), ("Origin: http://localhost", 403),
    ("Origin: ", 403), ("Origin: http://LocalHost:9947", 200),
    ("ORIGIN: http://localhost:9947", 200), ("Origin-Trial: x", 200), ("Referer: http://x/", 200),
  ])
  func `is granted to the user and to the page, but to no other site`(
    header: String, expected: Int
  ) {
    let host = "Host: localhost:9947"
    #expect(ask(host, header) == expected)
    #expect(ask(header, host) == expected)
    // One allowed value does not outweigh another.
    #expect(ask(host, "Sec-Fetch-Site: none", header) == expected)
    #expect(ask(host, "Origin: http://localhost:9947", header) == expected)
    #expect(ask(host, header, "Origin: http://localhost:9947") == expected)
    #expect(ask("Origin: http://", version: "HTTP/1.0") == 403)
  }

  @Test(arguments: [
    ("GET / HTTP/1.1\nHost: localhost\n\n", 200),
    ("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n", 200),
    ("GET / HTTP/1.9\r\nHost: localhost\r\n\r\n", 200),
    ("POST / HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
    ("get / HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
    ("GET /\r\n\r\n", 400), ("\r\n\r\n", 400), ("\n", 400), ("\u{0}ÿ\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: local", 0), ("GET / HTTP/1.1\r\nHost: localhost\r\n", 0), ("", 0),
    ("GET / HTTP/2\r\n\r\n", 400), ("GET / HTTP/1.\r\nHost: localhost\r\n\r\n", 400),
    ("GET / HTTP/1.10\r\nHost: localhost\r\n\r\n", 400),
    ("GET / HTTP/1.x\r\nHost: localhost\r\n\r\n", 400),
    ("GET  / HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("GET / x HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    (" GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("GET\t/\tHTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nx\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\n Host: localhost\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\n: x\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nA: x\r\n y\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\rEvil: x\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\r\nHost: localhost\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nUser-Agent: ü\tx\r\n\r\n", 200),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nA: \u{7f}\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HTTP/9\r\n\r\n", 200),
    ("SSH-2.0-x\r\n\r\n", 400), ("\u{16}\u{3}\u{1}\r\n\r\n", 400),
  ])
  func `is one of HTTP/1`(text: String, expected: Int) {
    #expect(status(text) == expected)
  }

  @Test(arguments: [
    ("/", "/"), ("/fix?x=1", "/fix"), ("/fix?", "/fix"),
    ("https://localhost/", "https://localhost/"),
    ("/../../etc/passwd", "/../../etc/passwd"), ("*", "*"), ("/%2e", "/%2e"),
  ])
  func `asks for a path without its query`(target: String, path: String) throws {
    var reader = HTTPRequestReader()
    let request = try reader.read("GET \(target) HTTP/1.1\r\nHost: A\r\n\r\n".utf8)
    #expect(
      request
        == HTTPRequest(
          method: "GET", path: path, needsHost: true, hosts: ["a"], origins: [], sites: []))
  }

  /// As a client of a proxy asks (RFC 9112, 3.2.2). The host of the target replaces that of the header.
  @Test(arguments: [
    ("http://localhost/fix", "/fix", "localhost"),
    ("HTTP://Boat:9947/fix?x=/y", "/fix", "boat:9947"),
    ("http://[::1]:9947", "/", "[::1]:9947"), ("http://boat?/x", "/", "boat"),
    ("http://evil.example/http://localhost/", "/http://localhost/", "evil.example"),
    ("http:///fix", "/fix", ""), ("http://a@localhost/", "/", "a@localhost"),
  ])
  func `may name the host in its target`(target: String, path: String, host: String) throws {
    let isOwn = ["localhost", "boat:9947", "[::1]:9947", "boat"].contains(host)
    for header in ["localhost", "evil.example"] {
      let text = "GET \(target) HTTP/1.1\r\nHost: \(header)\r\n\r\n"
      var reader = HTTPRequestReader()
      let request = try reader.read(text.utf8)
      #expect(request?.path == path && request?.hosts == [host])
      #expect(status(text) == (isOwn ? 200 : 421))
    }
    #expect(status("GET \(target) HTTP/1.0\r\n\r\n") == (isOwn ? 200 : 421))
    // The header is needed nevertheless.
    #expect(status("GET \(target) HTTP/1.1\r\n\r\n") == 400)
    #expect(status("GET \(target) HTTP/1.1\r\nHost: boat\r\nHost: boat\r\n\r\n") == 400)
    let origin = status(
      "GET \(target) HTTP/1.1\r\nHost: x\r\nOrigin: http://\(host)\r\n\r\n")
    #expect(origin == (isOwn ? 200 : 421))
  }

  @Test func `has at most 8 KiB`() {
    let head = "GET / HTTP/1.1\r\nHost: localhost\r\nA: "
    let room = HTTPRequestReader.maximumSize - head.utf8.count - 4
    #expect(room == 8192 - 40)
    #expect(status(head + String(repeating: "x", count: room) + "\r\n\r\n") == 200)
    #expect(status(head + String(repeating: "x", count: room + 1) + "\r\n\r\n") == 431)
    #expect(status(String(repeating: "\r", count: 8193)) == 431)
  }
}
