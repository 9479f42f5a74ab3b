package import EventLoop
import Glibc
package import LocationCore
package import LocwatchSystem

/// Serves a page to browsers, with an answer to one request for each connection.
///
/// Nothing waits for a client. What a client sends and takes is limited in size and time, and the oldest connection
/// without a request makes room for a new one.
package struct PageServer {
  /// The maximum number of connections.
  package static let maximumConnections = 64
  /// The maximum number of connections from one address.
  package static let maximumOfAddress = 16
  /// The number of bytes that wait for a reader of records. Beyond it, the reader is cut off.
  package static let maximumBehind = 64 * 1024
  /// How long a request may take, and its answer.
  static let requestPatience = Nanoseconds.seconds(5)
  package static let answerPatience = Nanoseconds.seconds(30)
  /// How many connections are accepted in a turn.
  private static let share = 16
  /// The pause after the system had no descriptor for a connection.
  private static let pause = Nanoseconds.seconds(1)

  private let listener: Socket
  private let names: RequestGuard
  private let content: any ServedContent
  private let clock: LocationClock
  private var clients: [ServedClient] = []
  /// When a pause ends.
  private var resumption = Moment.past

  /// - Parameter listener: A socket that listens and never blocks.
  package init(
    at listener: Socket, for names: RequestGuard, content: any ServedContent, clock: LocationClock
  ) {
    self.listener = listener
    self.names = names
    self.content = content
    self.clock = clock
  }

  /// What to wait for before the next turn.
  package var sources: [AwaitedDescriptor] {
    let arrivals = resumption <= clock.now ? [AwaitedDescriptor(listener.descriptor)] : []
    return arrivals + clients.compactMap(\.source)
  }

  /// When the next turn is due even if nothing comes.
  package var deadline: Moment? {
    var deadline = clients.reduce(content.deadline) { $1.deadline.earlier(of: $0) }
    if resumption > clock.now { deadline = resumption.earlier(of: deadline) }
    return deadline
  }

  /// Does what can be done without waiting.
  package mutating func turn() {
    let now = clock.now
    if resumption <= now { acceptAll(at: now) }
    for stream in Set(clients.compactMap(\.stream)) {
      let news = content.takeNews(for: stream, at: now)
      guard !news.isEmpty else { continue }
      for index in clients.indices where clients[index].stream == stream {
        clients[index].take(news)
      }
    }
    for index in clients.indices.reversed() {
      if !clients[index].advance(at: now, content, names) { clients.remove(at: index) }
    }
    content.setReaders(of: Set(clients.compactMap(\.stream)))
  }

  private mutating func acceptAll(at now: Moment) {
    do throws(LocationError) {
      for _ in 0..<Self.share {
        guard let (socket, peer) = try listener.accept() else { return }
        let patience = now.later(by: Self.requestPatience)
        admit(ServedClient(socket, host: peer.host, until: patience), at: now)
      }
    } catch {
      resumption = now.later(by: Self.pause)
    }
  }

  private mutating func admit(_ client: ServedClient, at now: Moment) {
    var client = client
    let ofAddress = clients.count { $0.host == client.host }
    let isAddressFull = ofAddress >= Self.maximumOfAddress
    if isAddressFull || clients.count >= Self.maximumConnections {
      let idle = clients.firstIndex { $0.isIdle && (!isAddressFull || $0.host == client.host) }
      guard let idle else { return client.turnAway(at: now, content) }
      clients.remove(at: idle)
    }
    clients.append(client)
  }
}
