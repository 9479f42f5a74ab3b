import EventLoop
import Glibc
import LocationCore
import LocwatchSystem

/// A connection to a ``PageServer``.
struct ServedClient {
  /// If more bytes wait for a reader of heads, it gets no newer head.
  private static let maximumHeadBehind = 16 * 1024
  /// How long a reader may take nothing.
  private static let readerPatience = Nanoseconds.seconds(10)
  /// How long the client has to close the connection. What it sent must not end the connection before its answer has
  /// arrived.
  private static let endPatience = Nanoseconds.seconds(1)

  private enum Phase {
    case reading(HTTPRequestReader)
    case asking(HTTPRequest)
    case answering
    case streaming(ServedStream)
    case ending
  }

  let host: [UInt8]
  private let socket: Socket
  private var phase = Phase.reading(HTTPRequestReader())
  private(set) var deadline: Moment
  /// What waits to be sent: a head, and a body that other clients may share.
  private var head = PendingBytes()
  private var body: ArraySlice<UInt8> = []
  /// How many bytes a reader may be behind.
  private var room = PageServer.maximumBehind
  /// Whether a reader has closed its side of the connection.
  private var isHalfClosed = false

  init(_ socket: Socket, host: [UInt8], until deadline: Moment) {
    self.socket = socket
    self.host = host
    self.deadline = deadline
  }

  /// The stream that the client reads; `nil` for none.
  var stream: ServedStream? { if case .streaming(let stream) = phase { stream } else { nil } }

  /// Whether the client has not asked, or has its answer.
  var isIdle: Bool {
    switch phase {
    case .reading, .ending: true
    case .asking, .answering, .streaming: false
    }
  }

  /// What to wait for; `nil` for nothing.
  var source: AwaitedDescriptor? {
    switch phase {
    case .reading, .ending: AwaitedDescriptor(socket.descriptor)
    case .asking: nil
    case .answering: AwaitedDescriptor(socket.descriptor, for: .writing)
    case .streaming:
      .init(socket.descriptor, for: !head.isEmpty ? .writing : isHalfClosed ? .hangUp : .end)
    }
  }

  /// Answers a client for which there is no room, without waiting for it.
  mutating func turnAway(at now: Moment, _ content: any ServedContent) {
    // If something were left to read, the end of the connection would be an error for the client.
    _ = socket.takeArrived()
    refuse(.busy, content)
    _ = answer(at: now)
  }

  /// Adds news to a stream.
  mutating func take(_ news: [UInt8]) {
    if stream == .head, head.count + socket.unsentCount > Self.maximumHeadBehind { return }
    head.append(news)
  }

  /// Does what can be done without waiting. Returns `false` if the connection is over.
  mutating func advance(at now: Moment, _ content: any ServedContent, _ names: RequestGuard) -> Bool
  {
    guard now < deadline || stream != nil else { return false }
    if case .reading(let reader) = phase, !read(reader, at: now, content, names) { return false }
    if case .asking(let request) = phase { ask(request, at: now, content) }
    switch phase {
    case .reading, .asking: return true
    case .answering: return answer(at: now)
    case .streaming: return stream(at: now)
    case .ending: return socket.takeArrived() != nil
    }
  }

  private mutating func read(
    _ reader: HTTPRequestReader, at now: Moment, _ content: any ServedContent, _ names: RequestGuard
  ) -> Bool {
    var reader = reader
    do throws(HTTPRefusal) {
      guard let bytes = socket.takeArrived() else {
        if reader.isEmpty { return false }
        throw .noRequest
      }
      guard let request = try reader.read(bytes) else {
        phase = .reading(reader)
        return true
      }
      if let refusal = names.refusal(of: request) { throw refusal }
      phase = .asking(request)
    } catch {
      refuse(error, content)
    }
    deadline = now.later(by: PageServer.answerPatience)
    return true
  }

  private mutating func ask(
    _ request: HTTPRequest, at now: Moment, _ content: any ServedContent
  ) {
    let isWhole = request.method != "HEAD"
    switch content.answer(to: request.path, at: now) {
    case .later: break
    case .none: refuse(.noPage, content, isWhole: isWhole)
    case .document(let type, let bytes):
      begin("200 OK", type, content, ["Content-Length: \(bytes.count)"])
      if isWhole { body = bytes[...] }
    case .stream(let stream, let beginning):
      begin("200 OK", "text/event-stream", content)
      guard isWhole else { return }
      head.append(beginning)
      room += head.count
      socket.sendAtOnce()
      phase = .streaming(stream)
      deadline = now.later(by: Self.readerPatience)
    }
  }

  private mutating func refuse(
    _ refusal: HTTPRefusal, _ content: any ServedContent, isWhole: Bool = true
  ) {
    let allow = refusal == .wrongMethod ? ["Allow: GET, HEAD"] : []
    begin(refusal.status, "text/plain", content, allow)
    if isWhole { body = Array("\(refusal.message)\n".utf8)[...] }
  }

  private mutating func begin(
    _ status: String, _ type: String, _ content: any ServedContent, _ more: [String] = []
  ) {
    let lines =
      [
        "HTTP/1.1 \(status)", "Content-Type: \(type); charset=utf-8", "Cache-Control: no-store",
        "X-Content-Type-Options: nosniff", "Cross-Origin-Resource-Policy: same-origin",
        "Content-Security-Policy: \(content.policy)", "Referrer-Policy: no-referrer",
        "Connection: close",
      ] + more
    head.append(lines.map { "\($0)\r\n" }.joined().utf8)
    head.append("\r\n".utf8)
    phase = .answering
  }

  private mutating func answer(at now: Moment) -> Bool {
    guard head.write(by: socket.write) else { return false }
    while head.isEmpty, !body.isEmpty {
      guard let count = socket.write(body) else { return false }
      if count == 0 { return true }
      body = body.dropFirst(count)
    }
    guard head.isEmpty else { return true }
    body = []
    _ = shutdown(socket.descriptor, CInt(SHUT_WR))
    phase = .ending
    deadline = now.later(by: Self.endPatience)
    return true
  }

  private mutating func stream(at now: Moment) -> Bool {
    if !isHalfClosed, socket.hasHungUp {
      // It may go on reading. If it does not, it answers this comment by resetting the connection.
      isHalfClosed = true
      head.append(":\n\n".utf8)
    }
    guard !socket.isOver, head.write(by: socket.write) else { return false }
    let behind = head.count + socket.unsentCount
    if behind == 0 {
      room = PageServer.maximumBehind
      deadline = now.later(by: Self.readerPatience)
    }
    return behind <= room && now < deadline
  }
}
