import LocationCore
import LocwatchReceivers

/// What the doctor has heard so far, by which each check decides how long it still waits.
package struct Listening: Sendable {
  /// How long the doctor listens to gpsd, including the connection. gpsd tries the speeds of a receiver for 15 s.
  static let patience = Duration.seconds(16)
  /// How long it waits for pulses, and for reports that come once a second.
  private static let briefPatience = Duration.seconds(3)

  let start: Moment
  /// Whether the kernel has a source of pulses.
  let hasPulses: Bool
  /// Whether a time service needs to know how late times arrive.
  let wantsOffset: Bool
  var conversation = Conversation()
  private(set) var link: NetworkLink?
  /// Since when the connection to a receiver on the network is as it is.
  private(set) var linkChanged: Moment

  init(from start: Moment, hasPulses: Bool = false, wantsOffset: Bool = false) {
    self.start = start
    self.hasPulses = hasPulses
    self.wantsOffset = wantsOffset
    linkChanged = start
  }

  /// Records the connection to a receiver on the network.
  mutating func record(_ link: NetworkLink, at moment: Moment) {
    if link.phase != self.link?.phase { linkChanged = moment }
    self.link = link
  }

  /// The longest wait of any check that the conversation reaches; `nil` if all findings are final.
  var wait: Wait? {
    Check.all.lazy.filter { $0.reach <= conversation.reach }.compactMap { $0.wait(self) }
      .max { $0.end < $1.end }
  }

  /// The longest wait for any receiver that gpsd has.
  func wait(for each: (Receiver, Reception?) -> Wait?) -> Wait? {
    conversation.all.lazy.compactMap(each).max { $0.end < $1.end }
  }

  /// A wait until the end, because it is unknown when the answer comes.
  var toTheEnd: Wait { Wait(from: start, for: Self.patience) }

  /// A wait for what comes once a second.
  var briefly: Wait { Wait(from: start, for: Self.briefPatience) }
}

/// How long a check waits for what may change its finding.
package struct Wait: Sendable {
  let end: Moment
  /// What is waited for, if it may take long.
  let reason: String?

  init(from start: Moment, for duration: Duration, _ reason: String? = nil) {
    end = start.advanced(by: duration)
    self.reason = reason
  }
}

extension NetworkLink {
  /// What changes how long the doctor waits.
  fileprivate var phase: [Bool] { [isThere, failure != nil, receivedCount > 0] }
}
