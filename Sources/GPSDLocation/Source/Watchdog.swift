import GPSDProtocol
import LocationCore

/// Decides when to query a silent gpsd, and when to give up its connection.
///
/// The caller reports what was received and when, and performs the returned action. gpsd may take
/// seconds to answer while it opens a receiver. After a receiver is plugged in again, gpsd ignores it
/// until it receives a command. While a local receiver is unplugged, no command may be
/// sent: gpsd 3.22 would look for the receiver and drop it.
struct Watchdog: Sendable {
  /// How long gpsd may take for its first report.
  static let firstAnswerTimeout = Nanoseconds.seconds(15)
  /// How long gpsd may be silent before it is asked for its receivers, and the minimum time between
  /// two such queries.
  static let probeAfter = Nanoseconds.seconds(10)
  /// How long gpsd may be silent before the connection is given up.
  static let giveUpAfter = Nanoseconds.seconds(20)
  /// Before its first report, a peer that sends more lines than this that are not reports is not a gpsd.
  static let maximumForeignLines = 8
  /// Before its first report, a peer that sends more bytes than this that are not reports is not a gpsd.
  static let maximumForeignBytes = 65_536

  enum Action: Equatable {
    case wait
    /// Ask gpsd for its receivers. A live gpsd answers, and an unresponsive one resumes.
    case probe
    /// The device of this receiver is gone, and gpsd does not report it.
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

  /// When to call ``expire(at:_:)``.
  var deadline: Moment {
    guard isGPSD else { return lastHeard.later(by: Self.firstAnswerTimeout) }
    let pause = lastProbe == nil ? Self.probeAfter : Self.giveUpAfter
    let next = receivers.deadline(after: Self.probeAfter)
    if let next, receivers.mustNotBeProbed { return next }
    return lastHeard.later(by: pause).earlier(of: next)
  }

  mutating func handle(reportAt moment: Moment) {
    lastHeard = moment
    lastProbe = nil
    isGPSD = true
  }

  /// Records the receivers that an event concerns.
  mutating func record(_ event: LocationEvent, at moment: Moment, _ lookup: (String) -> DeviceNode?)
  {
    switch event {
    case .fix(let fix): receivers.handle(fix.device ?? "", at: moment, lookup)
    case .noFix(let noFix): receivers.handle(noFix.device ?? "", at: moment, lookup)
    case .removed(let path): receivers.forget(path)
    case .receivers(let present):
      receivers.forgetAll(but: present.map(\.path))
      for receiver in present where receiver.isActive {
        receivers.expect(receiver.path, at: moment)
      }
    // gpsd also sends this report for a receiver that it could not open; only the list is reliable.
    case .receiver(let receiver) where receiver.isActive:
      receivers.expect(receiver.path, at: moment)
    case .sky, .service, .receiver, .refused, .other, .notice, .corrections, .disconnected,
      .selected:
      break
    }
  }

  /// Records received bytes that do not form a line.
  mutating func handle(discarded bytes: Int, at moment: Moment) -> Action {
    handle(foreign: bytes, text: "\(bytes) bytes without a line end", at: moment)
  }

  /// Records a received line that is not a report.
  mutating func handle(foreign line: ArraySlice<UInt8>, at moment: Moment) -> Action {
    handle(
      foreign: line.count, text: String(decoding: line.withoutUserInfo.prefix(60), as: UTF8.self),
      at: moment)
  }

  private mutating func handle(
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
    guard foreignLines > Self.maximumForeignLines || foreignBytes >= Self.maximumForeignBytes else {
      return .wait
    }
    return .fail(notGPSD)
  }

  /// Returns, once, the text received instead of gpsd's first report.
  mutating func takeForeignText() -> String? {
    guard !isGPSD, foreignLines > 0, !isForeignTextTaken else { return nil }
    isForeignTextTaken = true
    return foreignText.trimmed
  }

  /// Returns what to do at `moment` if nothing has been received.
  mutating func expire(at moment: Moment, _ lookup: (String) -> DeviceNode?) -> Action {
    guard deadline <= moment else { return .wait }
    guard isGPSD else {
      return .fail(
        foreignLines > 0
          ? notGPSD
          : LocationError(.silent, "no answer from gpsd within \(Self.firstAnswerTimeout.duration)")
      )
    }
    switch receivers.look(at: moment, lookup) {
    case .gone(let path):
      return .remove(path)
    case .back:
      // gpsd was deliberately not queried while the device was away.
      lastHeard = moment
      lastProbe = moment
      receivers.recordNudge(at: moment)
      return .probe
    case nil:
      return receivers.mustNotBeProbed ? .wait : probeOrFail(at: moment)
    }
  }

