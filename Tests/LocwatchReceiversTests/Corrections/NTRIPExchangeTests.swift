import TestSupport
import Testing

@testable import LocwatchReceivers
@testable import LocwatchSystem

/// Fault 69.
@Suite struct `A connection to a caster` {
  private static let address = CasterAddress(host: "caster.example", port: 2101, mount: "NEAR")
  private static let (first, second) = (RTCMFrame.numbered(1), RTCMFrame.numbered(2))

  private static func exchange(_ request: NTRIPExchange.Request = .corrections) -> NTRIPExchange {
    NTRIPExchange(request, from: address, as: nil)
  }

  /// Returns what follows from an answer that arrives as a whole, and byte by byte.
  private static func events(
    _ answer: [UInt8], to request: NTRIPExchange.Request = .corrections
  ) -> [NTRIPExchange.Event] {
    var (whole, torn) = (exchange(request), exchange(request))
    let events = whole.receive(answer)
    #expect(answer.flatMap { torn.receive([$0]) } == events)
    #expect(torn.skippedCount == whole.skippedCount)
    return events
  }

  private static func events(
    _ answer: String, to request: NTRIPExchange.Request = .corrections
  ) -> [NTRIPExchange.Event] {
    events(Array(answer.utf8), to: request)
  }

  private static func failure(_ reason: String, isRefusal: Bool = false) -> NTRIPExchange.Event {
    .failed(NTRIPExchange.Failure(reason: reason, isRefusal: isRefusal))
  }

  private static func chunk(_ bytes: [UInt8], _ extras: String = "") -> [UInt8] {
    Array("\(String(bytes.count, radix: 16))\(extras)\r\n".utf8) + bytes + Array("\r\n".utf8)
  }

