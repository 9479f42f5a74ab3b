import Glibc
import LocationCore
import LocationTestKit
import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem

@Suite struct `During a live run, locwatch` {
  private typealias Script = [LocationScriptStep]

  private static let device = "/dev/a"
  private static let refused = LocationError(
    .unreachable, systemError: .errno(ECONNREFUSED), "localhost:2947: connection refused")
  private static let answer = LocationScriptStep.event(
    .service(LocationService(name: "gpsd 3.22")))
  private static let none = LocationScriptStep.event(.receivers([]))
  private static let one = LocationScriptStep.event(.receivers([Receiver(path: device)]))
  private static let fix = LocationScriptStep.event(.fix(.scripted(nil)))

  /// Reports without a position, one each second.
  private static func searching(_ seconds: Int) -> Script {
    (0..<seconds).flatMap { _ in
      [.event(.noFix(NoFix(device: device))), .wait(.seconds(1))] as Script
    }
  }

  private static let noServiceAdvice = [
    "localhost:2947: connection refused",
    "gpsd is not installed:", "sudo apt install gpsd",
  ]
  private static let noReceiverAdvice = [
    "gpsd has no receiver, and no serial device is plugged in",
    "Plug one in. If gpsd does not notice, run 'sudo gpsdctl add /dev/ttyACM0' or set DEVICES in "
      + "/etc/default/gpsd.",
  ]
  private static let silenceAdvice = [
    "/dev/a is open, but was silent",
    "Is it a GPS receiver, and does it have power? Unplug it and plug it in again. If gpsd misses that, "
      + "restart gpsd.",
  ]
  private static let noFixAdvice = [
    "no fix for 60 s: the receiver has no position",
    "The receiver reports no satellites: is the antenna connected, and does it have a view of the sky?",
  ]

  private func messages(_ duration: String, _ scripts: Script...) async throws -> [String] {
    func script(_ index: Int) -> Script { scripts[min(index, scripts.count - 1)] }
    return try await WatchRun(
      ["--duration", duration], script(0), script(1), script(2), script(3)
    ).messages
  }

  @Test func `says once what to try without a gpsd, however often it tries`() async throws {
    let run = try await WatchRun(["--duration", "10m"], [.fail(Self.refused)])
    #expect(run.messages == Self.noServiceAdvice)
    #expect(run.shown.count > 5)
  }

  @Test func `says it again if gpsd was there in between`() async throws {
    let messages = try await messages(
      "10m", [.fail(Self.refused)], [Self.answer, Self.one, Self.fix, .fail(.closed)],
      [.fail(Self.refused)])
    #expect(messages == Self.noServiceAdvice + Self.noServiceAdvice)
  }

  @Test func `says once what to try without a receiver`() async throws {
    let script = [Self.answer, Self.none, .wait(.seconds(10)), Self.none, .wait(.seconds(1))]
    #expect(try await messages("1m", script + [.stayOpen]) == Self.noReceiverAdvice)
    // A gpsd that comes and goes without one is no better.
    #expect(try await messages("1m", script + [.fail(.closed)]) == Self.noReceiverAdvice)
  }

  @Test func `says it again if there was a receiver in between`() async throws {
    let messages = try await messages(
      "1m",
      [
        Self.answer, Self.none, .wait(.seconds(10)), Self.one, Self.fix,
        .event(.removed(path: Self.device)), .stayOpen,
      ])
    let isGone = [
      "\(Self.device) is gone",
      "Plug it in again, and if gpsd does not notice, restart gpsd.",
    ]
    #expect(messages == Self.noReceiverAdvice + isGone)
  }

  @Test func `gives no advice before gpsd has reported its receivers`() async throws {
    #expect(try await messages("1m", [Self.answer, .stayOpen]) == [])
  }

