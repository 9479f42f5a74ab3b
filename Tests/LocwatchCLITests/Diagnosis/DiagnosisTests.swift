import Glibc
import LocationCore
import Testing

@testable import LocwatchCLI

@Suite struct DiagnosisTests {
  private static let refused = "connection refused: no gpsd listens there"

  private static let cases = [
    // gpsd
    DiagnosisCase(
      updates: .failed(.unreachable, number: ECONNREFUSED, "localhost:2947: \(refused)"),
      words: """
        localhost:2947: connection refused: no gpsd listens there
        Is gpsd running? 'systemctl start gpsd.socket' starts it; 'locwatch /dev/ttyACM0' starts its own.
        """),
    DiagnosisCase(
      "boat.example",
      updates: .failed(.unreachable, number: ECONNREFUSED, "boat.example:2947: \(refused)"),
      words: """
        boat.example:2947: connection refused: no gpsd listens there
        Is gpsd running there? It accepts other machines only with -G, or ListenStream= in gpsd.socket.
        """),
    DiagnosisCase(
      "boat.example",
      updates: .failed(
        .unreachable, number: ETIMEDOUT, "boat.example:2947 does not answer: connection timed out"),
      words: """
        boat.example:2947 does not answer: connection timed out
        Is the machine on, and does a firewall let TCP through to the port?
        """),
    DiagnosisCase(
      "boat.exmaple", updates: .failed(.unknownHost, "boat.exmaple: Name or service not known"),
      words: """
        boat.exmaple: Name or service not known
        Is the name right, and is the network up?
        """),
    DiagnosisCase(
      "boat.example", updates: .failed(.silent, "no answer from gpsd within 15.0 seconds"),
      words: """
        boat.example:2947: no answer from gpsd within 15.0 seconds
        gpsd may be stuck on a receiver: try 'systemctl restart gpsd', and see 'journalctl -u gpsd'.
        """),
    DiagnosisCase(
      "boat.example:22", updates: .failed(.notAService, "not a gpsd: it says 'SSH-2.0'"),
      words: """
        boat.example:22: not a gpsd: it says 'SSH-2.0'
        gpsd listens on port 2947 unless it is told otherwise.
        """),
    DiagnosisCase(
      updates: .failed(.disconnected, "closed by gpsd"),
      words: """
        localhost:2947: closed by gpsd
        gpsd accepts 64 clients, and hangs up on any more.
        """),
    DiagnosisCase(
      updates: .answer, .failed(.disconnected, "closed by gpsd"),
      words: "localhost:2947: closed by gpsd"),
    DiagnosisCase(
      updates: .state(StateChange(.connecting, at: .start)),
      words: """
        localhost:2947: no answer yet
        gpsd can take 7 s to answer while it opens a receiver: wait longer with --timeout.
        """),
    DiagnosisCase(
      "boat.example:22", updates: .report(.notice("SSH-2.0-OpenSSH_9.2p1")),
      .report(.notice("more")),
      words: """
        boat.example:22: not a gpsd: it says 'SSH-2.0-OpenSSH_9.2p1'
        gpsd listens on port 2947 unless it is told otherwise.
        """),
    DiagnosisCase(
      "boat.example:22", updates: .report(.notice("SSH-2.0-OpenSSH_9.2p1")),
      .failed(.unreachable, number: ECONNREFUSED, "boat.example:22: \(refused)"),
      words: """
        boat.example:22: connection refused: no gpsd listens there
        Is gpsd running there? It accepts other machines only with -G, or ListenStream= in gpsd.socket.
        """),
    // Its receiver
    DiagnosisCase(
      updates: .answer, .report(.receivers([])),
      words: """
        gpsd 3.22 answers, it has no receiver
        Plug one in; if gpsd does not notice, 'gpsdctl add /dev/ttyACM0' or set DEVICES in \
        /etc/default/gpsd.
        """),
    DiagnosisCase(
      updates: .answer, .receiver("/dev/ttyACM0"), .sky(seen: 13, used: 9), .fix(.threeD, eph: 3),
      .report(.removed(path: "/dev/ttyACM0")),
      words: """
        gpsd 3.22 answers, /dev/ttyACM0 is gone
        Plug it in again. If udev does not tell gpsd of it, run 'gpsdctl add /dev/ttyACM0'.
        """),
    DiagnosisCase(
      updates: .answer, .state(.searching, of: "/dev/ttyACM3"), .report(.receivers([])),
      words: """
        gpsd 3.22 answers, /dev/ttyACM3 is gone
        Plug it in again. If udev does not tell gpsd of it, run 'gpsdctl add /dev/ttyACM3'.
        """),
    DiagnosisCase(
      "/dev/ttyACM3", updates: .answer, .receiver("/dev/ttyACM3"),
      .report(.removed(path: "/dev/ttyACM3")),
      words: """
        gpsd 3.22 answers, /dev/ttyACM3 is gone
        Plug it in again: locwatch takes it up by itself.
        """),
    DiagnosisCase(
      "--device", "/dev/ttyUSB7",
      updates: .answer, .report(.refused(path: "/dev/ttyUSB7", reason: "No such device")),
      words: """
        gpsd cannot open /dev/ttyUSB7: No such device
        Without --device locwatch takes any receiver that gpsd has.
        """),
    DiagnosisCase(
      updates: .answer, .receiver("/dev/ttyACM0", isActive: false),
      words: """
        gpsd 3.22 answers, /dev/ttyACM0 is not open
        Can gpsd access it, and is another program using it? 'journalctl -u gpsd' may say.
        """),
    DiagnosisCase(
      updates: .answer, .receiver("/dev/ttyACM0"),
      words: """
        gpsd 3.22 answers, /dev/ttyACM0 is silent
        Is it a GPS receiver, and does it have power? Unplug it and plug it in again.
        """),
    DiagnosisCase(
      "/dev/ttyACM0", updates: .answer, .report(.receivers([])),
      words: """
        gpsd 3.22 answers, it has no receiver
        Is the receiver plugged in?
        """),
    DiagnosisCase(
      "/dev/ttyACM0", updates: .answer, .receiver("/dev/ttyACM0", isActive: false),
      words: """
        gpsd 3.22 answers, /dev/ttyACM0 is not open
        Is another program using it?
        """),
    // What was, and is no more
    DiagnosisCase(
      updates: .answer, .receiver("/dev/ttyACM0"), .sky(seen: 13, used: 9), .fix(.threeD),
      .state(.lost, of: "/dev/ttyACM0", reason: "silence"),
      words: """
        gpsd 3.22 answers, /dev/ttyACM0 is silent
        Is it a GPS receiver, and does it have power? Unplug it and plug it in again.
        """),
    DiagnosisCase(
      updates: .answer, .fix(.threeD), .state(.lost, of: "/dev/ttyACM0", reason: "silence"),
      words: """
        gpsd 3.22 answers, /dev/ttyACM0 is silent
        Is it a GPS receiver, and does it have power? Unplug it and plug it in again.
        """),
    DiagnosisCase(
      updates: .answer, .receiver("/dev/ttyACM0"), .fix(.threeD),
      .state(.lost, of: "/dev/ttyACM0", reason: "no-fix"), .sky(seen: 2, used: 0),
      words: """
        gpsd 3.22 answers, /dev/ttyACM0 reports, 2 satellites seen, 0 used
        Give the antenna a clear view of the sky; a first fix can take several minutes.
        """),
    DiagnosisCase(
      updates: .answer, .receiver("/dev/ttyACM0"), .fix(.threeD),
      .state(.noDevice, of: "/dev/ttyACM0"), .report(.removed(path: "/dev/ttyACM0")),
      words: """
        gpsd 3.22 answers, /dev/ttyACM0 is gone
        Plug it in again. If udev does not tell gpsd of it, run 'gpsdctl add /dev/ttyACM0'.
        """),
    DiagnosisCase(
      updates: .answer, .receiver("/dev/ttyACM0"), .fix(.threeD), .report(.receivers([])),
      words: """
        gpsd 3.22 answers, /dev/ttyACM0 is gone
        Plug it in again. If udev does not tell gpsd of it, run 'gpsdctl add /dev/ttyACM0'.
        """),
    // Its satellites
    DiagnosisCase(
      updates: .answer, .receiver("/dev/ttyACM0"), .state(.searching, of: "/dev/ttyACM0"),
      .sky(seen: 2, used: 0),
      words: """
        gpsd 3.22 answers, /dev/ttyACM0 reports, 2 satellites seen, 0 used
        Give the antenna a clear view of the sky; a first fix can take several minutes.
        """),
    DiagnosisCase(
      updates: .answer, .state(.searching, of: "/dev/ttyACM0"), .sky(seen: 1, used: 0),
      .sky(seen: 3, used: 0, strengths: [17, 21.4, 9]),
      words: """
        gpsd 3.22 answers, /dev/ttyACM0 reports, 3 satellites seen, 0 used, the strongest at 21 dBHz
        Give the antenna a clear view of the sky; a first fix can take several minutes.
        """),
    // What is asked of the fix
    DiagnosisCase(
      "--accuracy", "5", updates: .answer, .sky(seen: 13, used: 9), .fix(.threeD, eph: 30),
      .fix(.threeD, eph: 17.1),
      words: """
        gpsd 3.22 answers, /dev/ttyACM0 reports, 13 satellites seen, 9 used, accurate to 17.1 m at best
        Wait longer with --timeout, or ask for less with --accuracy or --fix.
        """),
    DiagnosisCase(
      "--accuracy", "5", updates: .answer, .fix(.threeD),
      words: """
        gpsd 3.22 answers, /dev/ttyACM0 reports, accuracy unknown
        Wait longer with --timeout, or ask for less with --accuracy or --fix.
        """),
    DiagnosisCase(
      "--fix", "3d", updates: .answer, .fix(.twoD),
      words: """
        gpsd 3.22 answers, /dev/ttyACM0 reports, a 2D fix at best
        Wait longer with --timeout, or ask for less with --accuracy or --fix.
        """),
  ]

