import GPSDLocation
package import LocationCore
import LocationText
import LocwatchReceivers
package import LocwatchSystem

/// Explains why there is no fix, and what to try: the first problem that the doctor would report.
package struct Diagnosis {
  package let question: Question
  /// The machine that the program runs on.
  private let machine: Machine
  private var chain: Chain
  private var advisor = Advisor()
  /// Whether the connection that failed will be tried again.
  private var isRetried = false
  /// Whether gpsd had answered on any connection that failed.
  private var wasEverAnswered = false
  /// Whether gpsd had answered on the last connection that failed.
  private var wasAnswered = false

  package init(_ question: Question, on machine: Machine = .this) {
    self.question = question
    self.machine = machine
    chain = Chain(question.request, isRecorded: question.isReplay)
  }

  /// Whether a gpsd has answered, on this connection or an earlier one.
  package var isAnswered: Bool { wasEverAnswered || chain.reach > .nothing }

  package mutating func record(_ update: LocationUpdate) {
    switch update {
    case .fix(let fix): chain.record(fix)
    case .event(let event): chain.record(event)
    case .retry(let retry): record(retry.error)
    case .change(let change): chain.record(change)
    case .state(let change):
      chain.record(change)
      guard change.state == .noService else { break }
      record(change.error)
      isRetried = change.retryIn != nil
    }
  }

  private mutating func record(_ error: LocationError?) {
    wasAnswered = chain.reach > .nothing
    wasEverAnswered = wasEverAnswered || wasAnswered
    chain.end(with: error)
  }

  /// Returns why no suitable fix came within the timeout.
  package func noFix(within timeout: Duration?) -> Message {
    let within: Message = timeout.map { " within \(Text.duration($0))" } ?? ""
    guard question.isReplay else { return "no fix\(within): \(reason)" }
    let place: Message = timeout == nil ? "" : " of the recording"
    return "no fix\(within)\(place): \(reason)\n\(Hint.readOn)"
  }

  /// Why there is no fix and, except for a recording, what to try.
  private var reason: Message {
    let conversation = chain.conversation
    if let refused = conversation.refusal, chain.reach < .reports {
      return refusal(of: refused.path, because: refused.reason)
    }
    if question.isReplay, chain.reach == .service, let device = question.device {
      return "no report of \(device)"
    }
    switch chain.reach {
    case .nothing where question.isReplay: return chain.failure.map { "\($0)" } ?? "no gpsd report"
    case .nothing:
      let stranger = conversation.notice.map {
        LocationError(.notAService, "not a gpsd: it says '\($0)'")
      }
      return (stranger ?? chain.failure).map(message(for:))
        ?? "\(place): no answer yet\n\(Hint.slowDaemon)"
    case .service, .closedReceiver, .receiver, .reports:
      guard case .network(let address) = question.target, chain.reach < .reports,
        conversation.receivers?.contains(where: { $0.otherData != nil }) != true
      else { return message(problem(in: conversation)) }
      return "nothing from \(address) has reached gpsd\n\(silenceHint)"
    case .fix:
      let seen = [chain.nearest?.words].compactMap(\.self) + chain.satellites
      let message: Message = "\(seen.joined(separator: ", "))"
      guard !question.isReplay, let hint = chain.nearest?.hint(question.request) else {
        return message
      }
      return "\(message)\n\(hint)"
    }
  }

  /// The first problem that the doctor would report; `nil` if there is none.
  private func problem(in conversation: Conversation) -> Finding? {
    let examination = Examination(
      of: question.target, conversation, on: question.isReplay ? nil : machine, isPrivate: isOfTTY)
    return Check.findings(of: examination, by: checks(of: conversation)).first { finding in
      // Whether a receiver will get a position cannot be seen.
      finding.isWell == false || finding.isWell == nil && finding.name == Check.sky.name
    }
  }

  /// The checks that explain the missing link.
  private func checks(of conversation: Conversation) -> [Check] {
    switch conversation.reach {
    case .nothing: [.container, .ipv6, .gpsd]
    // One that is gone is no problem of the machine.
    case .service where conversation.removed != nil: [.devices]
    case .service, .closedReceiver, .receiver:
      // A private gpsd that has the device can use it.
      Check.withoutReports.filter { !isOfTTY || $0.name != Check.permissions.name }
    case .reports, .fix: [.jamming, .sky]
    }
  }

  /// Returns what was seen and, except for a recording, what to do.
  private func message(_ problem: Finding?) -> Message {
    guard let problem else { return "\(Hint.waitLonger)" }
    let seen: Message = "\(problem.seen)"
    guard !question.isReplay else { return seen }
    let isUnknown = problem.name == Check.devices.name && chain.conversation.removed == nil
    return Message(
      lines: [seen] + problem.remedy.lines + [isUnknown ? alternative : nil].compactMap(\.self))
  }

  /// What works without a gpsd that has the receiver; `nil` if none is plugged in.
  private var alternative: Message? {
    guard case .gpsd(let endpoint, _) = question.target, endpoint.isLoopback, machine.hasGPSD
    else { return nil }
    return Hint.reading(machine.serialPorts, on: machine)
  }

  /// What to try if nothing comes from a receiver on the network.
  private var silenceHint: Message {
    chain.reach == .receiver
      ? Hint.silentNetworkReceiver : Hint.noNetworkReceiver(isRetried: !question.isOnce)
  }

  private var isOfTTY: Bool { if case .tty = question.target { true } else { false } }

  /// When ``advice(at:)`` returns advice.
  package var adviceDue: Moment? {
    // It is mutating only to be called in place.
    mutating get { advisor.due }
  }

  /// Records which link is missing at `moment`, for ``advice(at:)``.
  package mutating func updateMissingLink(at moment: Moment) {
    switch chain.reach {
    // An error without a hint needs no advice: its transition already shows it.
    case .nothing:
      let isCertain = isRetried && chain.failure.flatMap(hint(for:)) != nil
      advisor.record(.daemon, isCertain: isCertain, at: moment)
    case .service:
      advisor.record(.receiver, isCertain: chain.isRefused || chain.hasNoReceiver, at: moment)
    case .closedReceiver, .receiver:
      advisor.record(chain.isRefused ? .receiver : .report, at: moment)
    case .reports: advisor.record(chain.seesNothing ? .satellites : .fix, at: moment)
    case .fix: advisor.record(nil, at: moment)
    }
  }

  /// Returns the advice that is due at `moment`; `nil` if none is.
  package mutating func advice(at moment: Moment) -> Message? {
    guard let link = advisor.take(at: moment) else { return nil }
    return switch link {
    // A receiver that was pulled a moment ago may be back already. Its keeper says whether gpsd opens it.
    case .receiver where isOfTTY && chain.hasReported:
      "\(place) is gone\n\(Hint.removedOwnReceiver)"
    case .daemon, .receiver, .report: reason
    case .satellites, .fix: "no fix for \(Text.duration(link.patience)): \(reason)"
    }
  }

  /// Returns the message for a recording that ends before all requested fixes.
  ///
  /// - Parameter fixes: How many suitable fixes it had.
  package func recordingEnds(after fixes: Int) -> Message {
    let path =
      question.recording.map { $0.isStandardStream ? "standard input" : $0.description } ?? place
    let wanted = question.count ?? 1
    let message: Message = "\(path) ends before \(wanted == 1 ? "the fix" : "fix \(wanted)")"
    return fixes == 0 && chain.reach > .nothing ? "\(message): \(reason)" : message
  }

  /// Returns the message for an error of the provider.
  package func message(for error: LocationError) -> Message {
    let message: Message =
      switch error.code {
      case .silent, .notAService, .disconnected: "\(place): \(error)"
      // Made of a message, whose lines they are.
      case .cannotOpen:
        Message(lines: error.description.split(separator: "\n").map { "\($0)" })
      default: "\(error)"
      }
    return hint(for: error).map { "\(message)\n\($0)" } ?? message
  }

  /// Returns the message for the requested receiver, which gpsd cannot open.
  package func refusal(of path: String, because reason: String) -> Message {
    let message: Message = "\(Text.refusal(of: path, because: reason))"
    return question.isReplay
      ? message : "\(message)\n\(Hint.anyReceiver(of: chain.conversation.paths))"
  }

  /// The server or device of the command line.
  private var place: String {
    switch question.target {
    case .gpsd(let endpoint, _): endpoint.description
    case .tty(let path): path
    case .network(let address): "\(address)"
    }
  }

  /// What the doctor would say to do about an error of gpsd's connection; `nil` if nothing.
  private func hint(for error: LocationError) -> Message? {
    guard !question.isReplay, case .gpsd(let endpoint, _) = question.target else { return nil }
    switch error.code {
    case .unknownHost where machine.isFile(endpoint.host): return Hint.replay(endpoint.host)
    case .unknownHost: if let hint = Hint.option(insteadOf: endpoint.host) { return hint }
    case .disconnected where wasAnswered: return nil
    case .unreachable, .silent, .notAService, .disconnected: break
    default: return nil
    }
    var conversation = Conversation()
    conversation.failure = error
    guard let problem = problem(in: conversation) else { return nil }
    // The error itself is what the check of gpsd has seen.
    let seen: [Message] = problem.name == Check.gpsd.name ? [] : ["\(problem.seen)"]
    var lines = seen + problem.remedy.lines
    guard !lines.isEmpty else { return nil }
    if error.code == .unreachable, let alternative { lines.append(alternative) }
    return Message(lines: lines)
  }
}