  @Test func `asks in a way that both versions understand`() {
    let user = CasterUser("u", password: "p")
    #expect(
      NTRIPExchange(.corrections, from: Self.address, as: user).text
        == "GET /NEAR HTTP/1.1\r\nHost: caster.example:2101\r\nNtrip-Version: Ntrip/2.0\r\n"
        + "User-Agent: NTRIP locwatch/\(version)\r\nAccept: */*\r\nConnection: close\r\n"
        + "Authorization: Basic dTpw\r\n\r\n")
    let table = Self.exchange(.table).text
    #expect(table.hasPrefix("GET / HTTP/1.1\r\n") && !table.contains("Authorization"))
    #expect(table.hasSuffix("close\r\n\r\n"))
    let six = CasterAddress(host: "::1", port: 1, mount: "M")
    #expect(NTRIPExchange(.table, from: six, as: nil).text.contains("Host: [::1]:1\r\n"))
  }

  @Test(arguments: [
    "ICY 200 OK\r\n\r\n", "ICY 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Type: gnss/data\r\n\r\n",
    "HTTP/1.0 200 OK\n\n",
  ])
  func `gives frames from the first on`(header: String) {
    let answer = Array(header.utf8) + Self.first + Self.second
    #expect(Self.events(answer) == [.frame(Self.first), .frame(Self.second)])
    var exchange = Self.exchange()
    #expect(!exchange.isAccepted)
    _ = exchange.receive(answer)
    #expect(exchange.isAccepted && exchange.skippedCount == 0)
    #expect(exchange.close() == [Self.failure("closed by the caster")])
    #expect(!exchange.isAccepted && exchange.close() == [])
    #expect(exchange.receive(Self.first) == [])
  }

  @Test(arguments: [
    "2\r\nab\r\n1\r\nc\r\n0\r\n", "2\nab\n1\nc\n0\n", "02 \r\nab\r\n1;x=2\r\nc\r\n00;y\r\n",
  ])
  func `has the data of chunks, however their lines end`(text: String) {
    let bytes = Array(text.utf8)
    for size in [1, 2, 3, bytes.count] {
      var chunks = ChunkReader()
      var data: [UInt8] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        #expect(!chunks.isOver && !chunks.isDamaged)
        data += chunks.data(in: Array(bytes[start..<min(start + size, bytes.count)]))
      }
      #expect(data == Array("abc".utf8) && chunks.isOver && !chunks.isDamaged)
      #expect(chunks.data(in: Array("1\r\nd".utf8)) == [])
    }
  }

  @Test(arguments: [
    ("3fffffff\r\nab", "ab", false), ("40000000\r\nab", "", true), ("\r\n", "", true),
    ("g\r\n", "", true), ("-1\r\na", "", true), ("1\r\nab\r\n", "a", true),
  ])
  func `has chunks of less than 1 GiB, each with a size and a line end`(
    text: String, data: String, isDamaged: Bool
  ) {
    var chunks = ChunkReader()
    #expect(chunks.data(in: Array(text.utf8)) == Array(data.utf8))
    #expect(chunks.isDamaged == isDamaged && !chunks.isOver)
    #expect(chunks.data(in: Array("c".utf8)) == (isDamaged ? [] : Array("c".utf8)))
  }

  @Test func `gives frames in chunks, even if the two end at different places`() {
    let header = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n".utf8)
    let both = Self.first + Self.second
    let chunks = Self.chunk(Array(both[..<7]), ";x=1") + Self.chunk(Array(both[7...]), " ")
    #expect(Self.events(header + chunks) == [.frame(Self.first), .frame(Self.second)])
    #expect(
      Self.events(header + Self.chunk(Self.first) + Array("0\r\n".utf8))
        == [.frame(Self.first), Self.failure("closed by the caster")])
  }

  @Test(arguments: ["x\r\n", "40000000\r\n", "-1\r\n", "\r\n", "1\r\nABC", "8000000000000000\r\n"])
  func `ends at what is no chunk`(body: String) {
    let header = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    #expect(Self.events(header + body) == [Self.failure("its chunks are damaged")])
  }

  @Test(arguments: [
    ("HTTP/1.1 401 Unauthorized\r\n\r\n", "401 Unauthorized"),
    ("HTTP/1.1 404 Not Found\r\nServer: x\r\nno colon\r\n\r\n", "404 Not Found"),
    (
      "HTTP/1.1 302 Found\r\nLocation: http://else.example/\r\n\r\n",
      "302 Found to http://else.example/"
    ),
    ("HTTP/1.1 307 Temporary Redirect\r\n\r\n", "307 Temporary Redirect"),
    ("HTTP/1.1 200 OK\r\nContent-Type: Text/HTML\r\n\r\n", "it sends text/html, not corrections"),
    ("HTTP/1.0 200 OK\nContent-Type: text/html\n\n", "it sends text/html, not corrections"),
    ("ERROR - Bad Password\r\n", "Bad Password"), ("ERROR\r\n", "ERROR"),
    ("HTTP/1.1\r\n\r\n", "HTTP/1.1"),
    (
      "HTTP/1.1 500 " + String(repeating: "x", count: 100) + "\r\n\r\n",
      "500 " + String(repeating: "x", count: 60)
    ),
  ])
  func `is refused with a reason`(answer: String, reason: String) {
    #expect(Self.events(answer) == [Self.failure(reason, isRefusal: true)])
  }

  @Test func `is not one to something else`() {
    #expect(
      Self.events("SSH-2.0-OpenSSH\r\n")
        == [Self.failure("not an NTRIP caster: it says 'SSH-2.0-OpenSSH'")])
  }

  @Test func `ends at a header without an end`() {
    let head = Array("HTTP/1.1 200 OK\r\nX: ".utf8)
    let room = [UInt8](repeating: 0x78, count: NTRIPHeader.maximumLength - head.count)
    var exchange = Self.exchange()
    #expect(exchange.receive(head + room) == [])
    #expect(exchange.receive([0x78]) == [Self.failure("its header has no end in 8192 bytes")])
    #expect(exchange.receive(room) == [])
    #expect(Self.exchange().skippedCount == 0)
    // Nor has one without a line.
    var other = Self.exchange()
    #expect(other.receive(room + room).count == 1)
  }

  @Test func `skips and counts a megabyte of noise, and finds frames in it`() {
    var exchange = Self.exchange()
    #expect(exchange.receive(Array("ICY 200 OK\r\n\r\n".utf8)) == [])
    let block = [UInt8](repeating: 0x55, count: 1024)
    for _ in 0..<1024 { #expect(exchange.receive(block) == []) }
    #expect(exchange.receive(Self.first) == [.frame(Self.first)])
    #expect(exchange.skippedCount == 1 << 20)
  }

  // MARK: The table

  private static let rows =
    "CAS;x\r\nSTR;FAR;a;b;c;d;e;f;g;1;2;1;0\r\nNET;y\r\nSTR;NEAR;a;b;c;d;e;f;g;1;2;1;0\r\n"
    + "ENDSOURCETABLE\r\n"

  @Test(arguments: [
    "SOURCETABLE 200 OK\r\nContent-Type: text/plain\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Type: gnss/sourcetable\r\n\r\n",
  ])
  func `has a table of mount points`(header: String) throws {
    let events = Self.events(header + Self.rows, to: .table)
    guard case .table(let table)? = events.first, events.count == 1 else {
      Issue.record("\(events)")
      return
    }
    #expect(table.needsPosition == true && table.isComplete)
    // What follows it, at once or later, changes nothing.
    #expect(Self.events(header + Self.rows + "STR;FAR2;\r\n", to: .table) == events)
    // Without its last line the table ends with the connection.
    var exchange = Self.exchange(.table)
    #expect(exchange.receive(Array((header + "STR;NEAR\n").utf8)) == [])
    guard case .table(let part)? = exchange.close().first else {
      Issue.record("no table")
      return
    }
    #expect(part.needsPosition == false && !part.isComplete)
  }

  @Test func `has no mount point if a table comes instead of corrections`() {
    let table = "SOURCETABLE 200 OK\r\n\r\nSTR;NERA;\r\nSTR;OTHER;\r\nENDSOURCETABLE\r\n"
    let reason = "no such mount point; did you mean NERA?"
    #expect(Self.events(table) == [Self.failure(reason, isRefusal: true)])
    let empty = "SOURCETABLE 200 OK\r\n\r\nENDSOURCETABLE\r\n"
    #expect(Self.events(empty) == [Self.failure("no such mount point", isRefusal: true)])
  }

  @Test func `is not taken for a table that it is not`() {
    #expect(Self.events("ICY 200 OK\r\n\r\n", to: .table) == [Self.failure("it has no table")])
  }
}

