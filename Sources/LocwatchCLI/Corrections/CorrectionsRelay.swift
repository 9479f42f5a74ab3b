import GPSDLocation
import Glibc
import LocationCore
import LocwatchSystem

/// Passes on the corrections of a caster to a private gpsd, which gives them to its receiver.
///
/// gpsd could connect to a caster by itself. But it tells nobody what goes wrong, does not come back from all of
/// it, and while a caster cannot be reached, gpsd reports nothing of any receiver.
struct CorrectionsRelay {
  /// What is new after a turn.
  struct News: Equatable {
    /// What is to be told of the corrections.
    var corrections: [Corrections] = []
    /// Why the link has failed, each time.
    var failures: [String] = []
  }

  private var link: CasterLink
  private var machine: CorrectionsMachine
  private(set) var feed = FrameFeed()
  private var arrivals: GPSDArrivals
  private let clock: LocationClock
  private let alwaysSendsPosition: Bool

  /// - Parameters:
  ///   - source: The name of the source of corrections.
  ///   - listener: The port from which gpsd reads.
  ///   - alwaysSendsPosition: Whether the caster is sent the position even if it does not ask for it.
  init(
    from link: CasterLink, named source: String, to listener: LogListener, clock: LocationClock,
    alwaysSendsPosition: Bool = false, isGPSD: @escaping LogListener.Check
  ) {
    self.link = link
    machine = CorrectionsMachine(of: source)
    arrivals = GPSDArrivals(at: listener, clock: clock, isGPSD: isGPSD)
    self.clock = clock
    self.alwaysSendsPosition = alwaysSendsPosition
  }

  /// How many bytes of the caster were no frames.
  var skippedCount: Int { link.skippedCount }

  /// Does what can be done, and waits for what comes next.
  ///
  /// - Parameters:
  ///   - milliseconds: How long to wait.
  ///   - receiverReports: Whether gpsd has recognised the receiver, so that it passes on frames.
  ///   - position: Returns a sentence of NMEA with the position; `nil` while it is unknown.
  mutating func turn(
    within milliseconds: CInt, receiverReports: Bool, position: () -> String? = { nil }
  ) -> News {
    var news = News()
    handle(link.expire(), &news)
    if let lost = machine.expire(at: clock.now) { news.corrections.append(lost) }
    if alwaysSendsPosition || link.needsPosition { link.sendPosition(position) }
    let caster = link.request
    let wishes = POLLIN | (receiverReports && feed.hasPending ? POLLOUT : 0)
    var requests = [
      arrivals.request,
      pollfd(fd: feed.source?.descriptor ?? -1, events: Int16(wishes), revents: 0),
      pollfd(fd: caster?.socket.descriptor ?? -1, events: Int16(caster?.events ?? 0), revents: 0),
    ]
    let wait = news == News() ? limit(milliseconds) : 0
    guard unsafe poll(&requests, nfds_t(requests.count), wait) > 0 else { return news }
    if requests[2].revents != 0 { handle(link.advance(), &news) }
    if requests[0].revents != 0, let connection = arrivals.accept() { feed.connect(connection) }
    if requests[1].revents != 0 { feed.attend() }
    if receiverReports { feed.give() }
    return news
  }

  /// Returns how long to wait.
  private func limit(_ milliseconds: CInt) -> CInt {
    let deadline = link.deadline.earlier(of: machine.deadline)
    return min(milliseconds, Poll.milliseconds(of: clock.now.nanoseconds(to: deadline)))
  }

  private mutating func handle(_ events: [CasterLink.Event], _ news: inout News) {
    for event in events {
      let told: Corrections?
      switch event {
      case .frame(let frame):
        feed.add(frame)
        told = machine.handle(frame, at: clock.now)
      case .failed(let reason):
        news.failures.append(reason)
        told = machine.fail(reason, at: clock.now)
      }
      if let told { news.corrections.append(told) }
    }
  }
}
