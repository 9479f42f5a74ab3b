import Glibc
import LocationCore
import Testing

@testable import LocwatchDoctor
@testable import LocwatchSystem

@Suite struct `The message that there is no fix` {
  private static let refused = "connection refused: no gpsd listens there"

  private static let cases = [
    // gpsd
    DiagnosisCase(
      updates: .failed(
        .unreachable, systemError: .errno(ECONNREFUSED), "localhost:2947: \(refused)"),
      message: """
        localhost:2947: connection refused: no gpsd listens there
        Is gpsd running? 'sudo systemctl start gpsd.socket' starts it; 'locwatch /dev/ttyACM0' starts its own.
        """),
    DiagnosisCase(
      updates: .failed(
        .unreachable, systemError: .errno(EAGAIN), "localhost:2947: no thread is left"),
      message: "localhost:2947: no thread is left"),
    DiagnosisCase(
      updates: .failed(
        .unreachable, systemError: .errno(EMFILE), "localhost:2947: too many open files"),
      message: "localhost:2947: too many open files"),
    DiagnosisCase(
      updates: .failed(.unreachable, systemError: .errno(ENFILE), "localhost:2947: x"),
      message: "localhost:2947: x"),
    DiagnosisCase(
      updates: .failed(.unreachable, systemError: .errno(ENOMEM), "localhost:2947: x"),
      message: "localhost:2947: x"),
    DiagnosisCase(
      "boat.example",
      updates: .failed(
        .unreachable, systemError: .errno(ECONNREFUSED), "boat.example:2947: \(refused)"),
      message: """
        boat.example:2947: connection refused: no gpsd listens there
        Is gpsd running there? It accepts other machines only with -G, or ListenStream= in gpsd.socket.
        """),
    DiagnosisCase(
      "boat.example",
      updates: .failed(
        .unreachable, systemError: .errno(ETIMEDOUT),
        "boat.example:2947 does not answer: connection timed out"),
      message: """
        boat.example:2947 does not answer: connection timed out
        Is the machine on, and does its firewall allow TCP to that port?
        """),
    DiagnosisCase(
      "boat.exmaple", updates: .failed(.unknownHost, "boat.exmaple: Name or service not known"),
      message: """
        boat.exmaple: Name or service not known
        Is the name right, and is the network up?
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
        gpsd 3.22 answers, but it has no receiver
        Plug one in. If gpsd does not notice, run 'sudo gpsdctl add /dev/ttyACM0' or set DEVICES in \
        /etc/default/gpsd.
        """),
    DiagnosisCase(
      updates: .answer, .receiver("/dev/ttyACM0"), .sky(seen: 13, used: 9), .fix(.fix3D, eph: 3),
      .event(.removed(path: "/dev/ttyACM0")),
      message: """
        gpsd 3.22 answers, /dev/ttyACM0 is gone
        Plug it in again, and if gpsd does not notice, restart gpsd.
        """),
    DiagnosisCase(
      updates: .answer, .state(.searching, of: "/dev/ttyACM3"), .event(.receivers([])),
      message: """
        gpsd 3.22 answers, /dev/ttyACM3 is gone
        Plug it in again, and if gpsd does not notice, restart gpsd.
        """),
    DiagnosisCase(
      "/dev/ttyACM3", updates: .answer, .receiver("/dev/ttyACM3"),
      .event(.removed(path: "/dev/ttyACM3")),
      message: """
        gpsd 3.22 answers, /dev/ttyACM3 is gone
        Plug it in again: locwatch will notice.
        """),
    DiagnosisCase(
      "--device", "/dev/ttyUSB7",
      updates: .answer, .event(.refused(path: "/dev/ttyUSB7", reason: "No such device")),
      message: """
        gpsd cannot open /dev/ttyUSB7: No such device
        Without --device, locwatch watches every receiver that gpsd has.
        """),
    DiagnosisCase(
      updates: .answer, .receiver("/dev/ttyACM0", isActive: false),
      message: """
        gpsd 3.22 answers, /dev/ttyACM0 is not open
        Can gpsd access it, and is another program using it? 'journalctl -u gpsd' may say why.
        """),
    DiagnosisCase(
      updates: .answer, .receiver("/dev/ttyACM0", driver: "NMEA0183", isActive: false),
      message: """
        gpsd 3.22 answers, /dev/ttyACM0 is not open
        If it was unplugged and plugged in again, gpsd has missed that. Restart gpsd.
        """),
    // gpsd lists it no more as active after it was silent.
    DiagnosisCase(
      updates: .answer, .receiver("/dev/ttyACM0"), .fix(.fix3D),
      .state(.lost, of: "/dev/ttyACM0", loss: .silence), .receiver("/dev/ttyACM0", isActive: false),
      message: """
        gpsd 3.22 answers, /dev/ttyACM0 is not open
        If it was unplugged and plugged in again, gpsd has missed that. Restart gpsd.
        """),
    DiagnosisCase(
      updates: .answer, .receiver("/dev/ttyACM0"),
      message: """
        gpsd 3.22 answers, /dev/ttyACM0 is silent
        Is it a GPS receiver, and does it have power? Unplug it and plug it in again. If gpsd misses that, restart gpsd.
        """),
    DiagnosisCase(
      "/dev/ttyACM0", updates: .answer, .event(.receivers([])),
      message: """
        gpsd 3.22 answers, but it has no receiver
        /dev/ttyACM0 is not there. Plug the receiver in.
        """),
    DiagnosisCase(
      "/dev/ttyACM0", updates: .answer, .receiver("/dev/ttyACM0", isActive: false),
      message: """
        gpsd 3.22 answers, /dev/ttyACM0 is not open
        /dev/ttyACM0 is not there. Plug the receiver in.
        """),
    DiagnosisCase(
      updates: .answer, .receiver("/dev/ttyACM0", driver: "AIVDM"),
      message: """
        gpsd 3.22 answers, /dev/ttyACM0 sends the reports of ships
        It is not a GPS receiver: name another device.
        """),
    // Those of a gpsd elsewhere
    DiagnosisCase(
      "boat", updates: .answer, .event(.receivers([])),
      message: """
        gpsd 3.22 answers, but it has no receiver
        Plug one in there. If gpsd does not notice, set DEVICES in /etc/default/gpsd there.
        """),
    DiagnosisCase(
      "boat", updates: .answer, .receiver("/dev/a"), .event(.removed(path: "/dev/a")),
      message: """
        gpsd 3.22 answers, /dev/a is gone
        Plug it in again.
        """),
    DiagnosisCase(
      "boat", updates: .answer, .receiver("/dev/a", isActive: false),
      message: """
        gpsd 3.22 answers, /dev/a is not open
        Can gpsd access it, and is another program using it?
        """),
    // What was, and is no more
    DiagnosisCase(
      updates: .answer, .receiver("/dev/ttyACM0"), .sky(seen: 13, used: 9), .fix(.fix3D),
      .state(.lost, of: "/dev/ttyACM0", loss: .silence),
      message: """
        gpsd 3.22 answers, /dev/ttyACM0 is silent
        Is it a GPS receiver, and does it have power? Unplug it and plug it in again. If gpsd misses that, restart gpsd.
        """),
    DiagnosisCase(
      updates: .answer, .fix(.fix3D), .state(.lost, of: "/dev/ttyACM0", loss: .silence),
      message: """
        gpsd 3.22 answers, /dev/ttyACM0 is silent
        Is it a GPS receiver, and does it have power? Unplug it and plug it in again. If gpsd misses that, restart gpsd.
        """),
    DiagnosisCase(
      updates: .answer, .receiver("/dev/ttyACM0"), .fix(.fix3D),
      .state(.lost, of: "/dev/ttyACM0", loss: .noFix), .sky(seen: 2, used: 0),
      message: """
        gpsd 3.22 answers, /dev/ttyACM0 reports, 2 satellites seen, 0 used
        Give the antenna a clear view of the sky; a first fix can take several minutes.
        """),
    DiagnosisCase(
      updates: .answer, .receiver("/dev/ttyACM0"), .fix(.fix3D),
      .state(.noDevice, of: "/dev/ttyACM0"), .event(.removed(path: "/dev/ttyACM0")),
      message: """
        gpsd 3.22 answers, /dev/ttyACM0 is gone
        Plug it in again, and if gpsd does not notice, restart gpsd.
        """),
    DiagnosisCase(
      updates: .answer, .receiver("/dev/ttyACM0"), .fix(.fix3D), .event(.receivers([])),
      message: """
        gpsd 3.22 answers, /dev/ttyACM0 is gone
        Plug it in again, and if gpsd does not notice, restart gpsd.
        """),
    // One that cannot be opened is not gone.
    DiagnosisCase(
      updates: .answer, .receiver("/dev/ttyACM0"), .fix(.fix3D),
      .state(
        StateChange(
          .noDevice, of: .receiver("/dev/ttyACM0"), reason: "No such device", at: .start)),
      message: """
        gpsd 3.22 answers, /dev/ttyACM0 reports, no newer fix
        Wait longer with --timeout.
        """),
    // Its satellites
    DiagnosisCase(
      updates: .answer, .receiver("/dev/ttyACM0"), .state(.searching, of: "/dev/ttyACM0"),
      .sky(seen: 2, used: 0),
      message: """
        gpsd 3.22 answers, /dev/ttyACM0 reports, 2 satellites seen, 0 used
        Give the antenna a clear view of the sky; a first fix can take several minutes.
        """),
    DiagnosisCase(
      updates: .answer, .state(.searching, of: "/dev/ttyACM0"), .sky(seen: 1, used: 0),
      .sky(seen: 3, used: 0, strengths: [17, 21.4, 9]),
      message: """
        gpsd 3.22 answers, /dev/ttyACM0 reports, 3 satellites seen, 0 used, the strongest at 21 dBHz
        3 satellites of 9 to 21 dBHz: too weak, as a fix needs four of about 30. Give the antenna a clear view \
        of the sky.
        """),
    // What is asked of the fix
    DiagnosisCase(
      "--accuracy", "5", updates: .answer, .sky(seen: 13, used: 9), .fix(.fix3D, eph: 30),
      .fix(.fix3D, eph: 17.1),
      message: """
        gpsd 3.22 answers, /dev/ttyACM0 reports, 13 satellites seen, 9 used, accurate to 17.1 m at best
        Wait longer with --timeout, or ask for less with --accuracy.
        """),
    DiagnosisCase(
      "--accuracy", "5", updates: .answer, .fix(.fix3D),
      message: """
        gpsd 3.22 answers, /dev/ttyACM0 reports, accuracy unknown
        Wait longer with --timeout, or ask for less with --accuracy.
        """),
    DiagnosisCase(
      "--fix", "3d", updates: .answer, .fix(.fix2D),
      message: """
        gpsd 3.22 answers, /dev/ttyACM0 reports, a 2D fix at best
        Wait longer with --timeout, or ask for less with --fix.
        """),
    DiagnosisCase(
      "--quality", "rtk-fixed", updates: .answer, .sky(seen: 13, used: 9), .fix(.fix3D),
      .fix(.fix3D, quality: .rtkFloat), .fix(.fix3D, quality: .dgps),
      message: """
        gpsd 3.22 answers, /dev/ttyACM0 reports, 13 satellites seen, 9 used, quality rtk-float at best
        Wait longer with --timeout, or ask for less with --quality. RTK needs corrections from a base station.
        """),
    DiagnosisCase(
      "--quality", "rtk-float", updates: .answer, .fix(.fix3D),
      message: """
        gpsd 3.22 answers, /dev/ttyACM0 reports, quality gps at best
        Wait longer with --timeout, or ask for less with --quality. RTK needs corrections from a base station.
        """),
    DiagnosisCase(
      "--quality", "dgps", "--accuracy", "5", updates: .answer, .fix(.fix3D, eph: 3),
      .fix(.fix3D, quality: .simulated),
      message: """
        gpsd 3.22 answers, /dev/ttyACM0 reports, quality gps at best
        Wait longer with --timeout, or ask for less with --quality.
        """),
    DiagnosisCase(
      updates: .answer, .fix(.fix3D, isCurrent: false),
      message: """
        gpsd 3.22 answers, /dev/ttyACM0 reports, none of its fixes is current
        Wait longer with --timeout.
        """),
    DiagnosisCase(
      updates: .answer, .fix(.fix3D),
      message: """
        gpsd 3.22 answers, /dev/ttyACM0 reports, no newer fix
        Wait longer with --timeout.
        """),
    DiagnosisCase(
      "--believed", updates: .answer, .fix(.fix3D, doubts: [.jump, .sky]),
      message: """
        gpsd 3.22 answers, /dev/ttyACM0 reports, doubted (jump and sky)
        Wait longer with --timeout, or accept doubted fixes without --believed.
        """),
    DiagnosisCase(
      updates: .answer, .fix(.fix3D, doubts: [.jump]),
      message: """
        gpsd 3.22 answers, /dev/ttyACM0 reports, no newer fix
        Wait longer with --timeout.
        """),
    // What lacks less is nearer, whatever came after it.
    DiagnosisCase(
      "--believed", "--accuracy", "5", updates: .answer, .fix(.fix3D, eph: 5, doubts: [.sky]),
      .fix(.fix3D, eph: 5.1),
      message: """
        gpsd 3.22 answers, /dev/ttyACM0 reports, doubted (sky)
        Wait longer with --timeout, or accept doubted fixes without --believed.
        """),
    DiagnosisCase(
      "--believed", updates: .answer, .fix(.fix3D, isCurrent: false),
      .fix(.fix3D, doubts: [.sky]),
      message: """
        gpsd 3.22 answers, /dev/ttyACM0 reports, none of its fixes is current
        Wait longer with --timeout.
        """),
    DiagnosisCase(
      "--quality", "dgps", "--accuracy", "5", updates: .answer,
      .fix(.fix3D, eph: 9, quality: .dgps), .fix(.fix3D, eph: 3),
      message: """
        gpsd 3.22 answers, /dev/ttyACM0 reports, accurate to 9.0 m at best
        Wait longer with --timeout, or ask for less with --accuracy.
        """),
    // Four receivers are named.
    DiagnosisCase(
      updates: .answer,
      .event(.receivers("abcde".map { Receiver(path: "/dev/\($0)", isActive: $0 == "b") })),
      message: """
        gpsd 3.22 answers, /dev/a is not open, /dev/b is silent, /dev/c is not open, /dev/d is not open
        Is it a GPS receiver, and does it have power? Unplug it and plug it in again. If gpsd misses that, restart gpsd.
        """),
    DiagnosisCase(
      updates: .answer, .state(.searching, of: "/dev/a"), .state(.searching, of: "/dev/b"),
      .state(.searching, of: "/dev/c"), .state(.searching, of: "/dev/d"),
      .state(.searching, of: "/dev/e"), .state(.lost, of: "/dev/b", loss: .silence),
      message: """
        gpsd 3.22 answers, /dev/a, /dev/c, /dev/d report
        The receiver reports no satellites: is the antenna connected, and does it have a view of the sky?
        """),
    DiagnosisCase(
      "--quality", "dgps", updates: .answer, .fix(.fix3D, quality: .rtkFixed), .fix(.fix3D),
      .fix(.fix2D, quality: .simulated),
      message: """
        gpsd 3.22 answers, /dev/ttyACM0 reports, quality gps at best
        Wait longer with --timeout, or ask for less with --quality.
        """),
  ]

