import Glibc
import LocationCore
import Testing

@testable import LocwatchCLI

@Suite struct DiagnosisTests {
  @Test(arguments: [
    (4, 40.0, true), (4, 39.9, false), (3, 46, false), (12, 46, true),
  ])
  func `The hint for a receiver without a fix goes by its signals`(
    seen: Int, strongest: Double, isStrong: Bool
  ) throws {
    var diagnosis = Diagnosis(Options())
    diagnosis.record(.answer)
    diagnosis.record(.state(.searching, of: "/dev/ttyACM0"))
    let strengths = [strongest] + Array(repeating: 9, count: seen - 1)
    diagnosis.record(.sky(seen: seen, used: 0, strengths: strengths))
    let hint = diagnosis.noFix(within: nil).split(separator: "\n").last.map(String.init)
    #expect(
      hint
        == (isStrong
          ? "The signals are strong: wait. A first fix can take several minutes, while the "
            + "satellites' orbits are received."
          : "Give the antenna a clear view of the sky; a first fix can take several minutes."))
  }

  @Test(
    arguments: [
      [
        .fix(.fix3D, quality: .dgps), .report(.removed(path: "/dev/ttyACM0")),
        .report(.receivers([])),
      ],
      [.fix(.fix3D, quality: .dgps), .state(.lost, of: "/dev/ttyACM0", loss: .silence)],
      [.fix(.fix3D, quality: .dgps), .state(.lost, of: "/dev/ttyACM0", loss: .noFix)],
      [.fix(.fix3D, quality: .dgps), .state(.noDevice, of: "/dev/ttyACM0")],
    ] as [[LocationUpdate]])
  func `What a recording had counts to its end`(updates: [LocationUpdate]) throws {
    var diagnosis = Diagnosis(
      try Options(
        arguments: ["--quality", "rtk-fixed", "--replay", "x.jsonl", "-1"], environment: [:]))
    diagnosis.record(.answer)
    diagnosis.record(.sky(seen: 13, used: 9))
    for update in updates { diagnosis.record(update) }
    #expect(
      diagnosis.recordingEnds(after: 0)
        == "x.jsonl ends before the fix: gpsd 3.22 answers, /dev/ttyACM0 reports, "
        + "13 satellites seen, 9 used, quality dgps at best")
  }

  @Test func `A gpsd that is not installed is not told to be started`() throws {
    let refused = LocationError(
      .unreachable, systemError: .errno(ECONNREFUSED), "localhost:2947: refused")
    let diagnosis = Diagnosis(Options(), on: .empty, isGPSDInstalled: { false })
    #expect(
      diagnosis.message(for: refused) == """
        localhost:2947: refused
        gpsd is not installed on this machine: 'sudo apt install gpsd'.
        """)
  }

  @Test func `Names that change for ever do not grow what is known`() {
    var diagnosis = Diagnosis(Options(), on: .empty)
    diagnosis.record(.answer)
    for number in 0..<1000 {
      diagnosis.record(.report(.receiver(Receiver(path: "/dev/\(number)", isActive: false))))
    }
    #expect(
      diagnosis.noFix(within: nil)
        .hasPrefix("no fix: gpsd 3.22 answers, /dev/936 is not open, /dev/937 is not open,"))
  }

  @Test(
    arguments: [
      ([(.fix3D, 30), (.fix2D, 15)], "accurate to 30.0 m at best"),
      ([(.fix2D, 15), (.fix3D, 30)], "accurate to 30.0 m at best"),
      ([(.fix3D, 30), (.fix3D, 15), (.fix3D, 20)], "accurate to 15.0 m at best"),
      ([(.fix3D, nil), (.fix3D, 30)], "accurate to 30.0 m at best"),
      ([(.fix3D, 30), (.fix3D, nil)], "accurate to 30.0 m at best"),
      ([(.fix2D, 15), (.fix2D, 11)], "a 2D fix at best"),
    ] as [([(FixMode, Double?)], String)])
  func `The fix that came nearest is the one of more dimensions, and of these the most accurate`(
    fixes: [(FixMode, Double?)], words: String
  ) throws {
    var diagnosis = Diagnosis(
      try Options(
        arguments: ["--fix", "3d", "--accuracy", "10", "--replay", "x.jsonl", "-1"],
        environment: [:]))
    diagnosis.record(.answer)
    for (mode, eph) in fixes { diagnosis.record(.fix(mode, eph: eph)) }
    #expect(
      diagnosis.recordingEnds(after: 0)
        == "x.jsonl ends before the fix: gpsd 3.22 answers, /dev/ttyACM0 reports, \(words)")
  }

  @Test func `A failed connection leaves nothing of what was known`() throws {
    let example = DiagnosisCase(
      updates: .answer, .sky(seen: 13, used: 9), .fix(.fix3D),
      .failed(.unreachable, "localhost:2947: refused"), .answer, .report(.receivers([])),
      message: "")
    #expect(
      try example.diagnosis().noFix(within: nil)
        .hasPrefix("no fix: gpsd 3.22 answers, but it has no receiver\n"))
  }

  @Test(arguments: [
    (
      ["-1"], 0,
      "x.jsonl ends before the fix: gpsd 3.22 answers, /dev/ttyACM0 reports, a 2D fix at best"
    ),
    (["-n", "5"], 2, "x.jsonl ends before fix 5"),
  ])
  func `A recording that is not enough says so`(arguments: [String], fixes: Int, message: String)
    throws
  {
    var diagnosis = Diagnosis(
      try Options(arguments: arguments + ["--fix", "3d", "--replay", "x.jsonl"], environment: [:]))
    diagnosis.record(.answer)
    diagnosis.record(.fix(.fix2D))
    #expect(diagnosis.recordingEnds(after: fixes) == message)
  }
}
