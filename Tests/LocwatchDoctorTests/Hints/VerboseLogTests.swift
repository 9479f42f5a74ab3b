import LocationCore
import Testing

@testable import LocwatchDoctor

@Suite struct VerboseLogTests {
  private static let device = "/dev/ttyACM0"

  @Test func `Each link of the chain is logged when it works`() {
    var verboseLog = VerboseLog()
    #expect(verboseLog.sentences(for: .answer, at: .start) == ["gpsd 3.22 answers"])
    #expect(
      verboseLog.sentences(for: .event(.receivers([])), at: .start) == ["gpsd has no receiver"])
    var receiver = Receiver(path: Self.device, bitsPerSecond: 9600, isActive: false)
    #expect(
      verboseLog.sentences(for: .event(.receivers([receiver])), at: .start)
        == ["receiver /dev/ttyACM0, not open, 9600 bps"])
    receiver.driver = "u-blox"
    receiver.subtype = "NEO-M8N"
    receiver.cycle = .milliseconds(100)
    receiver.isActive = true
    #expect(
      verboseLog.sentences(for: .event(.receiver(receiver)), at: .start)
        == ["receiver /dev/ttyACM0, u-blox, NEO-M8N, 9600 bps, every 0.1 seconds"])
    #expect(
      verboseLog.sentences(for: .event(.removed(path: Self.device)), at: .start)
        == ["/dev/ttyACM0 was removed"])
    #expect(
      verboseLog.sentences(for: .event(.notice("no")), at: .start) == ["gpsd says: no"])
  }

  @Test func `A service that is not gpsd is not called gpsd`() {
    var verboseLog = VerboseLog()
    let notice = LocationUpdate.event(.notice("SSH-2.0"))
    #expect(verboseLog.sentences(for: notice, at: .start) == ["something says: SSH-2.0"])
    _ = verboseLog.sentences(for: .answer, at: .start)
    #expect(verboseLog.sentences(for: notice, at: .start) == ["gpsd says: SSH-2.0"])
    _ = verboseLog.sentences(for: .failed(.disconnected, "closed"), at: .start)
    #expect(verboseLog.sentences(for: notice, at: .start) == ["something says: SSH-2.0"])
  }

  @Test func `A receiver is described again only if there is more to say`() {
    var verboseLog = VerboseLog()
    let receiver = LocationUpdate.receiver(Self.device)
    #expect(verboseLog.sentences(for: receiver, at: .start) == ["receiver /dev/ttyACM0"])
    #expect(verboseLog.sentences(for: receiver, at: .start) == [])
    let failure = LocationUpdate.failed(.disconnected, "closed by gpsd")
    #expect(verboseLog.sentences(for: failure, at: .start) == [])
    #expect(verboseLog.sentences(for: receiver, at: .start) == ["receiver /dev/ttyACM0"])
  }

  @Test func `A missing receiver is logged once, and again when it is back`() {
    var verboseLog = VerboseLog()
    let none = LocationUpdate.event(.receivers([]))
    let receiver = LocationUpdate.receiver(Self.device)
    #expect(verboseLog.sentences(for: none, at: .start) == ["gpsd has no receiver"])
    #expect(verboseLog.sentences(for: none, at: .start) == [])
    #expect(verboseLog.sentences(for: receiver, at: .start) == ["receiver /dev/ttyACM0"])
    _ = verboseLog.sentences(for: .event(.removed(path: Self.device)), at: .start)
    #expect(verboseLog.sentences(for: none, at: .start) == ["gpsd has no receiver"])
    #expect(verboseLog.sentences(for: receiver, at: .start) == ["receiver /dev/ttyACM0"])
  }

  @Test func `A failure is logged with the time until the next attempt`() {
    var verboseLog = VerboseLog()
    let error = LocationError(.unreachable, "refused")
    #expect(
      verboseLog.sentences(
        for: .retry(FailedRetry(error, retryIn: .seconds(5), at: .start)), at: .start)
        == ["refused; retry in 5 s"])
    #expect(
      verboseLog.sentences(for: .retry(FailedRetry(error, at: .start)), at: .start) == ["refused"])
    #expect(
      verboseLog.sentences(for: .event(.refused(path: "/dev/a", reason: "x")), at: .start)
        == ["gpsd cannot open /dev/a: x"])
  }

  @Test func `Each of two receivers has its own state`() {
    var verboseLog = VerboseLog()
    let other = "/dev/ttyUSB0"
    _ = verboseLog.sentences(for: .state(.searching, of: Self.device), at: .start)
    _ = verboseLog.sentences(for: .state(.fix3D, of: other), at: .start)
    var told: [String] = []
    for second in [0, 9, 10] {
      let moment = Moment.start.advanced(by: .seconds(second))
      for device in [Self.device, other] {
        told += verboseLog.sentences(for: .sky(of: device, seen: 5, used: 1), at: moment)
      }
    }
    let later = Moment.start.advanced(by: .seconds(12))
    // One begins to search once more, which changes nothing, and the other one loses its fix.
    _ = verboseLog.sentences(for: .state(.searching, of: Self.device, at: later), at: later)
    _ = verboseLog.sentences(for: .state(.lost, of: other, loss: .noFix, at: later), at: later)
    for device in [Self.device, other] {
      let moment = later.advanced(by: .seconds(1))
      told += verboseLog.sentences(for: .sky(of: device, seen: 4, used: 0), at: moment)
    }
    #expect(
      told == [
        "/dev/ttyACM0: 5 satellites seen, 1 used", "/dev/ttyUSB0: 5 satellites seen, 1 used",
        "/dev/ttyACM0: no fix for 10 s: 5 satellites seen, 1 used",
        "/dev/ttyUSB0: no fix for 1 s: 4 satellites seen, 0 used",
      ])
    // A new connection begins with nothing.
    _ = verboseLog.sentences(for: .failed(.disconnected, "closed"), at: later)
    #expect(
      verboseLog.sentences(for: .sky(of: Self.device, seen: 3, used: 0), at: later)
        == ["/dev/ttyACM0: 3 satellites seen, 0 used"])
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

  @Test func `Without a fix the satellites are logged every ten seconds`() {
    var verboseLog = VerboseLog()
    _ = verboseLog.sentences(for: .state(.searching, of: Self.device), at: .start)
    var told: [String] = []
    for second in 0...20 {
      let sky = LocationUpdate.sky(seen: second, used: 0, strengths: [9, 21.6])
      told += verboseLog.sentences(for: sky, at: .start.advanced(by: .seconds(second)))
    }
    #expect(
      told == [
        "/dev/ttyACM0: 0 satellites seen, 0 used",
        "/dev/ttyACM0: no fix for 10 s: 10 satellites seen, 0 used, the strongest at 22 dBHz",
        "/dev/ttyACM0: no fix for 20 s: 20 satellites seen, 0 used, the strongest at 22 dBHz",
      ])
  }

  @Test func `With a fix the satellites are logged once, and again when it is lost`() {
    var verboseLog = VerboseLog()
    let sky = LocationUpdate.sky(seen: 13, used: 9)
    _ = verboseLog.sentences(for: .state(.fix3D, of: Self.device), at: .start)
    #expect(
      verboseLog.sentences(for: sky, at: .start) == ["/dev/ttyACM0: 13 satellites seen, 9 used"])
    let later = Moment.start.advanced(by: .seconds(60))
    #expect(verboseLog.sentences(for: sky, at: later) == [])
    let loss = LocationUpdate.state(.lost, of: Self.device, loss: .noFix, at: later)
    #expect(verboseLog.sentences(for: loss, at: later) == [])
    #expect(
      verboseLog.sentences(for: .sky(seen: 2, used: 0), at: later)
        == ["/dev/ttyACM0: 2 satellites seen, 0 used"])
  }

  @Test func `A missing receiver is logged again after a reconnect`() {
    var verboseLog = VerboseLog()
    let none = LocationUpdate.event(.receivers([]))
    #expect(verboseLog.sentences(for: none, at: .start) == ["gpsd has no receiver"])
    _ = verboseLog.sentences(for: .failed(.disconnected, "closed"), at: .start)
    #expect(verboseLog.sentences(for: none, at: .start) == ["gpsd has no receiver"])
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
