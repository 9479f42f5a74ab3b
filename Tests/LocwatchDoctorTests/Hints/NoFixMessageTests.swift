import Glibc
import LocationCore
import Testing

@testable import LocwatchDoctor
@testable import LocwatchSystem

@Suite struct `The message that there is no fix` {
  private static let refused = "connection refused: no gpsd listens there"

  private static let cases =
    [EAGAIN, EMFILE, ENFILE, ENOMEM].map {
      DiagnosisCase(
        updates: .failed(.unreachable, systemError: .errno($0), "localhost:2947: x"),
        message: "localhost:2947: x")
    } + [
      // gpsd
      DiagnosisCase(
        updates: .failed(
          .unreachable, systemError: .errno(ECONNREFUSED), "localhost:2947: \(refused)"),
        message: """
          localhost:2947: connection refused: no gpsd listens there
          gpsd is not installed:
          sudo apt install gpsd
          """),
      DiagnosisCase(
        "boat.example",
        updates: .failed(
          .unreachable, systemError: .errno(ECONNREFUSED), "boat.example:2947: \(refused)"),
        message: """
          boat.example:2947: connection refused: no gpsd listens there
          Is gpsd running there? It accepts other machines only with -G, or ListenStream= in gpsd.socket.
          """),
      DiagnosisCase(
        "boat.example", updates: .failed(.silent, "no answer from gpsd within 15.0 seconds"),
        message: """
          boat.example:2947: no answer from gpsd within 15.0 seconds
          gpsd may be stuck on a receiver: restart it there.
          """),
      DiagnosisCase(
        "boat.example:22", updates: .failed(.notAService, "not a gpsd: it says 'SSH-2.0'"),
        message: """
          boat.example:22: not a gpsd: it says 'SSH-2.0'
          gpsd listens on port 2947 by default.
          """),
      DiagnosisCase(
        updates: .failed(.disconnected, "closed by gpsd"),
        message: """
          localhost:2947: closed by gpsd
          gpsd accepts 64 clients and disconnects any others.
          """),
      DiagnosisCase(
        updates: .answer, .failed(.disconnected, "closed by gpsd"),
        message: "localhost:2947: closed by gpsd"),
      // It answered on an earlier connection, and not on this one.
      DiagnosisCase(
        updates: .answer, .failed(.disconnected, "closed"),
        .retry(FailedRetry(LocationError(.disconnected, "closed by gpsd"), at: .start)),
        message: """
          localhost:2947: closed by gpsd
          gpsd accepts 64 clients and disconnects any others.
          """),
      DiagnosisCase(
        updates: .state(StateChange(.connecting, at: .start)),
        message: """
          localhost:2947: no answer yet
          gpsd can take 7 s to answer while it opens a receiver: wait longer with --timeout.
          """),
      DiagnosisCase(
        "boat.example:22", updates: .event(.notice("SSH-2.0-OpenSSH_9.2p1")),
        .event(.notice("more")),
        message: """
          boat.example:22: not a gpsd: it says 'SSH-2.0-OpenSSH_9.2p1'
          gpsd listens on port 2947 by default.
          """),
      DiagnosisCase(
        "boat.example:22", updates: .event(.notice("SSH-2.0-OpenSSH_9.2p1")),
        .failed(.unreachable, systemError: .errno(ECONNREFUSED), "boat.example:22: \(refused)"),
        message: """
          boat.example:22: connection refused: no gpsd listens there
          Is gpsd running there? It accepts other machines only with -G, or ListenStream= in gpsd.socket.
          """),
      // Its receiver
      DiagnosisCase(
        updates: .answer, .event(.receivers([])),
        message: """
          gpsd has no receiver, and no serial device is plugged in
          Plug one in. If gpsd does not notice, run 'sudo gpsdctl add /dev/ttyACM0' or set DEVICES in \
          /etc/default/gpsd.
          """),
      DiagnosisCase(
        updates: .answer, .receiver("/dev/ttyACM0"), .sky(seen: 13, used: 9), .fix(.fix3D, eph: 3),
        .event(.removed(path: "/dev/ttyACM0")), message: isGone),
      DiagnosisCase(
        updates: .answer, .state(.searching, of: "/dev/ttyACM0"), .event(.receivers([])),
        message: isGone),
      DiagnosisCase(
        updates: .answer, .receiver("/dev/ttyACM0"), .fix(.fix3D),
        .state(.noDevice, of: "/dev/ttyACM0"), message: isGone),
      DiagnosisCase(
        "/dev/ttyACM3", updates: .answer, .receiver("/dev/ttyACM3"),
        .event(.removed(path: "/dev/ttyACM3")),
        message: """
          /dev/ttyACM3 is gone
          Plug it in again: locwatch will notice.
          """),
      DiagnosisCase(
        device: "/dev/ttyUSB7",
        updates: .answer, .event(.refused(path: "/dev/ttyUSB7", reason: "No such device")),
        message: """
          gpsd cannot open /dev/ttyUSB7: No such device
          Without --device, locwatch watches every receiver that gpsd has.
          """),
      DiagnosisCase(
        updates: .answer, .receiver("/dev/ttyACM0", isActive: false),
        message: """
          gpsd cannot open /dev/ttyACM0
          Can gpsd access it, and is another program using it?
          """),
      // gpsd lists it no more as active after it was silent.
      DiagnosisCase(
        updates: .answer, .receiver("/dev/ttyACM0"), .fix(.fix3D),
        .state(.lost, of: "/dev/ttyACM0", loss: .silence),
        .receiver("/dev/ttyACM0", isActive: false),
        message: """
          gpsd had /dev/ttyACM0 open, and does not read it any more
          If it was unplugged and plugged in again, gpsd has missed that. Restart gpsd.
          """),
      DiagnosisCase(
        updates: .answer, .receiver("/dev/ttyUSB0"),
        message: """
          /dev/ttyUSB0 is open, but gpsd recognised nothing
          gpsd tries all usual speeds: does the receiver have power, and is its TX connected to this machine's RX?
          """),
      DiagnosisCase(
        "/dev/ttyACM0", updates: .answer, .event(.receivers([])),
        message: """
          /dev/ttyACM0 is not there
          Plug the receiver in.
          """),
      DiagnosisCase(
        updates: .answer, .receiver("/dev/ttyACM0", driver: "AIVDM"),
        message: """
          /dev/ttyACM0 sends the reports of ships (AIVDM), but no position
          It is not a GPS receiver: name another device.
          """),
      // Those of a gpsd elsewhere
      DiagnosisCase(
        "boat", updates: .answer, .event(.receivers([])),
        message: """
          gpsd has no receiver
          Plug one in there. If gpsd does not notice, set DEVICES in /etc/default/gpsd there.
          """),
      DiagnosisCase(
        "boat", updates: .answer, .receiver("/dev/a"), .event(.removed(path: "/dev/a")),
        message: """
          /dev/a is gone
          Plug it in again.
          """),
      // What was, and is no more
      DiagnosisCase(
        updates: .answer, .receiver("/dev/ttyACM0"), .sky(seen: 13, used: 9), .fix(.fix3D),
        .state(.lost, of: "/dev/ttyACM0", loss: .silence), message: isSilent),
      DiagnosisCase(
        updates: .answer, .fix(.fix3D), .state(.lost, of: "/dev/ttyACM0", loss: .silence),
        message: isSilent),
      DiagnosisCase(
        updates: .answer, .receiver("/dev/ttyACM0"), .fix(.fix3D),
        .state(.lost, of: "/dev/ttyACM0", loss: .noFix), .sky(seen: 2, used: 0),
        message: """
          the receiver has no position, 2 satellites seen, 0 used
          Give the antenna a clear view of the sky; a first fix can take several minutes.
          """),
      // One that cannot be opened is not gone.
      DiagnosisCase(
        updates: .answer, .receiver("/dev/ttyACM0"), .fix(.fix3D),
        .state(
          StateChange(
            .noDevice, of: .receiver("/dev/ttyACM0"), reason: "No such device", at: .start)),
        message: """
          no newer fix
          Wait longer with --timeout.
          """),
      // What is asked of the fix
      DiagnosisCase(
        request: .init(desiredAccuracy: 5), updates: .answer, .sky(seen: 13, used: 9),
        .fix(.fix3D, eph: 30),
        .fix(.fix3D, eph: 17.1),
        message: """
          accurate to 17.1 m at best, 13 satellites seen, 9 used
          Wait longer with --timeout, or ask for less with --accuracy.
          """),
      DiagnosisCase(
        request: .init(desiredAccuracy: 5), updates: .answer, .fix(.fix3D),
        message: """
          accuracy unknown
          Wait longer with --timeout, or ask for less with --accuracy.
          """),
      DiagnosisCase(
        request: .init(minimumMode: .fix3D), updates: .answer, .fix(.fix2D),
        message: """
          a 2D fix at best
          Wait longer with --timeout, or ask for less with --fix.
          """),
      DiagnosisCase(
        request: .init(minimumQuality: .rtkFixed), updates: .answer, .fix(.fix3D),
        .fix(.fix3D, quality: .rtkFloat), .fix(.fix3D, quality: .dgps),
        message: """
          quality rtk-float at best
          Wait longer with --timeout, or ask for less with --quality. RTK needs corrections from a base station.
          """),
      DiagnosisCase(
        request: .init(minimumQuality: .rtkFloat), updates: .answer, .fix(.fix3D),
        message: """
          quality gps at best
          Wait longer with --timeout, or ask for less with --quality. RTK needs corrections from a base station.
          """),
      DiagnosisCase(
        request: .init(minimumQuality: .dgps, desiredAccuracy: 5), updates: .answer,
        .fix(.fix3D, eph: 3),
        .fix(.fix3D, quality: .simulated), message: gpsAtBest),
      DiagnosisCase(
        request: .init(minimumQuality: .dgps), updates: .answer, .fix(.fix3D, quality: .rtkFixed),
        .fix(.fix3D),
        .fix(.fix2D, quality: .simulated), message: gpsAtBest),
      DiagnosisCase(
        updates: .answer, .fix(.fix3D, isCurrent: false), message: isNotCurrent),
      DiagnosisCase(
        request: .init(onlyBelieved: true), updates: .answer, .fix(.fix3D, doubts: [.jump, .sky]),
        message: """
          doubted (jump and sky)
          Wait longer with --timeout, or accept doubted fixes without --believed.
          """),
      DiagnosisCase(
        updates: .answer, .fix(.fix3D, doubts: [.jump]),
        message: """
          no newer fix
          Wait longer with --timeout.
          """),
      // What lacks less is nearer, whatever came after it.
      DiagnosisCase(
        request: .init(desiredAccuracy: 5, onlyBelieved: true), updates: .answer,
        .fix(.fix3D, eph: 5, doubts: [.sky]),
        .fix(.fix3D, eph: 5.1),
        message: """
          doubted (sky)
          Wait longer with --timeout, or accept doubted fixes without --believed.
          """),
      DiagnosisCase(
        request: .init(onlyBelieved: true), updates: .answer, .fix(.fix3D, isCurrent: false),
        .fix(.fix3D, doubts: [.sky]), message: isNotCurrent),
      DiagnosisCase(
        request: .init(minimumQuality: .dgps, desiredAccuracy: 5), updates: .answer,
        .fix(.fix3D, eph: 9, quality: .dgps), .fix(.fix3D, eph: 3),
        message: """
          accurate to 9.0 m at best
          Wait longer with --timeout, or ask for less with --accuracy.
          """),
      // The first of several receivers is named. Four of them count.
      DiagnosisCase(
        updates: .answer,
        .event(.receivers("abcde".map { Receiver(path: "/dev/\($0)", isActive: $0 == "b") })),
        message: """
          gpsd cannot open /dev/a
          Can gpsd access it, and is another program using it?
          """),
      DiagnosisCase(
        updates: .answer, .state(.searching, of: "/dev/a"), .state(.searching, of: "/dev/b"),
        .state(.searching, of: "/dev/c"), .state(.searching, of: "/dev/d"),
        .state(.searching, of: "/dev/e"), .state(.lost, of: "/dev/a", loss: .silence),
        message: """
          /dev/b: the receiver has no position
          The receiver reports no satellites: is the antenna connected, and does it have a view of the sky?
          """),
    ]

