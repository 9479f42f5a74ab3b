import GPSDLocation
import Glibc
import LocationCore

/// Why there is no fix, for those who wait for one in vain: how far the chain got, and what to try.
struct Diagnosis {
  private let options: Options
  /// Whether this machine has a gpsd that could be started.
  private let isGPSDInstalled: @Sendable () -> Bool
  private var chain = Chain()
  private var advisor = Advisor()
  private var failure: LocationError?
  /// Whether the connection that failed will be tried again.
  private var isRetried = false
  /// What something else than a gpsd says where one should be.
  private var foreignWords: String?
  /// Whether any connection that failed had worked before.
  private var wasEverAnswered = false
  /// Whether the last connection that failed had worked before.
  private var wasAnswered = false
  private var refused: (path: String, reason: String)?

  init(_ options: Options, isGPSDInstalled: @escaping @Sendable () -> Bool = { true }) {
    self.options = options
    self.isGPSDInstalled = isGPSDInstalled
  }

  /// Whether there was a gpsd that answered, in this connection or an earlier one.
  var isAnswered: Bool { wasEverAnswered || chain.reach > .nothing }

  mutating func note(_ update: LocationUpdate) {
    switch update {
    case .fix(let fix): chain.note(fix)
    case .report(.refused(let path, let reason)): refused = (path, reason)
    case .report(.notice(let words)) where chain.reach == .nothing:
      foreignWords = foreignWords ?? words
    case .report(let event): chain.note(event)
    case .retry(let retry): note(retry.error)
    case .state(let change):
      switch (change.state, change.device, change.reason) {
      case (.noDaemon, _, _):
        note(change.error)
        isRetried = change.retryIn != nil
      case (.searching, let device?, "silence"), (.lost, let device?, "silence"):
        chain.noteSilence(of: device)
      case (.searching, let device?, nil), (.lost, let device?, _):
        chain.noteLoss(of: device)
      case (.noDevice, let device?, nil):
        chain.noteRemoval(of: device)
      case (.connecting, _, _), (.noDevice, _, _), (.searching, _, _), (.fix2D, _, _),
        (.fix3D, _, _), (.lost, _, _):
        break
      }
    }
  }

  private mutating func note(_ error: LocationError?) {
    wasAnswered = chain.reach > .nothing
    wasEverAnswered = wasEverAnswered || wasAnswered
    chain = Chain()
    refused = nil
    foreignWords = nil
    failure = error
  }

  /// Why there was no fix in time.
  func noFix(within timeout: Duration?) -> String {
    let within = timeout.map { " within \(Text.duration($0))" } ?? ""
    guard options.isReplay else { return "no fix\(within): \(noFixWords)" }
    let place = timeout == nil ? "" : " of the recording"
    return "no fix\(within)\(place): \(recordedNoFixWords)\n\(Hint.readOn)"
  }

  /// The same of a recording, where nobody can do anything about it.
  private var recordedNoFixWords: String {
    if let refused, chain.reach < .reports {
      return refusal(of: refused.path, because: refused.reason)
    }
    return switch chain.reach {
    case .nothing: "no report of gpsd's"
    case .service: options.device.map { "no report of \($0)" } ?? chain.words
    case .closedReceiver, .receiver, .reports: chain.words
    case .fix: "\(chain.words), \(tooWeak)"
    }
  }

  private var noFixWords: String {
    if let refused, chain.reach < .reports {
      return refusal(of: refused.path, because: refused.reason)
    }
    return switch chain.reach {
    case .nothing: noAnswerWords
    case .service: chain.words + "\n" + missingReceiver
    case .closedReceiver: chain.words + "\n" + (isPrivate ? Hint.otherUser : Hint.closedReceiver)
    case .receiver: chain.words + "\n" + Hint.silentReceiver
    case .reports: chain.words + "\n" + Hint.noFix
    case .fix: chain.words + ", " + tooWeak + "\n" + Hint.tooWeak
    }
  }

  /// What brings gpsd a receiver.
  private var missingReceiver: String {
    let isRemoved = chain.removed != nil
    if isPrivate { return isRemoved ? Hint.removedOwnReceiver : Hint.noPrivateReceiver }
    return chain.removed.map(Hint.removedReceiver) ?? Hint.noReceiver
  }

