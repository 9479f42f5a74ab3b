import GPSDLocation
import Glibc
import LocationCore

/// Why there is no fix, for those who wait for one in vain: how far the chain got, and what to try.
struct Diagnosis {
  private let options: Options
  private var chain = Chain()
  private var failure: LocationError?
  /// Whether the last connection that failed had worked before.
  private var wasAnswered = false
  private var refused: (path: String, reason: String)?

  init(_ options: Options) { self.options = options }

  mutating func note(_ update: LocationUpdate) {
    switch update {
    case .fix(let fix): chain.note(fix)
    case .report(.refused(let path, let reason)): refused = (path, reason)
    case .report(let event): chain.note(event)
    case .retry(let retry): note(retry.error)
    case .state(let change):
      switch (change.state, change.device, change.reason) {
      case (.noDaemon, _, _):
        note(change.error)
      case (.searching, let device?, nil), (.lost, let device?, "no-fix"):
        chain.noteReport(of: device)
      case (.connecting, _, _), (.noDevice, _, _), (.searching, _, _), (.fix2D, _, _),
        (.fix3D, _, _), (.lost, _, _):
        break
      }
    }
  }

  private mutating func note(_ error: LocationError?) {
    wasAnswered = chain.reach > .nothing
    chain = Chain()
    refused = nil
    failure = error
  }

  /// Why there was no fix in time.
  func noFix(within timeout: Duration?) -> String {
    "no fix" + (timeout.map { " within \(Text.duration($0))" } ?? "") + ": " + noFixWords
  }

  private var noFixWords: String {
    if let refused, chain.reach < .reports {
      return refusal(of: refused.path, because: refused.reason)
    }
    return switch chain.reach {
    case .nothing:
      failure.map(words(for:)) ?? "\(place): \(chain.words)\n\(Hint.silentDaemon)"
    case .service: chain.words + "\n" + Hint.noReceiver
    case .closedReceiver: chain.words + "\n" + Hint.closedReceiver
    case .receiver: chain.words + "\n" + Hint.silentReceiver
    case .reports: chain.words + "\n" + Hint.noFix
    case .fix: chain.words + ", " + tooWeak + "\n" + Hint.tooWeak
    }
  }

  /// Why a recording was not enough.
  ///
  /// - Parameter fixes: How many there were of those that were wanted.
  func recordingEnds(after fixes: Int) -> String {
    let path = options.replay.map { $0 == "-" ? "standard input" : $0 } ?? place
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
      ?? "accurate to nobody knows what"
  }

  /// Why the provider failed.
  func words(for error: LocationError) -> String {
    let words =
      switch error.code {
      case .silent, .notAService, .disconnected: "\(place): \(error)"
      case .unreachable, .unknownHost, .noSuchReceiver, .timedOut, .cancelled, .unscripted:
        error.description
      }
    return hint(for: error).map { words + "\n" + $0 } ?? words
  }

  /// Why there will be nothing of the one receiver that was asked for.
  func refusal(of path: String, because reason: String) -> String {
    "gpsd cannot give \(path): \(reason)\n\(Hint.anyReceiver)"
  }

  /// Who was asked.
  private var place: String {
    switch options.target {
    case .gpsd(let endpoint, _): endpoint.description
    case .tty(let path): path
    }
  }

  private func hint(for error: LocationError) -> String? {
    guard case .gpsd(let endpoint, _) = options.target else { return nil }
    return switch error.code {
    case .unreachable where endpoint.isLocal: Hint.noDaemon
    case .unreachable where error.number == ECONNREFUSED: Hint.noDaemonThere
    case .unreachable: Hint.noAnswerThere
    case .unknownHost: Hint.unknownHost
    case .silent: Hint.silentDaemon
    case .notAService: Hint.notGPSD
    case .disconnected: wasAnswered ? nil : Hint.tooManyClients
    case .noSuchReceiver, .timedOut, .cancelled, .unscripted: nil
    }
  }
}

extension GPSDEndpoint {
  /// Whether it is on this machine, whose user can start it.
  fileprivate var isLocal: Bool { ["localhost", "127.0.0.1", "::1"].contains(host) }
}
