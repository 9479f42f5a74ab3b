import Glibc
import LocationCore
import Testing

@testable import LocwatchDoctor
@testable import LocwatchSystem

@Suite struct `The message that there is no fix` {
  private static let refused = "no gpsd accepts connections there"

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
          localhost:2947: no gpsd accepts connections there
          gpsd is not installed:
          sudo apt install gpsd
          """),
      DiagnosisCase(
        "boat.example",
        updates: .failed(
          .unreachable, systemError: .errno(ECONNREFUSED), "boat.example:2947: \(refused)"),
        message: """
          boat.example:2947: no gpsd accepts connections there
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
          boat.example:22: no gpsd accepts connections there
          Is gpsd running there? It accepts other machines only with -G, or ListenStream= in gpsd.socket.
          """),
      // The fix
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
    ]

  private static let isNotCurrent: Message = """
    none of its fixes is current
    Wait longer with --timeout.
    """

  @Test(arguments: cases)
  func `Each way to get no fix in time has its message`(case: DiagnosisCase) {
    let diagnosis = `case`.diagnosis()
    #expect(diagnosis.noFix(within: .seconds(20)) == "no fix within 20 s: \(`case`.message)")
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