  @Test(arguments: cases)
  func `Each way to get no fix in time has its message`(case: DiagnosisCase) throws {
    let diagnosis = try `case`.diagnosis()
    #expect(diagnosis.noFix(within: .seconds(20)) == "no fix within 20 s: \(`case`.message)")
  }

  private static let recorded = [
    DiagnosisCase(
      updates: .answer, .event(.receivers([])),
      message: "gpsd 3.22 answers, but it has no receiver"),
    DiagnosisCase(
      "--device", "/dev/ttyUSB7", updates: .answer, .event(.receivers([])),
      message: "no report of /dev/ttyUSB7"),
    DiagnosisCase(
      updates: .answer, .receiver("/dev/ttyACM0", isActive: false),
      message: "gpsd 3.22 answers, /dev/ttyACM0 is not open"),
    DiagnosisCase(
      updates: .answer, .receiver("/dev/ttyACM0"),
      message: "gpsd 3.22 answers, /dev/ttyACM0 is silent"),
    DiagnosisCase(
      updates: .answer, .state(.searching, of: "/dev/ttyACM0"), .sky(seen: 2, used: 0),
      message: "gpsd 3.22 answers, /dev/ttyACM0 reports, 2 satellites seen, 0 used"),
    DiagnosisCase(
      "--fix", "3d", updates: .answer, .fix(.fix2D),
      message: "gpsd 3.22 answers, /dev/ttyACM0 reports, a 2D fix at best"),
    DiagnosisCase(
      updates: .state(StateChange(.connecting, at: .start)), message: "no gpsd report"),
  ]

