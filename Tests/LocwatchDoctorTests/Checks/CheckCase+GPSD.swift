import LocationCore

@testable import LocwatchDoctor
@testable import LocwatchSystem

extension CheckCase {
  /// A connection to gpsd that failed.
  private static func failed(
    _ target: String = "localhost", with error: LocationError, is finding: Finding
  ) -> CheckCase {
    CheckCase("gpsd", target, is: finding) { ($0.events, $0.failure) = ([], error) }
  }

  /// What can be wrong with the connection to gpsd, and with a gpsd that locwatch started.
  static let ofGPSD: [CheckCase] = [
    failed(
      with: LocationError(.notAService, "x"), is: .wrong("localhost:2947: x", Hint.notGPSD)),
    // Without a free descriptor. gpsd may be well.
    failed(
      with: LocationError(.unreachable, systemError: .errno(24), "x"), is: .wrong("x")),
    failed(
      "boat", with: LocationError(.unreachable, systemError: .errno(111), "x"),
      is: .wrong("x", Hint.noDaemonThere)),
    failed("boat", with: LocationError(.unreachable, "x"), is: .wrong("x", Hint.noAnswerThere)),
    failed("boat", with: LocationError(.unknownHost, "x"), is: .wrong("x", Hint.unknownHost)),
    failed(
      with: LocationError(.silent, "x"),
      is: .wrong("localhost:2947: x", Hint.silentDaemon(on: .empty))),
    failed(
      with: LocationError(.disconnected, "x"),
      is: .wrong("localhost:2947: x", Hint.tooManyClients)),
    CheckCase(
      "gpsd", is: .wrong("localhost:2947: not a gpsd: it says 'a'", Hint.notGPSD)
    ) { ($0.events, $0.failure) = ([.notice("a"), .notice("b")], LocationError(.notAService)) },
    CheckCase("gpsd", is: .wrong("localhost:2947 does not answer", Hint.silentDaemon(on: .empty))) {
      $0.events = [.selected("", previous: nil)]
    },
    CheckCase(
      "gpsd", "/dev/ttyACM0",
      is: .wrong("gpsd is not installed", "Install it:", run: ["sudo apt install gpsd"])
    ) {
      $0.events = []
      try $0.fake.end(77)
      try $0.fake.remove("usr/sbin/gpsd")
    },
    // The second refusal follows from the first.
    CheckCase(
      "devices", "localhost:2947:/dev/x",
      is: .wrong("gpsd cannot open /dev/x: a", Hint.anyReceiver(of: ["/dev/y"]))
    ) {
      $0.events = [SickMachine.answer, .receiver(Receiver(path: "/dev/y"))]
      $0.events += ["a", "b"].map { .refused(path: "/dev/x", reason: $0) }
    },
    CheckCase(
      "devices", "/dev/ttyACM0",
      is: .wrong(
        "gpsd does not open /dev/ttyACM0",
        "Can gpsd's user open it, and is another program using it? 'ls -lL /dev/ttyACM0' shows who can."
      )
    ) {
      $0.isPrivate = true
      $0.events = [
        SickMachine.answer, SickMachine.receivers(driver: nil, isActive: false),
        .removed(path: SickMachine.port),
      ]
    },
    CheckCase(
      "devices", "/dev/ttyACM0",
      is: .wrong(
        "gpsd opened /dev/ttyACM0, recognised nothing and closed it again",
        "Is it a GPS receiver, and does it send at the speed of that port?")
    ) {
      $0.isPrivate = true
      $0.events = [
        SickMachine.answer, SickMachine.receivers(driver: nil), .removed(path: SickMachine.port),
        .receivers([]),
      ]
    },
  ]
}
