import GPSDLocation
import Glibc
package import LocationCore
import LocationText
import LocwatchReceivers
package import LocwatchSystem

/// Explains why there is no fix: which link of the chain is missing, and what to try.
package struct Diagnosis {
  package let question: Question
  /// The machine that the program runs on.
  private let machine: Machine
  /// Whether gpsd is installed on this machine.
  private let isGPSDInstalled: @Sendable () -> Bool
  private var chain: Chain
  private var advisor = Advisor()
  private var failure: LocationError?
  /// Whether the connection that failed will be tried again.
  private var isRetried = false
  /// The first text from a server that is not a gpsd.
  private var foreignText: String?
  /// Whether gpsd had answered on any connection that failed.
  private var wasEverAnswered = false
  /// Whether gpsd had answered on the last connection that failed.
  private var wasAnswered = false
  private var refused: (path: String, reason: String)?

  package init(
    _ question: Question, on machine: Machine = .this,
    isGPSDInstalled: @escaping @Sendable () -> Bool = { true }
  ) {
    self.question = question
    self.machine = machine
    chain = Chain(question.request, isRecorded: question.isReplay)
    self.isGPSDInstalled = isGPSDInstalled
  }

  /// Whether a gpsd has answered, on this connection or an earlier one.
  package var isAnswered: Bool { wasEverAnswered || chain.reach > .nothing }

  package mutating func record(_ update: LocationUpdate) {
    switch update {
    case .fix(let fix): chain.record(fix)
    case .event(.refused(let path, let reason)): refused = (path, reason)
    case .event(.notice(let text)) where chain.reach == .nothing:
      foreignText = foreignText ?? text
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
    chain.forget()
    refused = nil
    foreignText = nil
    failure = error
  }

  /// Returns why no suitable fix came within the timeout.
  package func noFix(within timeout: Duration?) -> Message {
    let within: Message = timeout.map { " within \(Text.duration($0))" } ?? ""
    guard question.isReplay else { return "no fix\(within): \(noFixMessage)" }
    let place: Message = timeout == nil ? "" : " of the recording"
    return "no fix\(within)\(place): \(noFixMessage)\n\(Hint.readOn)"
  }

  /// How far the chain got and, except for a recording, what to try.
  private var noFixMessage: Message {
    if let refused, chain.reach < .reports {
      return refusal(of: refused.path, because: refused.reason)
    }
    if question.isReplay { return recordedMessage }
    return chain.reach == .nothing ? noAnswerMessage : "\(chainMessage)\n\(hint)"
  }

  private var recordedMessage: Message {
    switch chain.reach {
    case .nothing: failure.map { "\($0)" } ?? "no gpsd report"
    case .service: question.device.map { "no report of \($0)" as Message } ?? chainMessage
    case .closedReceiver, .receiver, .reports, .fix: chainMessage
    }
  }

  /// How far the chain got.
  private var chainMessage: Message {
    if let path = unrecognised { return "\(Text.unrecognised(path))" }
    if let path = unopened { return "\(path) is back, but gpsd does not open it" }
    return chain.nearest.map { "\(chain.message), \($0.words)" } ?? "\(chain.message)"
  }

  /// The receiver that a private gpsd closed again although it is still there; `nil` if there is none.
  ///
  /// gpsd 3.25 does so with one that it may not set to other speeds.
  private var unrecognised: String? {
    guard case .tty(let path) = question.target, chain.reach == .service, chain.removed != nil,
      chain.conversation.hasOpened, !chain.hasReported, machine.exists(path)
    else { return nil }
    return path
  }

  /// The receiver that a private gpsd had, and no longer opens although it is present; `nil` if there is none.
  private var unopened: String? {
    guard case .tty(let path) = question.target, chain.reach == .service, chain.removed != nil,
      unrecognised == nil, machine.exists(path)
    else { return nil }
    return path
  }

  /// What to try for the missing link.
  private var hint: Message {
    switch chain.reach {
    case .nothing: Hint.slowDaemon
    case .service: missingReceiver
    case .closedReceiver: problem.map(Hint.problem) ?? closedReceiver
    case .receiver where chain.hasOnlyOthers: Hint.otherDevice
    case .receiver:
      isNetworked
        ? Hint.silentNetworkReceiver
        : problem.map(Hint.problem) ?? Hint.silentReceiver(ofPrivate: isOfTTY)
    case .reports: chain.skyHint
    case .fix: chain.nearest?.hint(question.request) ?? Hint.waitLonger
    }
  }

  /// What to try if gpsd has no receiver.
  private var missingReceiver: Message {
    switch (question.target, chain.removed) {
    case (.tty, .some):
      if unrecognised != nil { return Hint.unrecognisedReceiver }
      return unopened.map { Hint.refusedReceiver($0, on: machine) } ?? Hint.removedOwnReceiver
    case (.tty, nil): return problem.map(Hint.problem) ?? Hint.noPrivateReceiver
    case (.network, _): return Hint.noNetworkReceiver(isRetried: !question.isOnce)
    case (.gpsd, let removed?): return Hint.removedReceiver(removed, on: machineOfGPSD)
    case (.gpsd, nil):
      guard let machine = machineOfGPSD else { return Hint.noReceiverThere }
      let ports = machine.serialPorts
      guard let problem, problem.name != Check.devices.name || !ports.isEmpty else {
        return Hint.noReceiver
      }
      let command =
        problem.name == Check.devices.name ? Hint.reading(ports, on: machine) : nil
      return Message(lines: [Hint.problem(problem), command].compactMap(\.self))
    }
  }

  /// What to do if gpsd has not opened its receiver.
  private var closedReceiver: Message {
    switch question.target {
    case .gpsd:
      chain.hasLostReceiver
        ? Hint.lostReceiver.withoutColon : Hint.closedReceiver(on: machineOfGPSD)
    case .tty: Hint.otherUser
    case .network: Hint.noNetworkReceiver(isRetried: !question.isOnce)
    }
  }

  /// The machine that gpsd runs on; `nil` if it is not this one.
  private var machineOfGPSD: Machine? {
    if case .gpsd(let endpoint, _) = question.target, !endpoint.isLoopback { nil } else { machine }
  }

  private var isOfTTY: Bool { if case .tty = question.target { true } else { false } }

  private var isNetworked: Bool {
    if case .network = question.target { true } else { false }
  }

  /// The first problem of the machine that the doctor would report; `nil` if there is none.
  private var problem: Finding? {
    guard let machine = machineOfGPSD, !isNetworked else { return nil }
    // A gpsd that has the device can use it, and a private one knows its path.
    let unseen = isOfTTY ? [Check.permissions.name, Check.devices.name] : []
    let examination = Examination(
      of: question.target, chain.conversation, on: machine, isPrivate: isOfTTY)
    return Check.findings(of: examination, by: Check.ofMachine.filter { !unseen.contains($0.name) })
      .first { $0.isWell == false }
  }

  /// The problem that the doctor would report for a machine on which nothing listens; `nil` if there is none.
  private func problem(behind error: LocationError) -> Finding? {
    var conversation = Conversation()
    conversation.failure = error
    let examination = Examination(of: question.target, conversation, on: machine)
    return Check.findings(of: examination, by: [.container, .ipv6]).first { $0.isWell == false }
  }

  private var noAnswerMessage: Message {
    if let foreignText {
      return "\(place): not a gpsd: it says '\(foreignText)'\n\(Hint.notGPSD)"
    }
    return failure.map(message(for:)) ?? "\(place): \(chain.message)\n\(hint)"
  }

  /// When ``advice(at:)`` returns advice.
  package var adviceDue: Moment? {
    // It changes nothing. It is mutating so that it is called in place, and not with a copy.
    mutating get { advisor.due }
  }

  /// Records which link is missing at `moment`, for ``advice(at:)``.
  package mutating func updateNeed(at moment: Moment) {
    switch chain.reach {
    // An error without a hint needs no advice: its transition already shows it.
    case .nothing:
      let isCertain = isRetried && failure.flatMap(hint(for:)) != nil
      advisor.record(.daemon, isCertain: isCertain, at: moment)
    case .service:
      advisor.record(.receiver, isCertain: refused != nil || chain.hasNoReceiver, at: moment)
    case .closedReceiver, .receiver:
      advisor.record(refused == nil ? .report : .receiver, at: moment)
    case .reports: advisor.record(chain.seesNothing ? .satellites : .fix, at: moment)
    case .fix: advisor.record(nil, at: moment)
    }
  }

  /// Returns the advice that is due at `moment`; `nil` if none is.
  package mutating func advice(at moment: Moment) -> Message? {
    guard let need = advisor.take(at: moment) else { return nil }
    return switch need {
    // A receiver that was pulled a moment ago may be back already. Its keeper says whether gpsd opens it.
    case .receiver where unopened != nil: "\(chain.message)\n\(Hint.removedOwnReceiver)"
    case .daemon, .receiver, .report: noFixMessage
    case .satellites, .fix: "no fix for \(Text.duration(need.patience)): \(noFixMessage)"
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
    guard fixes == 0, chain.reach > .nothing else { return message }
    return "\(message): \(chainMessage)"
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
    return question.isReplay ? message : "\(message)\n\(Hint.anyReceiver(of: chain.paths))"
  }

  /// The server or device of the command line.
  private var place: String {
    switch question.target {
    case .gpsd(let endpoint, _): endpoint.description
    case .tty(let path): path
    case .network(let address): "\(address)"
    }
  }

  private func hint(for error: LocationError) -> Message? {
    guard !question.isReplay, case .gpsd(let endpoint, _) = question.target else { return nil }
    return switch error.code {
    case .unreachable where error.isShortage: nil
    case .unreachable where endpoint.isLoopback:
      problem(behind: error).map(Hint.problem)
        ?? (isGPSDInstalled()
          ? Hint.noDaemon(on: endpoint.port, of: machine) : Hint.notInstalled)
    case .unreachable where error.systemError == .errno(ECONNREFUSED): Hint.noDaemonThere
    case .unreachable: Hint.noAnswerThere
    case .unknownHost where machine.isFile(endpoint.host): Hint.replay(endpoint.host)
    case .unknownHost: Hint.option(insteadOf: endpoint.host) ?? Hint.unknownHost
    case .silent: Hint.silentDaemon(on: machineOfGPSD)
    case .notAService: Hint.notGPSD
    case .disconnected: wasAnswered ? nil : Hint.tooManyClients
    default: nil
    }
  }
}
