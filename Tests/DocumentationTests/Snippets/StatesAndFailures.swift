import LocationCore

func tell(_ provider: some LocationProvider) async throws(LocationError) {
  // snippet: states
  for try await update in LocationWatcher(provider) {
    guard case .state(let change) = update else { continue }
    switch change.state {
    case .connecting: print("Connecting…")
    case .noDaemon: print(change.reason ?? "gone", change.retryIn.map { "again in \($0)" } ?? "")
    case .noDevice: print("No receiver.", change.reason ?? "")
    case .searching: print("Searching…")
    case .fix2D, .fix3D: print("Found by \(change.device ?? "").")
    case .lost: print("Lost: \(change.reason ?? "").")
    }
  }
  // end
}

func patient(_ provider: some LocationProvider) -> LocationWatcher<some LocationProvider> {
  // snippet: retries
  let everyMinute = RetryPolicy(delays: [.seconds(60)], jitter: 0)
  let watcher = LocationWatcher(provider, stale: .seconds(10), retries: everyMinute)
  // end
  return watcher
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
    case .disconnected, .silent, .notAService, .unscripted: return "\(error)"
    }
  }
  // end
}

func cancel(_ provider: some LocationProvider) async {
  // snippet: cancellation
  let following = Task {
    for try await update in LocationWatcher(provider) { print(update) }
    print("The end.")
  }
  following.cancel()
  // end
  _ = await following.result
}
