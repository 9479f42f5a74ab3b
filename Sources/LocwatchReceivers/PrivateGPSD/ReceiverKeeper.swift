import GPSDLocation
import LocationCore

/// Decides when to remove the receiver from a private gpsd and when to add it again.
///
/// gpsd does not report that a receiver was unplugged. It gives up a receiver that is not back a
/// moment later, and never looks for it again.
struct ReceiverKeeper: Sendable {
  /// How long gpsd may take to answer: it opens the receiver first.
  static let answerTimeout = Nanoseconds.seconds(10)
  /// How often to check for the answer.
  static let answerPollInterval = Nanoseconds.milliseconds(50)
  /// The pause before a receiver that gpsd could not open is added again, since another program may
  /// use it for a while. Each further pause is twice as long.
  static let firstRetry = Nanoseconds.seconds(2)
  /// The longest pause between two attempts to return the receiver to gpsd.
  static let maximumRetryPause = Nanoseconds.seconds(60)
  /// A receiver that is plugged in but silent is added again once, after this time and after three
  /// times its longest pause. gpsd 3.22 may not notice that the receiver can be read again.
  static let doubtAfter = Nanoseconds.seconds(10)
  /// After this many refusals in a row, the receiver is reported as refused. The first one may be of a
  /// receiver that another program still had open.
  static let maximumRefusals = 2
  /// The receiver must have reported for this time before its longest pause is known.
  static let minimumAcquaintance = Nanoseconds.seconds(30)

  private var watch: UnplugDetector
  private var due: [ControlSocket.Command] = []
  private var awaited: (command: ControlSocket.Command, since: Moment, look: Moment)?
  /// How often in a row gpsd has refused to add a receiver that is there.
  private var refusals = 0
  private var retry: (moment: Moment, pause: Nanoseconds)?
  /// The first report and the longest pause since the receiver was added.
  private var acquaintance: (since: Moment, pause: Nanoseconds)?

  /// - Parameters:
  ///   - node: The receiver's device; `nil` if it is unplugged.
  ///   - moment: When gpsd was started.
  init(of node: DeviceNode?, at moment: Moment) {
    watch = UnplugDetector(of: node, expectedSince: moment)
  }

  /// Whether gpsd may not open the receiver, although it is there.
  var isRefused: Bool { refusals >= Self.maximumRefusals }

  /// When to call ``expire(at:answer:node:)``.
  var deadline: Moment? {
    if let awaited { return awaited.look }
    if !due.isEmpty { return .past }
    return [watch.deadline, nextTry, doubt].compactMap(\.self).min()
  }

  /// When to add a receiver that gpsd could not open.
  private var nextTry: Moment? { watch.isAway ? nil : retry?.moment }

  private var doubt: Moment? {
    guard let acquaintance, !watch.isAway,
      acquaintance.since.nanoseconds(to: watch.heard) >= Self.minimumAcquaintance
    else { return nil }
    return watch.heard.later(by: max(Self.doubtAfter, acquaintance.pause * 3))
  }

  /// Records that the receiver reported.
  mutating func handle(at moment: Moment, node: () -> DeviceNode?) {
    if let known = acquaintance {
      acquaintance?.pause = max(known.pause, watch.heard.nanoseconds(to: moment))
    } else {
      acquaintance = (moment, .zero)
    }
    retry = nil
    refusals = 0
    watch.handle(at: moment, node: node)
  }

  /// Returns the command that is due at `moment`, and whether the receiver is refused from now on.
  ///
  /// - Parameters:
  ///   - answer: Returns gpsd's answer to the last command. Called only while an answer is awaited.
  ///   - node: Returns the receiver's device.
  mutating func expire(
    at moment: Moment, answer: () -> ControlSocket.Answer?, node: () -> DeviceNode?
  ) -> (command: ControlSocket.Command?, isNewlyRefused: Bool) {
    let wasRefused = isRefused
    let command = nextCommand(at: moment, answer, node)
    return (command, isRefused && !wasRefused)
  }

  private mutating func nextCommand(
    at moment: Moment, _ answer: () -> ControlSocket.Answer?, _ node: () -> DeviceNode?
  ) -> ControlSocket.Command? {
    guard let deadline, deadline <= moment else { return nil }
    if let (command, since, _) = awaited {
      let answer = answer()
      guard answer != nil || since.later(by: Self.answerTimeout) <= moment else {
        awaited?.look = moment.later(by: Self.answerPollInterval)
        return nil
      }
      awaited = nil
      if command == .add {
        // gpsd also opens a receiver by itself, and then refuses to add it.
        let isOpen = since < watch.heard
        recordAdded(isOpen ? .done : answer ?? .failed, at: moment)
      }
    }
    if due.isEmpty { due = commands(at: moment, node) }
    guard !due.isEmpty else { return nil }
    let command = due.removeFirst()
    awaited = (command, moment, moment.later(by: Self.answerPollInterval))
    return command
  }

  private mutating func recordAdded(_ answer: ControlSocket.Answer, at moment: Moment) {
    guard answer != .done, !watch.isAway else {
      refusals = 0
      retry = nil
      return
    }
    if answer == .refused { refusals = min(refusals + 1, Self.maximumRefusals) }
    let pause = retry.map { min($0.pause * 2, Self.maximumRetryPause) } ?? Self.firstRetry
    retry = (moment.later(by: pause), pause)
  }

  private mutating func commands(
    at moment: Moment, _ node: () -> DeviceNode?
  ) -> [ControlSocket.Command] {
    switch watch.look(at: moment, for: node) {
    case .gone:
      acquaintance = nil
      retry = nil
      refusals = 0
      return [.remove]
    case .back:
      acquaintance = nil
      retry = nil
      // If the receiver was back at once, gpsd still has it and would refuse to add it.
      return [.remove, .add]
    case nil:
      break
    }
    if let doubt, doubt <= moment {
      acquaintance = nil
      return [.remove, .add]
    }
    guard let nextTry, nextTry <= moment else { return [] }
    return [.add]
  }
}
