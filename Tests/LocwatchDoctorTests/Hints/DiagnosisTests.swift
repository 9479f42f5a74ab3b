import Glibc
import LocationCore
import Testing

@testable import LocwatchDoctor
@testable import LocwatchSystem

@Suite struct DiagnosisTests {
  @Test func `The best signal of a satellite counts`() {
    func range(_ signals: (prn: Int, strength: Double?)...) -> String? {
      SignalRange(
        of: signals.map { Satellite(prn: $0.prn, signalStrength: $0.strength) })?
        .description
    }
    #expect(range((1, 12), (1, 18), (1, 15)) == "1 satellite of 18 dBHz")
    #expect(range((1, 18), (2, 20), (1, 12)) == "2 satellites of 18 to 20 dBHz")
    #expect(range((1, 18), (2, 0), (3, nil)) == "1 satellite of 18 dBHz")
    #expect(range((1, 0), (2, nil)) == nil && range() == nil)
  }

  @Test(arguments: ["doctor", "help", "view", "report", "replay", "record", "version"])
  func `The name of an option is not a host`(name: String) throws {
    let diagnosis = Diagnosis(Question(name), on: .empty)
    #expect(
      diagnosis.message(for: LocationError(.unknownHost, "\(name): Name or service not known"))
        == """
        \(name): Name or service not known
        Did you mean 'locwatch --\(name)'? A single word is taken for a host.
        """)
  }

  @Test func `The hint for a receiver that gpsd does not have lists gpsd's receivers`() throws {
    var diagnosis = Diagnosis(Question(device: "gps0"), on: .empty)
    #expect(
      diagnosis.refusal(of: "gps0", because: "x").lines.last
        == "Without --device, locwatch watches every receiver that gpsd has.")
    diagnosis.record(.answer)
    diagnosis.record(
      .event(.receivers([Receiver(path: "/dev/ttyACM0"), Receiver(path: "/dev/ttyUSB0")])))
    #expect(
      diagnosis.refusal(of: "gps0", because: "x").lines.last
        == "gpsd has /dev/ttyACM0 and /dev/ttyUSB0. Without --device, locwatch watches every receiver."
    )
  }

  @Test(arguments: [(false, true), (true, false)])
  func `The hint for a receiver on the network is about its app and the network`(
    isOnce: Bool, isRetried: Bool
  ) {
    var diagnosis = Diagnosis(Question("tcp://phone:1", isOnce: isOnce), on: .empty)
    diagnosis.record(.answer)
    diagnosis.record(.event(.receivers([])))
    let hint = diagnosis.noFix(within: nil).lines.last ?? ""
    #expect(hint.hasPrefix("Does it send NMEA there, and do the firewalls let it through?"))
    #expect(hint.hasSuffix(" locwatch keeps trying.") == isRetried)
    #expect(
      diagnosis.noFix(within: nil).lines.first
        == "no fix: nothing from tcp://phone:1 has reached gpsd")
    diagnosis.record(.receiver("tcp://phone:1"))
    #expect(
      diagnosis.noFix(within: nil).lines.last
        == "Is the app running, and does it send NMEA? A phone can stop an app while its screen is off."
    )
  }

  @Test func `A receiver that gpsd closed again, and that is still there, was not recognised`()
    throws
  {
    let fake = try FakeMachine()
    try fake.plug("ttyUSB0")
    let path = "/dev/ttyUSB0"
    let closed = [LocationUpdate.answer, .receiver(path), .event(.removed(path: path))]
    func message(_ updates: [LocationUpdate]) -> Message {
      var diagnosis = Diagnosis(Question(path), on: fake.machine)
      for update in updates { diagnosis.record(update) }
      return diagnosis.noFix(within: nil)
    }
    #expect(
      message(closed) == """
        no fix: gpsd opened /dev/ttyUSB0, recognised nothing and closed it again
        Is it a GPS receiver, and does it send at the speed of that port?
        """)
    let gone: Message = """
      no fix: /dev/ttyUSB0 is gone
      Plug it in again: locwatch will notice.
      """
    // Whether it was unplugged before does not matter: it is there now.
    let refused: Message = """
      no fix: gpsd does not open /dev/ttyUSB0
      Can gpsd's user open it, and is another program using it? 'ls -lL /dev/ttyUSB0' shows who can.
      """
    let reporting = LocationUpdate.state(.searching, of: path)
    #expect(message([.answer, reporting] + closed.dropFirst(2)) == refused)
    #expect(message(closed.dropLast() + [reporting] + closed.suffix(1)) == refused)
    let unopened = LocationUpdate.receiver(path, isActive: false)
    #expect(message([.answer, unopened] + closed.dropFirst(2)) == refused)
    try fake.remove("dev/ttyUSB0")
    #expect(message(closed) == gone)
    #expect(message([.answer, reporting] + closed.dropFirst(2)) == gone)
  }

  @Test func `A receiver that returns at once is gone, until gpsd has refused to open it`() throws {
    let fake = try FakeMachine()
    try fake.plug("ttyUSB0")
    let path = "/dev/ttyUSB0"
    var diagnosis = Diagnosis(Question(path), on: fake.machine)
    for update in [
      .answer, .state(.searching, of: path), .event(.removed(path: path)), .event(.receivers([])),
    ] as [LocationUpdate] {
      diagnosis.record(update)
    }
    diagnosis.updateMissingLink(at: .start)
    #expect(
      diagnosis.advice(at: .start) == """
        /dev/ttyUSB0 is gone
        Plug it in again: locwatch will notice.
        """)
    #expect(diagnosis.advice(at: .start) == nil)
  }

  @Test func `Names that change for ever do not take more and more memory`() {
    var diagnosis = Diagnosis(Question(), on: .empty)
    diagnosis.record(.answer)
    for number in 0..<1000 {
      diagnosis.record(.event(.receiver(Receiver(path: "/dev/\(number)", isActive: false))))
    }
    #expect(
      diagnosis.noFix(within: nil).text
        .hasPrefix("no fix: gpsd cannot open /dev/936\n"))
  }

  @Test func `An answer of gpsd is remembered across failed connections`() {
    var diagnosis = Diagnosis(Question(), on: .empty)
    let failure = LocationUpdate.failed(.unreachable, "refused")
    diagnosis.record(failure)
    #expect(!diagnosis.isAnswered)
    diagnosis.record(.answer)
    #expect(diagnosis.isAnswered)
    for _ in 0..<2 {
      diagnosis.record(failure)
      #expect(diagnosis.isAnswered)
    }
  }
}
