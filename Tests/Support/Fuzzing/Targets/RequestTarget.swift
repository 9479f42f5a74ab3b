import LocationTestKit
import LocwatchServer

/// Requests of browsers and of others, as they should be or damaged: in whatever pieces one comes, it is read in the same
/// way, and it is granted only if an independent look at its lines finds nothing wrong.
package struct RequestTarget: FuzzTarget {
  private static let requests = 500
  private static let names = RequestGuard(computer: "boat.example", others: ["gps.test"])

  private static let methods = ["GET", "GET", "GET", "HEAD", "POST", "get", ""]
  private static let targets = [
    "/", "/fix", "/events?x", "*", "http://localhost/", "/%00", "HTTP://evil.example",
    "http://boat:1?x",
  ]
  private static let versions = ["HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2", "http/1.1", ""]
  private static let hosts = [
    "localhost", "LOCALHOST:9947", "127.0.0.1:80", "[::1]:9947", "boat", "gps.test:1",
    "evil.example", "localhost.evil.example", "", "1.2.3.4a", "[evil]", "localhost, evil.example",
  ]
  private static let values = [
    "http://localhost", "http://evil.example", "null", "none", "same-origin", "cross-site", "",
    "http://127.0.0.1:80",
  ]
  private static let fields = ["Origin", "Sec-Fetch-Site", "Accept", "origin", "X-Host", "Host"]

  package init() {}

  package func round(seed: UInt64, into tally: inout FuzzTally) async throws -> String? {
    var random = SeededRandom(seed: seed)
    for _ in 0..<Self.requests {
      var bytes = Array(Self.request(&random).utf8)
      if random.happens(onceIn: 2) { Self.damage(&bytes, &random) }
      let whole = Self.status(of: [bytes])
      let torn = Self.status(of: random.pieces(of: bytes))
      if whole != torn { return "in pieces it is \(torn), and not \(whole): \(bytes)" }
      if whole == "granted" {
        if let complaint = Self.complaint(about: bytes) { return "\(complaint): \(bytes)" }
        tally.checks += 1
      }
      tally.lines += 1
    }
    return nil
  }

  private static func request(_ random: inout SeededRandom) -> String {
    let end = random.pick(["\r\n", "\r\n", "\r\n", "\n"])
    var lines = [
      "\(random.pick(methods)) \(random.pick(targets)) \(random.pick(versions))"
    ]
    if !random.happens(onceIn: 8) { lines.append("Host: \(random.pick(hosts))") }
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      lines.append("\(random.pick(fields)): \(random.pick(values + hosts))")
    }
    if random.happens(onceIn: 50) { lines.append("A: \(String(repeating: "x", count: 9000))") }
    return lines.joined(separator: end) + end + (random.happens(onceIn: 10) ? "" : end)
  }

  private static func damage(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
    for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: bytes.indices, using: &random)
      let byte: UInt8 = random.pick([
        0, 9, 10, 13, 32, 44, 58, 127, 128, .random(in: 0...255, using: &random),
      ])
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes[place] = byte
      case 1: bytes.insert(byte, at: place)
      default: bytes.remove(at: place)
      }
    }
  }

  private static func status(of pieces: [[UInt8]]) -> String {
    var reader = HTTPRequestReader()
    do throws(HTTPRefusal) {
      for piece in pieces {
        guard let request = try reader.read(piece) else { continue }
        return names.refusal(of: request)?.status ?? "granted"
      }
      return "unfinished"
    } catch {
      return error.status
    }
  }

  /// Returns what is wrong with a request that was granted, by the lines of its text; `nil` if nothing is.
  static func complaint(about bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
    let head = text.prefix(upTo: text.firstRange(of: "\n\n")?.lowerBound ?? text.endIndex)
    let lines = head.split(separator: "\n", omittingEmptySubsequences: false).map {
      $0.lowercased()
    }
    if bytes.count > 8192, head.utf8.count > 8192 { return "it is too long" }
    guard lines[0].hasPrefix("get ") || lines[0].hasPrefix("head ") else { return "its method" }
    func values(_ name: String) -> [String] {
      lines.dropFirst().filter { $0.hasPrefix("\(name):") }.map {
        String($0.dropFirst(name.count + 1)).trimmed
      }
    }
    let found = values("host")
    guard found.count == 1 || found.isEmpty && lines[0].hasSuffix("http/1.0") else {
      return "its hosts"
    }
    // A target in absolute form replaces the header.
    let target = lines[0].split(separator: " ")[1]
    let named =
      target.hasPrefix("http://") ? target.dropFirst(7).prefix { !"/?".contains($0) } : nil
    let host = named.map(String.init) ?? found.first
    let own =
      /(localhost|boat|boat\.local|boat\.example|gps\.test|[0-9.]*[0-9][0-9.]*|\[[0-9a-f.:]*:[0-9a-f.:]*\])(:[0-9]*)?/
    guard host.map({ $0.wholeMatch(of: own) != nil }) != false else { return "its host" }
    guard
      values("origin").allSatisfy({ origin in host.map { origin == "http://\($0)" } == true }
      )
    else { return "its origin" }
    return values("sec-fetch-site").allSatisfy { ["none", "same-origin"].contains($0) }
      ? nil : "its site"
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self[...]
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return String(text.drop { $0 == " " || $0 == "\t" })
  }
}