  @Test(arguments: cases)
  func `Each way to get no fix in time has its words`(case: DiagnosisCase) throws {
    let diagnosis = try diagnosis(of: `case`)
    #expect(diagnosis.noFix(within: .seconds(20)) == "no fix within 20 s: \(`case`.words)")
  }

  private static let recorded = [
    DiagnosisCase(
      updates: .answer, .report(.receivers([])), words: "gpsd 3.22 answers, it has no receiver"),
    DiagnosisCase(
      "--device", "/dev/ttyUSB7", updates: .answer, .report(.receivers([])),
      words: "no report of /dev/ttyUSB7"),
    DiagnosisCase(
      updates: .answer, .receiver("/dev/ttyACM0", isActive: false),
      words: "gpsd 3.22 answers, /dev/ttyACM0 is not open"),
    DiagnosisCase(
      updates: .answer, .receiver("/dev/ttyACM0"),
      words: "gpsd 3.22 answers, /dev/ttyACM0 is silent"),
    DiagnosisCase(
      updates: .answer, .state(.searching, of: "/dev/ttyACM0"), .sky(seen: 2, used: 0),
      words: "gpsd 3.22 answers, /dev/ttyACM0 reports, 2 satellites seen, 0 used"),
    DiagnosisCase(
      "--fix", "3d", updates: .answer, .fix(.twoD),
      words: "gpsd 3.22 answers, /dev/ttyACM0 reports, a 2D fix at best"),
    DiagnosisCase(
      updates: .state(StateChange(.connecting, at: .start)), words: "no report of gpsd's"),
  ]

