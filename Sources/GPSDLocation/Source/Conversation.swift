import LocationCore

/// When to doubt a gpsd, and when to give it up.
///
/// It is told what came and when, and says what to do. gpsd may take seconds to answer while it opens
/// a receiver, and goes deaf when one is plugged in again until somebody speaks to it. While a receiver of
/// this machine is unplugged nobody is to speak to it: gpsd 3.22 would look for the receiver, and forget it.
struct Conversation: Sendable {
  /// How long gpsd may take for its first word.
  static let longestFirstAnswer = Nanoseconds.seconds(15)
  /// After so long without a byte gpsd is asked which receivers it has, once in as long.
  static let probeAfter = Nanoseconds.seconds(10)
  /// After so long without a byte the connection is given up.
  static let giveUpAfter = Nanoseconds.seconds(20)
  /// More lines, or as many bytes, that are no reports make it something else than a gpsd, as long
  /// as it has not sent a report.
  static let mostForeignLines = 8
  static let mostForeignBytes = 65_536

  enum Action: Equatable {
    case wait
    /// Ask gpsd which receivers it has: one that lives answers, and a deaf one wakes up.
    case probe
    /// The device of this receiver is gone, and gpsd does not say so.
    case remove(String)
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

  /// When ``expire(at:_:)`` has something to do.
  var deadline: Moment {
    guard isGPSD else { return lastHeard.later(by: Self.longestFirstAnswer) }
    let pause = lastProbe == nil ? Self.probeAfter : Self.giveUpAfter
    let next = receivers.deadline(after: Self.probeAfter)
    if let next, receivers.needsPeace { return next }
    return lastHeard.later(by: pause).orEarlier(next)
  }

  mutating func hear(reportAt moment: Moment) {
    lastHeard = moment
    lastProbe = nil
    isGPSD = true
  }

  /// Notes which receivers an event is of.
  mutating func note(_ event: LocationEvent, at moment: Moment, _ lookup: (String) -> DeviceNode?) {
    switch event {
    case .fix(let fix): receivers.hear(fix.device, at: moment, lookup)
    case .noFix(let noFix): receivers.hear(noFix.device, at: moment, lookup)
    case .removed(let path): receivers.forget(path)
    case .receivers(let present):
      receivers.forgetAll(but: present.map(\.path))
      for receiver in present where receiver.isActive {
        receivers.expect(receiver.path, at: moment)
      }
    // gpsd says so also of one that it could not open: its list tells.
    case .receiver(let receiver) where receiver.isActive:
      receivers.expect(receiver.path, at: moment)
    case .sky, .service, .receiver, .refused, .notice: break
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
    guard foreignLines > Self.mostForeignLines || foreignBytes >= Self.mostForeignBytes else {
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
  mutating func expire(at moment: Moment, _ lookup: (String) -> DeviceNode?) -> Action {
    guard deadline <= moment else { return .wait }
    guard isGPSD else {
      return .fail(
        foreignLines > 0
          ? notGPSD
          : LocationError(.silent, "no answer from gpsd within \(Self.longestFirstAnswer.duration)")
      )
    }
    switch receivers.look(at: moment, lookup) {
    case .gone(let path):
      return .remove(path)
    case .back:
      // That gpsd was not heard until now was our own wish.
      lastHeard = moment
      lastProbe = moment
      receivers.noteNudge(at: moment)
      return .probe
    case nil:
      return receivers.needsPeace ? .wait : doubt(at: moment)
    }
  }

  /// What to do about the silence of gpsd, or of a receiver.
  private mutating func doubt(at moment: Moment) -> Action {
    if lastHeard.later(by: Self.giveUpAfter) <= moment, lastProbe != nil {
      return .fail(LocationError(.silent, "gpsd has been silent for \(Self.giveUpAfter.duration)"))
    }
    let isSilent = lastProbe == nil && lastHeard.later(by: Self.probeAfter) <= moment
    guard isSilent || receivers.needsNudge(at: moment, after: Self.probeAfter) else { return .wait }
    if isSilent { lastProbe = moment }
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