  /// Returns what to do about the silence of gpsd or of a receiver.
  private mutating func probeOrFail(at moment: Moment) -> Action {
    if lastHeard.later(by: Self.giveUpAfter) <= moment, lastProbe != nil {
      return .fail(LocationError(.silent, "gpsd has been silent for \(Self.giveUpAfter.duration)"))
    }
    let isSilent = lastProbe == nil && lastHeard.later(by: Self.probeAfter) <= moment
    guard isSilent || receivers.needsNudge(at: moment, after: Self.probeAfter) else { return .wait }
    if isSilent { lastProbe = moment }
    receivers.recordNudge(at: moment)
    return .probe
  }

  /// Returns the error that the end of the connection stands for.
  func end(_ error: LocationError) -> LocationError {
    foreignLines > 0 && !isGPSD ? notGPSD : error
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

/// Tracks receivers that are silent while other receivers of the same gpsd report, and watches their devices.
///
/// gpsd 3.22 ignores a receiver that is plugged in again until it receives a command, and drops a
/// receiver that is unplugged when it receives one. With a single receiver the whole connection falls
/// silent; with several, the reports of the others hide the silence.
struct QuietReceivers: Sendable {
  enum Change: Equatable {
    /// The device of the receiver at this path is gone.
    case gone(String)
    /// A device is back.
    case back
  }

  private var receivers = ReceiverTable<UnplugDetector>()
  private var nudged: Moment?

  /// Whether gpsd must not be sent a command because it would drop an unplugged receiver. A receiver
  /// that has returned and needs a command takes precedence.
  var mustNotBeProbed: Bool {
    var mustNotBeProbed = false
    for watch in receivers.values {
      if watch.isReturned { return false }
      mustNotBeProbed = mustNotBeProbed || watch.isAway
    }
    return mustNotBeProbed
  }

  /// Returns when to look for a device, or to nudge the receiver that has been quiet longest: `pause`
  /// after its last report and after the last nudge. `nil` if neither is pending.
  func deadline(after pause: Nanoseconds) -> Moment? {
    var deadline = nudgeDeadline(after: pause)
    for watch in receivers.values {
      if let look = watch.deadline { deadline = look.earlier(of: deadline) }
    }
    return deadline
  }

  /// Returns whether a receiver is due for a nudge.
  func needsNudge(at moment: Moment, after pause: Nanoseconds) -> Bool {
    nudgeDeadline(after: pause).map { $0 <= moment } ?? false
  }

  private func nudgeDeadline(after pause: Nanoseconds) -> Moment? {
    var quietest: Moment?
    for watch in receivers.values where !watch.isAway {
      quietest = watch.heard.earlier(of: quietest)
    }
    guard let quietest, !mustNotBeProbed else { return nil }
    return (nudged.map { max($0, quietest) } ?? quietest).later(by: pause)
  }

  /// Records that a receiver reported.
  mutating func handle(_ path: String, at moment: Moment, _ lookup: (String) -> DeviceNode?) {
    guard let index = index(of: path, at: moment) else { return }
    receivers.values[index].handle(at: moment) { lookup(path) }
  }

  /// Records a receiver of gpsd whose reports are expected.
  mutating func expect(_ path: String, at moment: Moment) { _ = index(of: path, at: moment) }

  mutating func forget(_ path: String) { receivers[path] = nil }

  /// Forgets the receivers that gpsd does not list.
  mutating func forgetAll(but paths: [String]) {
    receivers.removeAll { known in
      known != "" && !paths.contains { isSamePath($0, known) }
    }
  }

  mutating func recordNudge(at moment: Moment) { nudged = moment }

  /// Looks for each device that is due, and returns the first change.
  mutating func look(at moment: Moment, _ lookup: (String) -> DeviceNode?) -> Change? {
    for index in receivers.indices {
      let path = receivers.path(at: index) ?? ""
      switch receivers.values[index].look(at: moment, for: { lookup(path) }) {
      case .gone: return .gone(path)
      case .back: return .back
      case nil: break
      }
    }
    return nil
  }

  /// Returns the index of a receiver, which is added if it is new; `nil` if all places are taken by
  /// receivers that are unplugged.
  private mutating func index(of path: String, at moment: Moment) -> Int? {
    if let index = receivers.find(path) { return index }
    return receivers.insert(UnplugDetector(expectedSince: moment), for: path) { !$0.isAway }
  }
}
