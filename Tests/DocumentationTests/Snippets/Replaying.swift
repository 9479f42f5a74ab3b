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

func merge(bow: String, stern: String) async throws -> [Coordinate] {
  // snippet: fleet
  let fleet = try RecordedFleet(contentsOf: [("bow", bow), ("stern", stern)])
  let ship = BestLocationProvider(fleet.providers, clock: fleet.clock)
  var track: [Coordinate] = []
  for try await update in ship.updates(retries: .never) {
    if case .fix(let fix) = update { track.append(fix.coordinate) }
  }
  // end
  return track
}

func keep(_ session: any GPSDSession) -> RecordingSession {
  // snippet: record
  let recording = RecordingSession(session) { lines in
    print(String(decoding: lines.bytes, as: UTF8.self), terminator: "")
  }
  // end
  return recording
}
