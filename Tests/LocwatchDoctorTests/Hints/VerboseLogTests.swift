import LocationCore
import Testing

@testable import LocwatchDoctor

@Suite struct VerboseLogTests {
  private static let device = "/dev/ttyACM0"

  @Test func `A service that is not gpsd is not called gpsd`() {
    var verboseLog = VerboseLog()
    let notice = LocationUpdate.event(.notice("SSH-2.0"))
    #expect(verboseLog.sentences(for: notice, at: .start) == ["something says: SSH-2.0"])
    _ = verboseLog.sentences(for: .answer, at: .start)
    #expect(verboseLog.sentences(for: notice, at: .start) == ["gpsd says: SSH-2.0"])
    _ = verboseLog.sentences(for: .failed(.disconnected, "closed"), at: .start)
    #expect(verboseLog.sentences(for: notice, at: .start) == ["something says: SSH-2.0"])
  }

  @Test(arguments: [(.noDevice, nil), (.lost, .silence)] as [(LocationState, LossReason?)])
  func `The sky of a receiver that is gone or silent is forgotten`(
    state: LocationState, loss: LossReason?
  ) {
    /// Returns what is logged of a sky without strengths after one with 40 dBHz and a change.
    func sentences(_ state: LocationState, _ loss: LossReason?) -> [String] {
      var verboseLog = VerboseLog()
      _ = verboseLog.sentences(for: .state(.fix3D, of: Self.device), at: .start)
      _ = verboseLog.sentences(for: .sky(seen: 2, used: 2, strengths: [30, 40]), at: .start)
      _ = verboseLog.sentences(for: .state(state, of: Self.device, loss: loss), at: .start)
      return verboseLog.sentences(for: .sky(seen: 3, used: 0), at: .start)
    }
    #expect(sentences(state, loss) == ["/dev/ttyACM0: 3 satellites seen, 0 used"])
    #expect(sentences(.lost, .noFix).first?.contains("40 dBHz") == true)
  }

  @Test func `A gpsd without a receiver is still called one`() {
    var verboseLog = VerboseLog()
    _ = verboseLog.sentences(for: .answer, at: .start)
    _ = verboseLog.sentences(for: .state(StateChange(.noDevice, at: .start)), at: .start)
    #expect(
      verboseLog.sentences(for: .event(.notice("no")), at: .start) == ["gpsd says: no"])
  }

  @Test func `A sky of which nothing is known is not logged, and the next one at once`() {
    var verboseLog = VerboseLog()
    let none = LocationUpdate.event(.sky(SkyView(device: Self.device)))
    #expect(verboseLog.sentences(for: none, at: .start) == [])
    let sky = LocationUpdate.sky(seen: 5, used: 0)
    #expect(
      verboseLog.sentences(for: sky, at: .start.advanced(by: .seconds(1)))
        == ["/dev/ttyACM0: no fix for 1 s: 5 satellites seen, 0 used"])
  }

  @Test func `Satellites of a receiver without a name have none, and no fix since the first`() {
    var verboseLog = VerboseLog()
    let sky = LocationUpdate.event(.sky(SkyView(seen: 4, used: 0)))
    #expect(verboseLog.sentences(for: sky, at: .start) == ["4 satellites seen, 0 used"])
    #expect(verboseLog.sentences(for: sky, at: .start.advanced(by: .milliseconds(9999))) == [])
    #expect(
      verboseLog.sentences(for: sky, at: .start.advanced(by: .seconds(10)))
        == ["no fix for 10 s: 4 satellites seen, 0 used"])
  }
}
