import LocationCore

@testable import GPSDLocation

extension RecordedSession {
  convenience init(
    _ files: [RecordingFile], pace: Pace, realClock: LocationClock = .live,
    control: PlaybackControl? = nil, range: RecordedRange = RecordedRange()
  ) {
    self.init(
      ReplayEngine(files, pace: pace, realClock: realClock, control: control, range: range))
  }
}
