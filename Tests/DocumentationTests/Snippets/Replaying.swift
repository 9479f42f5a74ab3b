// snippet: replay
import GPSDLocation

// end

func replay(path: String) async throws {
  // snippet: replay
  let session = try RecordedSession(contentsOf: path, pace: .recorded(speed: 10))
  for try await update in GPSDLocationSource(replaying: session).updates() {
    if case .fix(let fix) = update { print(fix.time ?? "no time", fix.coordinate) }
  }
  // end
}

func count(path: String) async throws -> GPSDStatistics.Counts {
  // snippet: statistics
  let statistics = GPSDStatistics()
  let session = try RecordedSession(contentsOf: path)
  for try await _ in GPSDLocationSource(replaying: session, statistics: statistics).events() {}
  print(statistics.counts.reports, statistics.counts.badLines)
  // end
  return statistics.counts
}

func replayOften(path: String) async throws -> LocationFix {
  // snippet: recorded
  let source = try GPSDLocationSource.recorded(contentsOf: path)
  let fix = try await source.currentLocation()
  // end
  return fix
}
