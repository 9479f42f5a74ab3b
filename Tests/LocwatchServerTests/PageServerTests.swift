import EventLoop
import GPSDLocation
import Glibc
import LocationCore
import LocationTestKit
import LocwatchTestSupport
import Synchronization
import Testing

@testable import LocwatchServer
@testable import LocwatchSystem

/// A server with clients that the test plays, turn by turn.
@Suite(.timeLimit(.minutes(5))) struct `The server of a page` {
  private final class Content: ServedContent {
    struct State {
      var answers: [String: ServedAnswer] = [:]
      var news: [ServedStream: [[UInt8]]] = [:]
      var readers: Set<ServedStream> = []
      var deadline: Moment?
    }

    let state = Mutex(State())
    let policy = "default-src 'none'"
    var deadline: Moment? { state.withLock(\.deadline) }
    var readers: Set<ServedStream> { state.withLock(\.readers) }

    func answer(to path: String, at now: Moment) -> ServedAnswer {
      state.withLock { $0.answers[path] ?? .none }
    }

    func takeNews(for stream: ServedStream, at now: Moment) -> [UInt8] {
      state.withLock { state in
        let news = state.news[stream]?.first ?? []
        if !news.isEmpty { state.news[stream]?.removeFirst() }
        return news
      }
    }

    func setReaders(of streams: Set<ServedStream>) { state.withLock { $0.readers = streams } }
  }

  private final class Scene {
    let clock = ManualClock()
    let content = Content()
    let address: HostAddress
    private(set) var server: PageServer

    convenience init() throws {
      let (listener, address) = try Socket.listeningLocally()
      self.init(at: listener, address)
    }

    init(at listener: Socket, _ address: HostAddress) {
      self.address = address
      server = PageServer(
        at: listener, for: RequestGuard(computer: "boat"), content: content,
        clock: clock.locationClock)
      content.state.withLock { state in
        state.answers["/fix"] = .document(type: "text/x", Array("{}\n".utf8))
        state.answers["/events"] = .stream(.records, beginning: Array("data: 1\n\n".utf8))
        state.answers["/live"] = .stream(.head, beginning: [])
      }
    }

    /// Connects a client, from an address of its own or from that of all others.
    ///
    /// - Parameter request: What it sends before it is accepted.
    func connect(fromOwnAddress isOwn: Bool = false, sending request: String = "") throws -> Socket
    {
      let client = try Socket(AF_UNIX)
      if isOwn { _ = try client.bindToLocalAddress() }
      #expect(client.connect(to: address) && client.send(request))
      work()
      return client
    }

    func ask(_ path: String, by method: String = "GET", fromOwnAddress isOwn: Bool = false) throws
      -> Socket
    {
      let client = try connect(fromOwnAddress: isOwn)
      #expect(client.send("\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n"))
      work()
      return client
    }

    /// Lets the server work until there is nothing left to do.
    func work() {
      for _ in 0..<10_000 {
        server.turn()
        if !server.sources.areReady() { return }
      }
      Issue.record("works without end")
    }

    /// Lets the server work until a condition is met. Returns whether it was, without a pause of 20 s.
    func work(until isMet: () -> Bool) -> Bool {
      while !isMet() {
        guard server.sources.areReady(within: 20_000) else { return false }
        server.turn()
      }
      return true
    }

    /// Has news for the readers of a stream, and lets the server pass it on.
    func publish(_ news: [UInt8], to stream: ServedStream = .records) {
      content.state.withLock { $0.news[stream, default: []].append(news) }
      work()
    }

    func advance(by duration: Duration) {
      clock.jump(by: duration)
      work()
    }
  }

  /// What has arrived; `nil` if nothing has, and the connection is over.
  private func received(by client: Socket) -> String? {
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    guard let count = client.read(into: &bytes) else { return errno == EAGAIN ? "" : nil }
    return count == 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
  }

  private func isOver(_ client: Socket) -> Bool {
    client.waitForEnd() && received(by: client) == nil
  }

  private func head(_ status: String, _ type: String, _ more: String = "") -> String {
    "HTTP/1.1 \(status)\r\nContent-Type: \(type); charset=utf-8\r\nCache-Control: no-store\r\n"
      + "X-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: same-origin\r\n"
      + "Content-Security-Policy: default-src 'none'\r\nReferrer-Policy: no-referrer\r\n"
      + "Connection: close\r\n\(more)\r\n"
  }

  @Test func `answers a request, and ends the connection`() throws {
    let scene = try Scene()
    let client = try scene.ask("/fix")
    #expect(
      received(by: client) == head("200 OK", "text/x", "Content-Length: 3\r\n") + "{}\n")
    #expect(isOver(client))
    client.hangUp()
    scene.work()
    #expect(scene.server.sources.count == 1 && scene.server.deadline == nil)
  }

  @Test func `answers HEAD without a body`() throws {
    let scene = try Scene()
    let client = try scene.ask("/fix", by: "HEAD")
    #expect(received(by: client) == head("200 OK", "text/x", "Content-Length: 3\r\n"))
    let reader = try scene.ask("/events", by: "HEAD")
    #expect(received(by: reader) == head("200 OK", "text/event-stream"))
    #expect(isOver(reader) && scene.content.readers == [])
    #expect(received(by: try scene.ask("/x", by: "HEAD")) == head("404 Not Found", "text/plain"))
  }

  @Test func `says why it refuses a request, and reads no body`() throws {
    let scene = try Scene()
    #expect(
      received(by: try scene.ask("/x"))
        == head("404 Not Found", "text/plain") + "The pages are /, /events, /fix and /metrics.\n")
    let client = try scene.connect()
    let body = String(repeating: "x", count: 100_000)
    #expect(
      client.send("POST /fix HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n\(body)"))
    scene.work()
    let answer = head("405 Method Not Allowed", "text/plain", "Allow: GET, HEAD\r\n")
    #expect(received(by: client) == answer + "Only GET and HEAD are allowed.\n")
    #expect(isOver(client))
    let stranger = try scene.connect()
    #expect(stranger.send("GET /fix HTTP/1.1\r\nHost: evil.example\r\n\r\n"))
    scene.work()
    #expect(received(by: stranger)?.hasPrefix("HTTP/1.1 421 ") == true)
  }

  @Test func `answers half a request only at its end`() throws {
    let scene = try Scene()
    let client = try scene.connect()
    #expect(client.send("GET /fix HTTP/1.1\r\nHost: local"))
    scene.work()
    #expect(received(by: client) == "")
    shutdown(client.descriptor, CInt(SHUT_WR))
    scene.work()
    #expect(received(by: client)?.hasPrefix("HTTP/1.1 400 ") == true)
    let silent = try scene.connect()
    shutdown(silent.descriptor, CInt(SHUT_WR))
    scene.work()
    #expect(isOver(silent))
  }

  @Test func `waits five seconds for a request`() throws {
    let scene = try Scene()
    let client = try scene.connect()
    for byte in "GET /" {
      #expect(client.send(String(byte)))
      scene.advance(by: .milliseconds(999))
    }
    #expect(received(by: client) == "")
    #expect(scene.server.deadline == scene.clock.locationClock.now.advanced(by: .milliseconds(5)))
    scene.advance(by: .milliseconds(5))
    #expect(isOver(client) && scene.server.sources.count == 1)
  }

  @Test func `waits one second for the end of a client that has its answer`() throws {
    let scene = try Scene()
    let client = try scene.ask("/fix")
    #expect(scene.server.sources.count == 2)
    scene.advance(by: .seconds(1))
    #expect(scene.server.sources.count == 1)
    withExtendedLifetime(client) {}
  }

  @Test func `waits thirty seconds for a client that does not take its answer`() throws {
    let scene = try Scene()
    let body = [UInt8](repeating: 0x78, count: 1 << 20)
    scene.content.state.withLock { $0.answers["/"] = .document(type: "text/html", body) }
    let client = try scene.ask("/")
    scene.advance(by: .milliseconds(29_999))
    #expect(scene.server.sources.last?.interest == .writing)
    // Reading some of it is not enough.
    var bytes = [UInt8](repeating: 0, count: 1000)
    #expect(client.read(into: &bytes) == 1000)
    scene.advance(by: .milliseconds(1))
    #expect(scene.server.sources.count == 1)
    // A client that takes all of it gets all of it.
    let other = try scene.ask("/")
    var count = 0
    while let text = received(by: other) {
      count += text.utf8.count
      scene.work()
    }
    #expect(count > 1 << 20 && count < 1 << 20 | 1000)
  }

  @Test func `answers when the page is made`() throws {
    let scene = try Scene()
    scene.content.state.withLock { $0.answers["/"] = .later }
    let client = try scene.ask("/")
    #expect(received(by: client) == "" && scene.server.sources.count == 1)
    scene.content.state.withLock { $0.answers["/"] = .document(type: "text/html", [0x78]) }
    scene.work()
    #expect(received(by: client)?.hasSuffix("\r\n\r\nx") == true)
  }

  @Test func `sends each reader the beginning, and then the news of its stream`() throws {
    let scene = try Scene()
    let (first, head) = (try scene.ask("/events"), try scene.ask("/live"))
    #expect(scene.content.readers == [.records, .head])
    #expect(received(by: first) == self.head("200 OK", "text/event-stream") + "data: 1\n\n")
    #expect(received(by: head) == self.head("200 OK", "text/event-stream"))
    scene.publish(Array("data: 2\n\n".utf8))
    #expect(received(by: first) == "data: 2\n\n" && received(by: head) == "")
    let second = try scene.ask("/events")
    #expect(received(by: second)?.hasSuffix("\r\n\r\ndata: 1\n\n") == true)
    scene.publish(Array("data: 3\n\n".utf8))
    #expect(received(by: first) == "data: 3\n\n" && received(by: second) == "data: 3\n\n")
    head.hangUp()
    scene.work()
    #expect(scene.content.readers == [.records])
    first.hangUp()
    second.hangUp()
    scene.work()
    #expect(scene.content.readers == [] && scene.server.sources.count == 1)
  }

  /// A client may end its side of the connection and go on reading (RFC 9112, 9.6).
  @Test(arguments: ["/events", "/live"])
  func `sends to a reader that sends nothing more, until that is gone`(path: String) throws {
    let scene = try Scene()
    let client = try scene.connect()
    #expect(client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n"))
    shutdown(client.descriptor, CInt(SHUT_WR))
    scene.work()
    let beginning = path == "/events" ? "data: 1\n\n" : ""
    #expect(
      received(by: client) == head("200 OK", "text/event-stream") + beginning + ":\n\n")
    let stream = path == "/events" ? ServedStream.records : .head
    for number in 2...3 {
      scene.publish(Array("data: \(number)\n\n".utf8), to: stream)
      #expect(received(by: client) == "data: \(number)\n\n")
    }
    scene.advance(by: .seconds(3600))
    #expect(scene.content.readers == [stream])
    client.hangUp()
    scene.work()
    #expect(scene.content.readers == [] && scene.server.sources.count == 1)
  }

  /// TCP does not say whether the peer has closed both sides until something is sent to it.
  @Test func `notices that a reader over TCP is gone, without news`() throws {
    let loopback = NetworkAddress(.tcp, host: "127.0.0.1", port: 0)
    let listener = try Socket.listening(at: #require(HostAddress.known(of: loopback)?.first))
    let scene = Scene(at: listener, try #require(listener.address))
    let client = try Socket(AF_INET)
    #expect(client.connect(to: scene.address))
    #expect(client.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"))
    #expect(scene.work { scene.content.readers == [.records] })
    client.hangUp()
    #expect(scene.work { scene.content.readers == [] && scene.server.sources.count == 1 })
  }

  @Test func `cuts off a reader that is 64 KiB behind, and no other`() throws {
    let scene = try Scene()
    let (slow, quick) = (try scene.ask("/events"), try scene.ask("/events"))
    _ = received(by: quick)
    let record = [UInt8](repeating: 0x78, count: 8 * 1024)
    var (count, published) = (0, 0)
    while scene.server.sources.count == 3, published < 1000 {
      scene.publish(record)
      published += 1
      count += received(by: quick)?.utf8.count ?? 0
    }
    #expect(published >= 8 && published < 1000 && count == published * record.count)
    #expect(scene.content.readers == [.records])
    withExtendedLifetime(slow) {}
  }

  /// The records of a thousand receivers are not news.
  @Test func `sends a beginning of any size`() throws {
    let scene = try Scene()
    let beginning = [UInt8](repeating: 0x78, count: 1 << 20)
    scene.content.state.withLock { $0.answers["/events"] = .stream(.records, beginning: beginning) }
    let client = try scene.ask("/events")
    var count = 0
    while let text = received(by: client), !text.isEmpty {
      count += text.utf8.count
      scene.work()
    }
    #expect(count > 1 << 20 && scene.server.sources.count == 2)
    // Once it has the beginning, it is cut off as any other.
    var published = 0
    while scene.server.sources.count == 2, published < 1 << 20 {
      scene.publish([UInt8](repeating: 0x78, count: 8 * 1024))
      published += 8 * 1024
    }
    #expect(published < 1 << 19)
  }

  @Test func `sends no more heads to a page that takes none, and ends it after ten seconds`() throws
  {
    let scene = try Scene()
    let client = try scene.ask("/live")
    let head = [UInt8](repeating: 0x78, count: 12 * 1024)
    for _ in 0..<100 { scene.publish(head, to: .head) }
    let text = received(by: client)
    #expect(text.map { $0.utf8.count < 40_000 } == true)
    for _ in 0..<100 { scene.publish(head, to: .head) }
    scene.advance(by: .milliseconds(9_999))
    #expect(scene.server.sources.count == 2)
    scene.advance(by: .milliseconds(1))
    #expect(scene.server.sources.count == 1)
  }

  @Test func `keeps a reader without news`() throws {
    let scene = try Scene()
    let client = try scene.ask("/events")
    _ = received(by: client)
    for _ in 0..<10 { scene.advance(by: .seconds(9)) }
    scene.advance(by: .seconds(3600))
    #expect(scene.server.sources.count == 2)
  }

  @Test func `has sixteen connections from one address`() throws {
    let scene = try Scene()
    let stranger = try scene.connect(fromOwnAddress: true)
    let readers = try (0..<15).map { _ in try scene.ask("/events") }
    let idle = try scene.connect()
    // It has not asked, so it makes room.
    let last = try scene.ask("/events")
    #expect(isOver(idle))
    #expect(received(by: last)?.isEmpty == false)
    let refused = try scene.connect()
    #expect(received(by: refused) == tooMany)
    #expect(isOver(refused))
    let other = try scene.ask("/fix", fromOwnAddress: true)
    #expect(received(by: other)?.hasPrefix("HTTP/1.1 200 ") == true)
    #expect(received(by: stranger) == "")
    withExtendedLifetime(readers) {}
  }

  private var tooMany: String {
    head("503 Service Unavailable", "text/plain") + "There are too many connections.\n"
  }

  @Test func `ends the connection of a client without a place even if it has asked`() throws {
    let scene = try Scene()
    let readers = try (0..<16).map { _ in try scene.ask("/events") }
    let refused = try scene.connect(sending: "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(received(by: refused) == tooMany)
    #expect(refused.waitForEnd())
    // An error would mean that the connection was reset.
    var rest: [UInt8] = [0]
    #expect(refused.read(into: &rest) == 0)
    withExtendedLifetime(readers) {}
  }

  @Test func `has 64 connections`() throws {
    let scene = try Scene()
    let slow = try scene.connect(fromOwnAddress: true)
    let readers = try (0..<63).map { _ in try scene.ask("/events", fromOwnAddress: true) }
    #expect(received(by: slow) == "")
    let next = try scene.ask("/fix", fromOwnAddress: true)
    #expect(isOver(slow))
    #expect(received(by: next)?.hasPrefix("HTTP/1.1 200 ") == true)
    let reader = try scene.ask("/events", fromOwnAddress: true)
    #expect(isOver(next))
    #expect(received(by: reader)?.hasPrefix("HTTP/1.1 200 ") == true)
    #expect(
      received(by: try scene.connect(fromOwnAddress: true))?.hasPrefix("HTTP/1.1 503 ") == true)
    withExtendedLifetime((readers, reader)) {}
  }

  @Test func `takes no place of another address for a seventeenth connection from one`() throws {
    let scene = try Scene()
    let idle = try scene.connect(fromOwnAddress: true)
    let others = try (0..<47).map { _ in try scene.ask("/events", fromOwnAddress: true) }
    let readers = try (0..<16).map { _ in try scene.ask("/events") }
    #expect(received(by: try scene.connect()) == tooMany)
    #expect(received(by: idle) == "")
    let other = try scene.ask("/fix", fromOwnAddress: true)
    #expect(isOver(idle))
    #expect(received(by: other)?.hasPrefix("HTTP/1.1 200 ") == true)
    withExtendedLifetime((others, readers)) {}
  }

  /// 64 that send a byte a second, and as many that do not read.
  @Test func `answers others at once while it has slow clients`() throws {
    let scene = try Scene()
    let body = [UInt8](repeating: 0x78, count: 1 << 20)
    scene.content.state.withLock { $0.answers["/"] = .document(type: "text/html", body) }
    var clients = try (0..<15).map { _ in try scene.ask("/") }
    for _ in 0..<200 {
      let client = try scene.connect()
      _ = client.send("G")
      clients.append(client)
    }
    for _ in 0..<1000 { _ = try scene.connect() }
    let client = try scene.ask("/fix")
    #expect(received(by: client)?.hasPrefix("HTTP/1.1 200 ") == true)
    withExtendedLifetime(clients) {}
  }

  @Test func `accepts no connection for a second after one could not be accepted`() throws {
    let clock = ManualClock()
    var server = PageServer(
      at: try Socket(AF_UNIX), for: RequestGuard(computer: "boat"), content: Content(),
      clock: clock.locationClock)
    #expect(server.sources.count == 1)
    server.turn()
    #expect(server.sources.isEmpty)
    #expect(server.deadline == clock.locationClock.now.advanced(by: .seconds(1)))
    clock.jump(by: .seconds(1))
    #expect(server.sources.count == 1 && server.deadline == nil)
  }

  @Test func `waits until its content has news`() throws {
    let scene = try Scene()
    let moment = scene.clock.locationClock.now.advanced(by: .milliseconds(500))
    scene.content.state.withLock { $0.deadline = moment }
    #expect(scene.server.deadline == moment)
    let client = try scene.connect()
    #expect(scene.server.deadline == moment)
    withExtendedLifetime(client) {}
  }
}
