import LocationCore

@testable import GPSDLocation

extension RecordedSession {
  convenience init(
    _ files: [RecordingFile], pace: Pace, realClock: LocationClock = .live,
    range: RecordedRange = RecordedRange()
  ) {
    self.init(
      Replay(files, by: pace.clock(realClock), range: range))
  }
}