  private var noAnswerWords: String {
    if let foreignWords {
      return "\(place): not a gpsd: it says '\(foreignWords)'\n\(Hint.notGPSD)"
    }
    return failure.map(words(for:)) ?? "\(place): \(chain.words)\n\(Hint.slowDaemon)"
  }

  /// When ``advice(at:)`` has something to say.
  var adviceDue: Moment? { advisor.due }

  /// Notes what is missing from `moment` on, for ``advice(at:)``.
  mutating func noteNeed(at moment: Moment) {
    switch chain.reach {
    // An error without a hint is told by its transition.
    case .nothing:
      let isTold = isRetried && failure.flatMap(hint(for:)) != nil
      advisor.note(.daemon, isCertain: isTold, at: moment)
    case .service:
      advisor.note(.receiver, isCertain: refused != nil || chain.hasNoReceiver, at: moment)
    case .closedReceiver, .receiver:
      advisor.note(refused == nil ? .report : .receiver, isCertain: true, at: moment)
    case .reports: advisor.note(.fix, isCertain: true, at: moment)
    case .fix: advisor.note(nil, isCertain: true, at: moment)
    }
  }

  /// Returns what to say to those who watch, where it is time for that.
  mutating func advice(at moment: Moment) -> String? {
    guard let need = advisor.take(at: moment) else { return nil }
    return switch need {
    case .daemon, .receiver, .report: noFixWords
    case .fix: "no fix for \(Text.duration(Advisor.longestPatience)): \(noFixWords)"
    }
  }

  /// Why a recording was not enough.
  ///
  /// - Parameter fixes: How many there were of those that were wanted.
  func recordingEnds(after fixes: Int) -> String {
    let path = options.replays.last.map { $0 == "-" ? "standard input" : $0 } ?? place
    let wanted = options.count ?? 1
    let words = "\(path) ends before \(wanted == 1 ? "the fix" : "fix \(wanted)")"
    guard fixes == 0, chain.reach > .nothing else { return words }
    return "\(words): \(chain.words)" + (chain.reach == .fix ? ", \(tooWeak)" : "")
  }

  private var tooWeak: String {
    guard let best = chain.best else { return "no fix" }
    if best.mode < options.weakestFix { return "a 2D fix at best" }
    if options.accuracy == nil { return "none of its fixes current" }
    return best.accuracy.map { "accurate to \(Text.rounded($0, places: 1)) m at best" }
      ?? "accuracy unknown"
  }

  /// Why the provider failed.
  func words(for error: LocationError) -> String {
    let words =
      switch error.code {
      case .silent, .notAService, .disconnected: "\(place): \(error)"
      case .unreachable, .unknownHost, .noSuchReceiver, .locationUnknown, .timedOut, .cancelled,
        .unscripted:
        error.description
      }
    return hint(for: error).map { words + "\n" + $0 } ?? words
  }

  /// Why there will be nothing of the one receiver that was asked for.
  func refusal(of path: String, because reason: String) -> String {
    options.isReplay
      ? "gpsd could not open \(path): \(reason)"
      : "gpsd cannot open \(path): \(reason)\n\(Hint.anyReceiver)"
  }

  /// Who was asked.
  private var place: String {
    switch options.target {
    case .gpsd(let endpoint, _): endpoint.description
    case .tty(let path): path
    }
  }

  /// Whether the gpsd is our own.
  private var isPrivate: Bool {
    if case .tty = options.target { true } else { false }
  }

  private func hint(for error: LocationError) -> String? {
    guard !options.isReplay, case .gpsd(let endpoint, _) = options.target else { return nil }
    return switch error.code {
    case .unreachable where endpoint.isLoopback:
      isGPSDInstalled() ? Hint.noDaemon : Hint.notInstalled
    case .unreachable where error.number == ECONNREFUSED: Hint.noDaemonThere
    case .unreachable: Hint.noAnswerThere
    case .unknownHost: Hint.unknownHost
    case .silent: Hint.silentDaemon
    case .notAService: Hint.notGPSD
    case .disconnected: wasAnswered ? nil : Hint.tooManyClients
    case .noSuchReceiver, .locationUnknown, .timedOut, .cancelled, .unscripted: nil
    }
  }
}
