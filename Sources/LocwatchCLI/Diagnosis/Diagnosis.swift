import GPSDLocation
import LocationCore

/// Why there is no fix, for those who wait for one in vain: how far the chain got, and what to try.
struct Diagnosis {
  private let options: Options
  private var chain = Chain()
  private var failure: LocationError?

  init(_ options: Options) { self.options = options }

  mutating func note(_ update: LocationUpdate) {
    switch update {
    case .fix(let fix): chain.note(fix)
    case .report(let event): chain.note(event)
    case .state(let change):
      switch (change.state, change.device, change.reason) {
      case (.noDaemon, _, let reason):
        chain = Chain()
        failure = LocationError(.unreachable, reason ?? "")
      case (.searching, let device?, nil), (.lost, let device?, "no-fix"):
        chain.noteReport(of: device)
      case (.connecting, _, _), (.noDevice, _, _), (.searching, _, _), (.fix2D, _, _),
        (.fix3D, _, _), (.lost, _, _):
        break
      }
    }
  }

  /// Why there was no fix in time.
  func noFix(within timeout: Duration?) -> String {
    "no fix" + (timeout.map { " within \(Text.duration($0))" } ?? "") + ": " + noFixWords
  }

  private var noFixWords: String {
    switch chain.reach {
    case .nothing:
      failure.map { $0.description + hint(for: $0) } ?? chain.words
    case .service: chain.words + "\n" + Hint.noReceiver
    case .receiver: chain.words + "\n" + Hint.silentReceiver
    case .reports: chain.words + "\n" + Hint.noFix
    case .fix: chain.words + ", " + tooWeak
    }
  }

  private var tooWeak: String {
    guard let best = chain.best else { return "no fix" }
    if best.mode < options.weakestFix { return "a 2D fix at best" }
    if options.accuracy == nil { return "none of its fixes current" }
    return best.accuracy.map { "accurate to \(Text.rounded($0, places: 1)) m at best" }
      ?? "accurate to nobody knows what"
  }

  /// Why the provider failed.
  func failure(_ error: LocationError) -> String { error.description + hint(for: error) }

  /// Why there will be nothing of the one receiver that was asked for.
  func refusal(of path: String, because reason: String) -> String {
    "gpsd cannot give \(path): \(reason)\n\(Hint.anyReceiver)"
  }

  private func hint(for error: LocationError) -> String {
    switch error.code {
    case .unreachable where options.asksLocalDaemon: "\n" + Hint.noDaemon
    case .notAService, .silent: "\n" + Hint.notGPSD
    case .unreachable, .unknownHost, .disconnected, .noSuchReceiver, .timedOut, .cancelled,
      .unscripted:
      ""
    }
  }
}

extension Options {
  /// Whether a gpsd of this machine is asked, which its user can start.
  fileprivate var asksLocalDaemon: Bool {
    guard case .gpsd(let endpoint, _) = target else { return false }
    return ["localhost", "127.0.0.1", "::1"].contains(endpoint.host)
  }
}