  /// Nobody can plug in a receiver that is only in a file.
  @Test(arguments: recorded)
  func `A recording has other hints`(example: DiagnosisCase) throws {
    var example = example
    example.arguments += ["--replay", "x.jsonl"]
    #expect(
      try example.diagnosis().noFix(within: .seconds(20)) == """
        no fix within 20 s of the recording: \(example.message)
        Use a longer --timeout to read further.
        """)
  }

  @Test func `A recorded refusal has no hint`() throws {
    let example = DiagnosisCase(
      "--device", "/dev/x", "--replay", "x.jsonl",
      updates: .event(.refused(path: "/dev/x", reason: "No such device")), message: "")
    let diagnosis = try example.diagnosis()
    #expect(
      diagnosis.refusal(of: "/dev/x", because: "No such device")
        == "gpsd cannot open /dev/x: No such device")
    #expect(
      diagnosis.noFix(within: nil) == """
        no fix: gpsd cannot open /dev/x: No such device
        Use a longer --timeout to read further.
        """)
  }

  @Test func `A recorded failure has the same words as a live one`() throws {
    for example in Self.cases {
      guard case .state(let change) = example.updates.last, let error = change.error else {
        continue
      }
      #expect(try example.diagnosis().message(for: error) == example.message)
    }
  }
}