  private static let isGone: Message = """
    /dev/ttyACM0 is gone
    Plug it in again, and if gpsd does not notice, restart gpsd.
    """
  private static let isSilent: Message = """
    /dev/ttyACM0 is open, but was silent
    Is it a GPS receiver, and does it have power? Unplug it and plug it in again. If gpsd misses that, restart gpsd.
    """
  private static let gpsAtBest: Message = """
    quality gps at best
    Wait longer with --timeout, or ask for less with --quality.
    """
  private static let isNotCurrent: Message = """
    none of its fixes is current
    Wait longer with --timeout.
    """

  @Test(arguments: cases)
  func `Each way to get no fix in time has its message`(case: DiagnosisCase) {
    let diagnosis = `case`.diagnosis()
    #expect(diagnosis.noFix(within: .seconds(20)) == "no fix within 20 s: \(`case`.message)")
  }

  private static let recorded = [
    DiagnosisCase(
      updates: .answer, .event(.receivers([])),
      message: "gpsd has no receiver"),
    DiagnosisCase(
      device: "/dev/ttyUSB7", updates: .answer, .event(.receivers([])),
      message: "no report of /dev/ttyUSB7"),
    DiagnosisCase(
      updates: .answer, .receiver("/dev/ttyACM0", isActive: false),
      message: "gpsd cannot open /dev/ttyACM0"),
    DiagnosisCase(
      updates: .answer, .receiver("/dev/ttyACM0"),
      message: "/dev/ttyACM0 is open, but gpsd recognised nothing"),
    DiagnosisCase(
      updates: .answer, .state(.searching, of: "/dev/ttyACM0"), .sky(seen: 2, used: 0),
      message: "the receiver has no position, 2 satellites seen, 0 used"),
    DiagnosisCase(
      request: .init(minimumMode: .fix3D), updates: .answer, .fix(.fix2D),
      message: "a 2D fix at best"),
    DiagnosisCase(
      updates: .state(StateChange(.connecting, at: .start)), message: "no gpsd report"),
  ]

  /// Nobody can plug in a receiver that is only in a file.
  @Test(arguments: recorded)
  func `A recording has other hints`(example: DiagnosisCase) {
    var example = example
    example.question.recording = FilePath("x.jsonl")
    #expect(
      example.diagnosis().noFix(within: .seconds(20)) == """
        no fix within 20 s of the recording: \(example.message)
        Use a longer --timeout to read further.
        """)
  }

  @Test func `A recorded refusal has no hint`() {
    let example = DiagnosisCase(
      device: "/dev/x", replay: "x.jsonl",
      updates: .event(.refused(path: "/dev/x", reason: "No such device")), message: "")
    let diagnosis = example.diagnosis()
    #expect(
      diagnosis.refusal(of: "/dev/x", because: "No such device")
        == "gpsd cannot open /dev/x: No such device")
    #expect(
      diagnosis.noFix(within: nil) == """
        no fix: gpsd cannot open /dev/x: No such device
        Use a longer --timeout to read further.
        """)
  }

  @Test func `A recorded failure has the same words as a live one`() {
    for example in Self.cases {
      guard case .state(let change) = example.updates.last, let error = change.error else {
        continue
      }
      #expect(example.diagnosis().message(for: error) == example.message)
    }
  }
}
