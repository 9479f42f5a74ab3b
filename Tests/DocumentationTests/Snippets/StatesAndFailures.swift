import LocationCore

func tell(_ provider: some LocationProvider) async throws(LocationError) {
  // snippet: states
  for try await update in provider.updates() {
    guard case .state(let change) = update else { continue }
    switch change.state {
    case .connecting: print("Connecting…")
    case .noService: print(change.reason ?? "gone", change.retryIn.map { "again in \($0)" } ?? "")
    case .noDevice: print("No receiver.", change.reason ?? "")
    case .searching: print("Searching…")
    case .fix2D, .fix3D: print("Found by \(change.device ?? "the receiver").")
    case .lost: print(change.loss == .silence ? "The receiver is silent." : "Lost.")
    @unknown default: print("\(change)")
    }
  }
  // end
}

func patient(_ provider: some LocationProvider) -> LocationUpdates {
  // snippet: retries
  let everyMinute = RetryPolicy(delays: [.seconds(60)], jitter: 0)
  let updates = provider.updates(staleAfter: .seconds(10), retries: everyMinute)
  // end
  return updates
}

func decide(_ provider: some LocationProvider) async -> String {
  // snippet: codes
  do {
    return "\(try await provider.currentLocation().coordinate)"
  } catch {
    switch error.code {
    case .unreachable, .unknownHost: return "Is gpsd running?"
    case .noSuchReceiver: return "Is the receiver plugged in, and may gpsd open it?"
    case .timedOut, .locationUnknown: return "Is the sky in view?"
    case .cancelled: return ""
    default: return "\(error)"
    }
  }
  // end
}

func find(_ provider: some LocationProvider) async throws(LocationError) -> LocationFix? {
  // snippet: deadline
  var updates = provider.updates().makeAsyncIterator()
  let deadline = provider.clock.now.advanced(by: .seconds(20))
  while case .value(let update, _) = try await updates.next(until: deadline) {
    if case .fix(let fix) = update { return fix }
  }
  print("No fix in 20 s.")
  // end
  return nil
}

func follow(
  _ provider: some LocationProvider, show: @escaping @Sendable (LocationError.Code) -> Void
) -> Task<Void, Never> {
  // snippet: task
  let following = Task {
    do throws(LocationError) {
      for try await update in provider.updates() { print(update) }
    } catch {
      show(error.code)
    }
  }
  // end
  return following
}
