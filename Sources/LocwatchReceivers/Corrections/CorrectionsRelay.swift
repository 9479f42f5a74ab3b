import EventLoop
import GPSDLocation
import LocationCore
import LocwatchSystem

/// Passes on the corrections of a caster to a private gpsd, which gives them to its receiver.
///
/// gpsd could connect to a caster itself. But it does not report failures, and does not recover from all of
/// them. While a caster cannot be reached, gpsd reports nothing of any receiver.
struct CorrectionsRelay {
  /// What is new after a turn.
  struct News: Equatable {
    /// What to report about the corrections.
    var corrections: [Corrections] = []
    /// Why the link has failed, each time.
    var failures: [String] = []
    /// Why the caster is given the position for the first time; `nil` if it is not.
    var positionReason: String?
  }

  private var link: CasterLink
  private var machine: CorrectionsMachine
  private(set) var feed = FrameFeed()
  private var arrivals: GPSDArrivals
  private let clock: LocationClock

  /// - Parameters:
  ///   - source: The name of the source of corrections.
  ///   - listener: The port from which gpsd reads.
  init(
    from link: CasterLink, named source: String, to listener: GPSDPort, clock: LocationClock,
    isGPSD: @escaping GPSDPort.Check
  ) {
    self.link = link
    machine = CorrectionsMachine(of: source)
    arrivals = GPSDArrivals(at: listener, clock: clock, isGPSD: isGPSD)
    self.clock = clock
  }

  /// How many bytes of the caster were no frames.
  var skippedCount: Int { link.skippedCount }

  /// What to wait for before the next turn.
  ///
  /// - Parameter receiverReports: Whether gpsd has recognised the receiver, so that it passes on frames.
  func sources(receiverReports: Bool) -> [AwaitedDescriptor] {
    let gpsd = feed.source.flatMap {
      AwaitedDescriptor($0, reading: true, writing: receiverReports && feed.hasPending)
    }
    return [arrivals.source, gpsd, link.source].compactMap(\.self)
  }

  /// When the next turn is due even if nothing comes.
  ///
  /// - Parameter hasPosition: Whether the position of the receiver is known.
  func deadline(hasPosition: Bool) -> Moment? {
    let position = hasPosition ? link.positionDeadline : nil
    return [machine.deadline, arrivals.deadline, link.deadline, position].compactMap(\.self).min()
  }

  /// Does what can be done without waiting.
  ///
  /// - Parameters:
  ///   - receiverReports: Whether gpsd has recognised the receiver, so that it passes on frames.
  ///   - position: Returns a sentence of NMEA with the position; `nil` while it is unknown.
  mutating func turn(receiverReports: Bool, position: () -> String? = { nil }) -> News {
    var news = News()
    handle(link.advance(), &news)
    // A frame that has just arrived may show that the caster needs no position.
    news.positionReason = link.sendPosition(position)
    if let lost = machine.expire(at: clock.now) { news.corrections.append(lost) }
    if let connection = arrivals.accept() { feed.connect(connection) }
    feed.attend()
    if receiverReports { feed.give() }
    return news
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
