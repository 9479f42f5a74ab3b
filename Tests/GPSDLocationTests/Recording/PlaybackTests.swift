import LocationCore
import Testing

@testable import GPSDLocation

/// Fault 107.
@Suite struct PlaybackTests {
  @Test func `A recording that can be read only once does not go back, and says so for 8 s`() {
    var playback = Playback(speed: .times(1), singlePassFile: "standard input", at: .past)
    func real(_ second: Double) -> Moment { Moment.past.advanced(by: .seconds(second)) }
    playback.beginPass(at: .at(0), real: .past)
    #expect(playback.step(to: .at(0), before: .at(0), at: .past) == .advance)
    #expect(playback.step(to: .at(20), before: .at(20), at: real(20)) == .advance)
    for second in [20.0, 30] {
      playback.handle(.skip(.seconds(-10)), at: real(second))
      let status = playback.status(at: real(second))
      #expect(!playback.needsPass && !status.isSeeking && !status.canGoBack)
      #expect(playback.position(at: real(second)) == .at(20))
      #expect(playback.status(at: real(second + 7.9)).notice == .cannotGoBack("standard input"))
      #expect(playback.status(at: real(second + 8)).notice == nil)
    }
  }

  @Test func `A pass that goes back for half a second says how far it has read`() {
    var playback = Playback(speed: .times(1), at: .at(1000))
    func pass(_ seconds: Double, at real: Double) -> Playback.Notice? {
      _ = playback.step(to: .at(seconds), before: .at(seconds), at: .at(real))
      return playback.status(at: .at(real)).notice
    }
    playback.beginPass(at: .at(100), real: .at(1000))
    // On the way forward, it does not.
    playback.handle(.skip(.seconds(30)), at: .at(1000))
    for second in [100.0, 150] { #expect(pass(second, at: 1010) == nil) }
    playback.handle(.skip(.seconds(-20)), at: .at(1010))
    playback.beginPass(at: .at(0), real: .at(1010))
    #expect(playback.status(at: .at(1010.5)).notice == .goingBack(share: 0))
    #expect(pass(100, at: 1010.499) == nil)
    #expect(pass(105, at: 1010.5) == .goingBack(share: 0.5))
    // Another pass in the meantime does not begin another half a second.
    playback.handle(.skip(.seconds(-8)), at: .at(1011))
    #expect(playback.status(at: .at(1011)).notice == .goingBack(share: 0))
    playback.beginPass(at: .at(0), real: .at(1011))
    #expect(pass(100, at: 1011) == .goingBack(share: 0))
    #expect(pass(103, at: 1012) == nil)
  }
}
