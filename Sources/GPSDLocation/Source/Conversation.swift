import LocationCore

/// When to doubt a gpsd, and when to give it up.
///
/// It is told what came and when, and says what to do. gpsd may take seconds to answer while it opens
/// a receiver, and goes deaf when one is plugged in again until somebody speaks to it.
struct Conversation: Sendable {
  /// How long gpsd may take for its first word.
  static let longestFirstAnswer = Nanoseconds.seconds(15)
  /// After so long without a byte gpsd is asked whether it is there, once in as long.
  static let probeAfter = Nanoseconds.seconds(10)
  /// After so long without a byte the connection is given up.
  static let giveUpAfter = Nanoseconds.seconds(20)
  /// So many lines, or bytes, that are no reports make it something else than a gpsd, as long as it
  /// has not sent a report.
  static let mostForeignLines = 8
  static let mostForeignBytes = 65_536

  enum Action: Equatable {
    case wait
    case probe
    case fail(LocationError)
  }

  private var lastHeard: Moment
  private var lastProbe: Moment?
  private var receivers = QuietReceivers()
  private var isGPSD = false
  private var foreignLines = 0
  private var foreignBytes = 0
  private var foreignText = ""
  private var isForeignTextTaken = false

  init(openedAt moment: Moment) { lastHeard = moment }

  /// When ``expire(at:)`` has something to do.
  var deadline: Moment {
    guard isGPSD else { return lastHeard.later(by: Self.longestFirstAnswer) }
    let pause = lastProbe == nil ? Self.probeAfter : Self.giveUpAfter
    return lastHeard.later(by: pause).orEarlier(receivers.deadline(after: Self.probeAfter))
  }

  mutating func hear(reportAt moment: Moment) {
    lastHeard = moment
    lastProbe = nil
    isGPSD = true
  }

  /// Notes which receiver an event is of.
  mutating func note(_ event: LocationEvent, at moment: Moment) {
    switch event {
    case .fix(let fix): receivers.hear(fix.device, at: moment)
    case .noFix(let noFix): receivers.hear(noFix.device, at: moment)
    case .removed(let path): receivers.forget(path)
    case .sky, .service, .receivers, .receiver, .refused, .notice: break
    }
  }

  /// So many bytes came that are no line.
  mutating func hear(discarded bytes: Int, at moment: Moment) -> Action {
    hear(foreign: bytes, text: "\(bytes) bytes without a line end", at: moment)
  }

  /// A line came that is no report.
  mutating func hear(foreign line: ArraySlice<UInt8>, at moment: Moment) -> Action {
    hear(
      foreign: line.count, text: String(decoding: line.prefix(60), as: UTF8.self), at: moment)
  }

  private mutating func hear(
    foreign bytes: Int, text: @autoclosure () -> String, at moment: Moment
  ) -> Action {
    guard !isGPSD else {
      lastHeard = moment
      lastProbe = nil
      return .wait
    }
    foreignLines += 1
    foreignBytes += bytes
    if foreignText.isEmpty { foreignText = text() }
    guard foreignLines > Self.mostForeignLines || foreignBytes > Self.mostForeignBytes else {
      return .wait
    }
    return .fail(notGPSD)
  }

  /// Returns, once, what came instead of a gpsd's first report.
  mutating func takeForeignText() -> String? {
    guard !isGPSD, foreignLines > 0, !isForeignTextTaken else { return nil }
    isForeignTextTaken = true
    return foreignText.trimmed
  }

  /// What to do at `moment`, at which nothing had come.
  mutating func expire(at moment: Moment) -> Action {
    guard deadline <= moment else { return .wait }
    guard isGPSD else {
      return .fail(
        foreignLines > 0
          ? notGPSD
          : LocationError(.silent, "no answer from gpsd within \(Self.longestFirstAnswer.duration)")
      )
    }
    if lastHeard.later(by: Self.giveUpAfter) <= moment, lastProbe != nil {
      return .fail(LocationError(.silent, "gpsd has been silent for \(Self.giveUpAfter.duration)"))
    }
    if lastHeard.later(by: Self.probeAfter) <= moment { lastProbe = moment }
    receivers.noteNudge(at: moment)
    return .probe
  }

  /// What an end of the connection means.
  func end(_ error: GPSDError) -> LocationError {
    foreignLines > 0 && !isGPSD ? notGPSD : LocationError(error)
  }

  private var notGPSD: LocationError {
    LocationError(.notAService, "not a gpsd: it says '\(foreignText.trimmed)'")
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self[...]
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }
}