  /// Nobody can plug in what a file tells of.
  @Test(arguments: recorded)
  func `A recording has other hints`(example: DiagnosisCase) throws {
    var example = example
    example.arguments += ["--replay", "x.jsonl"]
    #expect(
      try diagnosis(of: example).noFix(within: .seconds(20)) == """
        no fix within 20 s of the recording: \(example.words)
        A longer --timeout reads on in it.
        """)
  }

  @Test func `A recorded refusal has no hint`() throws {
    let example = DiagnosisCase(
      "--device", "/dev/x", "--replay", "x.jsonl",
      updates: .report(.refused(path: "/dev/x", reason: "No such device")), words: "")
    let diagnosis = try diagnosis(of: example)
    #expect(
      diagnosis.refusal(of: "/dev/x", because: "No such device")
        == "gpsd could not open /dev/x: No such device")
    #expect(
      diagnosis.noFix(within: nil) == """
        no fix: gpsd could not open /dev/x: No such device
        A longer --timeout reads on in it.
        """)
  }

  @Test func `A failure is told in the same words when it comes`() throws {
    for example in Self.cases {
      guard case .state(let change) = example.updates.last, let error = change.error else {
        continue
      }
      #expect(try diagnosis(of: example).words(for: error) == example.words)
    }
  }

  @Test func `A gpsd that is not installed is not told to be started`() throws {
    let refused = LocationError(.unreachable, number: ECONNREFUSED, "localhost:2947: refused")
    let diagnosis = Diagnosis(Options(), isGPSDInstalled: { false })
    #expect(
      diagnosis.words(for: refused) == """
        localhost:2947: refused
        gpsd is not installed on this machine: 'sudo apt install gpsd'.
        """)
  }

  @Test func `Names that change for ever do not grow what is known`() {
    var diagnosis = Diagnosis(Options())
    diagnosis.note(.answer)
    for number in 0..<1000 {
      diagnosis.note(.report(.receiver(Receiver(path: "/dev/\(number)", isActive: false))))
    }
    #expect(
      diagnosis.noFix(within: nil)
        .hasPrefix("no fix: gpsd 3.22 answers, /dev/936 is not open, /dev/937 is not open,"))
  }

  @Test func `A failed connection leaves nothing of what was known`() throws {
    let example = DiagnosisCase(
      updates: .answer, .sky(seen: 13, used: 9), .fix(.threeD),
      .failed(.unreachable, "localhost:2947: refused"), .answer, .report(.receivers([])),
      words: "")
    #expect(
      try diagnosis(of: example).noFix(within: nil)
        .hasPrefix("no fix: gpsd 3.22 answers, it has no receiver\n"))
  }

  @Test(arguments: [
    (
      ["-1"], 0,
      "x.jsonl ends before the fix: gpsd 3.22 answers, /dev/ttyACM0 reports, a 2D fix at best"
    ),
    (["-n", "5"], 2, "x.jsonl ends before fix 5"),
  ])
  func `A recording that is not enough says so`(arguments: [String], fixes: Int, words: String)
    throws
  {
    var diagnosis = Diagnosis(
      try Options(arguments: arguments + ["--fix", "3d", "--replay", "x.jsonl"], environment: [:]))
    diagnosis.note(.answer)
    diagnosis.note(.fix(.twoD))
    #expect(diagnosis.recordingEnds(after: fixes) == words)
  }

  private func diagnosis(of example: DiagnosisCase) throws -> Diagnosis {
    var diagnosis = Diagnosis(try Options(arguments: example.arguments, environment: [:]))
    for update in example.updates { diagnosis.note(update) }
    return diagnosis
  }
}
