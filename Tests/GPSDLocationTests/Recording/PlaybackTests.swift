import LocationCore
import Testing

@testable import GPSDLocation

/// Fault 107.
@Suite struct PlaybackTests {
  @Test func `A recording that can be read only once does not go back, and says so for 8 s`() {
    var playback = Playback(speed: .times(1), singlePassFile: "standard input", at: .past)
    func real(_ second: Double) -> Moment { Moment.past.advanced(by: .seconds(second)) }
    playback.beginPass(from: Playback.Progress(at: .at(0)), real: .past)
    #expect(playback.step(to: .at(0), before: .at(0), at: .past) == .pass)
    #expect(playback.step(to: .at(20), before: .at(20), at: real(20)) == .pass)
    for second in [20.0, 30] {
      playback.handle(.skip(.seconds(-10)), at: real(second))
      let status = playback.status(at: real(second))
      #expect(!playback.needsPass && !status.isSeeking && !status.canGoBack)
      #expect(playback.position(at: real(second)) == .at(20))
      #expect(playback.status(at: real(second + 7.9)).notice == .cannotGoBack("standard input"))
      #expect(playback.status(at: real(second + 8)).notice == nil)
    }
  }
}
