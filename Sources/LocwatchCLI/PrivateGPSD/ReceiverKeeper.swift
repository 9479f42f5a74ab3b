import GPSDLocation
import LocationCore

/// When a gpsd of ours is told that its receiver is gone, and that it is back.
///
/// gpsd does not say that a receiver hung up, gives it up where it is not there a moment later, and
/// looks for it never again. It is told what came and when, and says what to tell gpsd.
struct ReceiverKeeper: Sendable {
  /// How long gpsd may take for an answer: it opens a receiver before.
  static let longestAnswer = Nanoseconds.seconds(10)
  /// How often the answer is looked for.
  static let lookForAnswer = Nanoseconds.milliseconds(50)
  /// After how long a receiver that gpsd could not open is added again: another program may have it
  /// for a while. Each further time it is twice as long.
  static let firstRetry = Nanoseconds.seconds(2)
  static let longestRetry = Nanoseconds.seconds(60)
  /// A receiver whose device stands is added anew, once, when it has been silent for so long and for
  /// three times its longest pause: gpsd 3.22 may not have noticed that it can be read again.
  static let doubtAfter = Nanoseconds.seconds(10)
  /// For so long it must have reported before, or its pauses are not known.
  static let shortestAcquaintance = Nanoseconds.seconds(30)

  private var watch: NodeWatch
  private var due: [ControlSocket.Command] = []
  private var awaited: (command: ControlSocket.Command, since: Moment, look: Moment)?
  private var retry: (moment: Moment, pause: Nanoseconds)?
  /// The first report and the longest pause since the receiver was added.
  private var acquaintance: (since: Moment, pause: Nanoseconds)?

  /// - Parameters:
  ///   - node: The receiver's device; `nil` where it is unplugged.
  ///   - moment: When gpsd was started.
  init(of node: DeviceNode?, at moment: Moment) {
    watch = NodeWatch(of: node, expectedSince: moment)
  }

  /// When ``expire(at:answer:node:)`` has something to do.
  var deadline: Moment? {
    if let awaited { return awaited.look }
    if !due.isEmpty { return .past }
    return [watch.deadline, nextTry, doubt].compactMap(\.self).min()
  }

  /// When to add a receiver again that gpsd could not open.
  private var nextTry: Moment? { watch.isAway ? nil : retry?.moment }

  private var doubt: Moment? {
    guard let acquaintance, !watch.isAway,
      acquaintance.since.nanoseconds(to: watch.heard) >= Self.shortestAcquaintance
    else { return nil }
    return watch.heard.later(by: max(Self.doubtAfter, acquaintance.pause * 3))
  }

  /// Notes that the receiver reported.
  mutating func hear(at moment: Moment, node: () -> DeviceNode?) {
    if let known = acquaintance {
      acquaintance?.pause = max(known.pause, watch.heard.nanoseconds(to: moment))
    } else {
      acquaintance = (moment, .zero)
    }
    retry = nil
    watch.hear(at: moment, node: node)
  }

  /// What to tell gpsd at `moment`.
  ///
  /// - Parameters:
  ///   - answer: What gpsd made of the last command; asked for only where it is awaited.
  ///   - node: Looks for the receiver's device.
  mutating func expire(
    at moment: Moment, answer: () -> ControlSocket.Answer?, node: () -> DeviceNode?
  ) -> ControlSocket.Command? {
    guard let deadline, deadline <= moment else { return nil }
    if let (command, since, _) = awaited {
      let answer = answer()
      guard answer != nil || since.later(by: Self.longestAnswer) <= moment else {
        awaited?.look = moment.later(by: Self.lookForAnswer)
        return nil
      }
      awaited = nil
      if command == .add { noteAdded(answer == .done, at: moment) }
    }
    if due.isEmpty { due = commands(at: moment, node) }
    guard !due.isEmpty else { return nil }
    let command = due.removeFirst()
    awaited = (command, moment, moment.later(by: Self.lookForAnswer))
    return command
  }

  private mutating func noteAdded(_ isAdded: Bool, at moment: Moment) {
    guard !isAdded, !watch.isAway else {
      retry = nil
      return
    }
    let pause = retry.map { min($0.pause * 2, Self.longestRetry) } ?? Self.firstRetry
    retry = (moment.later(by: pause), pause)
  }

  private mutating func commands(
    at moment: Moment, _ node: () -> DeviceNode?
  ) -> [ControlSocket.Command] {
    switch watch.look(at: moment, for: node) {
    case .gone:
      acquaintance = nil
      retry = nil
      return [.remove]
    case .back:
      acquaintance = nil
      retry = nil
      // One that was back at once is still there for gpsd.
      return [.remove, .add]
    case nil:
      break
    }
    if let doubt, doubt <= moment {
      acquaintance = nil
      return [.remove, .add]
    }
    guard let retry, let nextTry, nextTry <= moment else { return [] }
    self.retry?.moment = moment.later(by: retry.pause)
    return [.add]
  }
}