  @Test(arguments: [("14s", 0), ("16s", 1), ("1h", 1)])
  func `says what to try if a receiver is silent`(duration: String, count: Int) async throws {
    #expect(
      try await messages(duration, [Self.answer, Self.one, .stayOpen])
        == (0..<count).flatMap { _ in
          [
            "/dev/a is open, but gpsd recognised nothing",
            "gpsd tries all usual speeds: does the receiver have power, and is its TX connected to this "
              + "machine's RX?",
          ]
        })
  }

  @Test(arguments: [("34s", 0), ("36s", 1), ("1h", 1)])
  func `says what to try if a receiver falls silent`(
    duration: String, count: Int
  ) async throws {
    let script = [
      Self.answer, Self.one, Self.fix, .wait(.seconds(5)), Self.fix, .stayOpen,
    ]
    // After three of its intervals of 5 s it is lost, and the advice comes 15 s later.
    #expect(
      try await messages(duration, script) == (0..<count).flatMap { _ in Self.silenceAdvice })
  }

  @Test(arguments: [("60s", 0), ("61s", 1), ("1h", 1)])
  func `says what to try after a minute without a fix`(duration: String, count: Int) async throws {
    // After 200 s the receiver falls silent.
    let silence = duration == "1h" ? Self.silenceAdvice : []
    let advice = (0..<count).flatMap { _ in Self.noFixAdvice } + silence
    let seen =
      (0..<count).flatMap { _ in
        [
          "\(Self.noFixAdvice[0]), 1 satellite seen, 0 used, the strongest at 35 dBHz",
          "Give the antenna a clear view of the sky; a first fix can take several minutes.",
        ]
      } + silence
    let sky = [Self.answer, Self.one, Self.sky([35])]
    #expect(try await messages(duration, sky + Self.searching(200) + [.stayOpen]) == seen)
    #expect(
      try await messages(
        duration, [Self.answer, Self.one, Self.fix] + Self.searching(200) + [.stayOpen]) == advice)
  }

  private static func sky(_ strengths: [Double]) -> LocationScriptStep {
    let satellites = strengths.enumerated().map {
      Satellite(prn: $0.offset, signalStrength: $0.element)
    }
    return .event(.sky(SkyView(device: device, satellites: satellites)))
  }

  private static let noSatellitesAdvice = [
    "no fix for 20 s: the receiver has no position, 0 satellites seen, 0 used",
    "The antenna receives nothing: is it connected, and does it have a view of the sky?",
  ]

  @Test(arguments: [("20s", 0), ("21s", 1), ("1h", 1)])
  func `gives that advice sooner for a receiver that has seen no satellite`(
    duration: String, count: Int
  ) async throws {
    // After 200 s the receiver falls silent.
    let silence = duration == "1h" ? Self.silenceAdvice : []
    let advice = (0..<count).flatMap { _ in Self.noSatellitesAdvice } + silence
    let dark = Self.searching(1) + [Self.sky([])]
    let script = [Self.answer, Self.one, Self.sky([])] + (0..<200).flatMap { _ in dark }
    #expect(try await messages(duration, script + [.stayOpen]) == advice)
  }

  /// gpsd 3.22 sends no sky of a receiver that sees nothing, and some list satellites by their almanac.
  @Test(arguments: [
    (
      [], "",
      "The receiver reports no satellites: is the antenna connected, and does it have a view of the sky?"
    ),
    (
      [sky([0, 0])], ", 2 satellites seen, 0 used, the strongest at 0 dBHz",
      noSatellitesAdvice[1]
    ),
  ])
  func `gives that advice as early if no satellite is reported or received`(
    sky: [LocationScriptStep], seen: String, hint: String
  ) async throws {
    let script = [Self.answer, Self.one] + sky + Self.searching(50) + [.stayOpen]
    #expect(
      try await messages("59s", script)
        == ["no fix for 20 s: the receiver has no position\(seen)", hint])
  }

  @Test func `waits for a minute once a satellite was seen`() async throws {
    // One comes after ten seconds, and is gone at once, as in a tunnel.
    let script =
      [Self.answer, Self.one, Self.sky([])] + Self.searching(10)
      + [Self.sky([20]), Self.sky([])]
    #expect(try await messages("69s", script + Self.searching(200) + [.stayOpen]) == [])
    #expect(
      try await messages("71s", script + Self.searching(200) + [.stayOpen]) == [
        "no fix for 60 s: the receiver has no position, 0 satellites seen, 0 used",
        Self.noSatellitesAdvice[1],
      ])
  }

  @Test func `says both if satellites appear, but no fix`() async throws {
    let script =
      [Self.answer, Self.one, Self.sky([])] + Self.searching(25) + [Self.sky([20])]
      + Self.searching(100)
    #expect(
      try await messages("1h", script + [.stayOpen])
        == Self.noSatellitesAdvice + [
          "no fix for 60 s: the receiver has no position, 1 satellite of 20 dBHz",
          "That is too weak: a fix needs four satellites of about 30 dBHz. Give the antenna a clear view of "
            + "the sky.",
        ] + Self.silenceAdvice)
  }

  @Test func `says nothing about a fix that is lost for less than a minute`() async throws {
    let tunnel = [Self.fix] + Self.searching(50)
    #expect(
      try await messages(
        "1h", [Self.answer, Self.one] + tunnel + tunnel + [Self.fix, .fail(.closed)], [.stayOpen])
        == [])
  }

  @Test func `repeats gpsd's message about a receiver that it does not have`() async throws {
    let messages = try await messages(
      "1m",
      [
        Self.answer, .event(.refused(path: "/dev/b", reason: "No such device")), Self.none,
        .stayOpen,
      ])
    #expect(
      messages == [
        "gpsd cannot open /dev/b: No such device",
        "Without --device, locwatch watches every receiver that gpsd has.",
      ])
  }

  @Test(arguments: [
    ["--quiet"], ["-t", "60s"], ["-t", "1s", "-n", "5"], ["-1"], ["-1", "-t", "4m"],
    ["--replay", "a.jsonl"],
  ])
  func `gives no early advice if that is off, or if the end gives it`(
    arguments: [String]
  ) async throws {
    for script in [[.fail(Self.refused)], [Self.answer, Self.none, .stayOpen]] as [Script] {
      let run = try await WatchRun(arguments + ["--duration", "5m"], script)
      #expect(run.messages == [])
    }
  }

  @Test func `leaves what ends the run to its end`() async throws {
    let run = try await WatchRun(["--no-reconnect"], [.fail(Self.refused)])
    #expect(run.messages == [])
    #expect(run.result.message?.text == Self.noServiceAdvice.joined(separator: "\n"))
  }

  @Test func `says it if the end is far away`() async throws {
    let run = try await WatchRun(["-t", "61s"], [Self.answer, Self.none, .stayOpen])
    #expect(run.messages == Self.noReceiverAdvice)
  }
}

extension LocationError {
  fileprivate static let closed = LocationError(.disconnected, "closed by gpsd")
}