@Suite struct `A table of mount points` {
  private static func table(_ mount: String, _ lines: String...) -> CasterTable {
    var table = CasterTable(for: mount)
    table.add(Array(lines.map { $0 + "\r\n" }.joined().utf8))
    return table
  }

  @Test(arguments: [
    ("STR;M;a;b;c;d;e;f;g;1;2;1;0", true), ("STR;M;a;b;c;d;e;f;g;1;2;0;1", false),
    ("STR;M;a;b;c;d;e;f;g;1;2;1", true), ("STR;M;a;b;c;d;e;f;g;1;2", false),
    ("STR;M;;;;;;;;;;1", true), ("STR;M;a;b;c;d;e;f;g;1;2;11;0", false),
  ])
  func `says whether a mount point needs the position`(line: String, needsIt: Bool) {
    let table = Self.table("M", line)
    #expect(table.needsPosition == needsIt && table.hasMount)
  }

  @Test func `knows mount points by their whole names`() {
    #expect(!Self.table("M", "STR;MM;", "NET;M;", "STRX;M", "STR", "M").hasMount)
    #expect(Self.table("M", "STR;MM;;;;;;;;;;1").needsPosition == nil)
  }

  @Test func `names the nearest one, whatever its case`() {
    let names = ["STR;Berlin0;", "STR;POTSDAM0;"]
    #expect(Self.table("BERLIN", names[0], names[1]).nearestMount == "Berlin0")
    #expect(Self.table("POTSADM0", names[0], names[1]).nearestMount == "POTSDAM0")
    #expect(Self.table("X", names[0], names[1]).nearestMount == nil)
    #expect(Self.table("X").reason == "no such mount point")
  }

  @Test func `is looked into for what was not found`() {
    let table = Self.table("NEAR", "STR;NEAR1;")
    #expect(table.reason(for: "401 Unauthorized") == "401 Unauthorized")
    #expect(
      table.reason(for: "404 Not Found")
        == "404 Not Found: no such mount point; did you mean NEAR1?")
    #expect(Self.table("NEAR", "STR;NEAR;").reason(for: "404 Not Found") == "404 Not Found")
  }

  @Test func `takes no more memory for endless lines and lists`() {
    var table = CasterTable(for: "M")
    table.add([UInt8](repeating: 0x78, count: 100_000))
    table.add(Array("\nSTR;M;\nENDSOURCETABLE\nSTR;L;\n".utf8))
    #expect(table.hasMount && table.isComplete && table.nearestMount == nil)
    var long = CasterTable(for: "N1")
    for number in 10_000..<30_000 { long.add(Array("STR;x\(number);\n".utf8)) }
    #expect(!long.isComplete)
    long.add(Array("STR;N12345;\n".utf8))
    #expect(long.nearestMount == nil)
  }

  /// Fault 118.
  @Test(arguments: [(65_531, true), (65_532, false)])
  func `keeps 64 KiB of names`(count: Int, isKept: Bool) {
    var table = CasterTable(for: "MOUN")
    for start in stride(from: 0, to: count, by: 200) {
      let name = String(repeating: "x", count: min(200, count - start))
      table.add(Array("STR;\(name);\n".utf8))
    }
    table.add(Array("STR;MOUNT;\n".utf8))
    #expect(table.nearestMount == (isKept ? "MOUNT" : nil))
  }

  @Test(arguments: [(255, true), (256, false)])
  func `keeps names that a mount point can have`(count: Int, isKept: Bool) {
    let name = String(repeating: "a", count: count)
    let table = Self.table(String(repeating: "a", count: 254), "STR;\(name);")
    #expect(table.nearestMount == (isKept ? name : nil))
  }

  @Test func `ends after 2 MiB`() {
    var table = CasterTable(for: "M")
    for _ in 0..<2048 { table.add([UInt8](repeating: 0x0A, count: 1024)) }
    #expect(!table.isComplete)
    table.add([0x0A])
    #expect(table.isComplete)
  }

  @Test func `finds the nearest of names that are as long as can be`() {
    var table = CasterTable(for: String(repeating: "n", count: 255))
    for letter in 0..<257 {
      table.add(Array("STR;\(String(repeating: "m", count: 251))\(1000 + letter);\n".utf8))
    }
    #expect(table.nearestMount == nil)
  }
}
