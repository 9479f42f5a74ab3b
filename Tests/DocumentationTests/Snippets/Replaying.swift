import GPSDLocation

func replay(path: String) async throws {
  // snippet: replay
  let session = try RecordedSession(contentsOf: path, pace: .recorded(speed: 10))
  for try await update in LocationWatcher(GPSDLocationSource(session: session)) {
    if case .fix(let fix) = update { print(fix.time ?? "no time", fix.coordinate) }
  }
  // end
}

func count(path: String) async throws -> GPSDTally.Counts {
  // snippet: tally
  let tally = GPSDTally()
  let session = try RecordedSession(contentsOf: path)
  for try await _ in GPSDLocationSource(tally: tally, session: session).events() {}
  print(tally.counts.reports, tally.counts.badLines)
  // end
  return tally.counts
}

func keep<Session: GPSDSession>(_ session: Session) -> RecordingSession<Session> {
  // snippet: record
  let recording = RecordingSession(session) { line in
    print(String(decoding: line.bytes, as: UTF8.self), terminator: "")
  }
  // end
  return recording
}

func longitudes(in lines: [[UInt8]]) -> [Double] {
  // snippet: decode
  var decoder = GPSDDecoder()
  var longitudes: [Double] = []
  for line in lines where decoder.decode(line.span) == .tpv {
    if let longitude = decoder.tpv.lon { longitudes.append(longitude) }
  }
  // end
  return longitudes
}
