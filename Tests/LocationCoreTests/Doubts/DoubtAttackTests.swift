import LocationCore
import SimulatedReceiver
import TestSupport
import Testing

/// Attacks, and how many seconds each takes to be noticed: of twenty receivers with errors of their own, the
/// median and maximum. What JSON by itself cannot show is `nil`. The table is that of the article
/// BelievingAPosition.
///
/// Fault 133.
@Suite struct `An attack is noticed` {
  /// Returns after how many seconds the doubt was first reported: `median, maximum`; `nil` if one of twenty receivers
  /// never had it. No doubt is reported before the attack.
  private func seconds(_ doubt: Doubt, _ attack: Scenario, clockError: Double? = nil) -> String? {
    var noticed: [Double] = []
    for seed in 1...20 {
      var reports = ScenarioReports(scenario: attack, clockError: clockError)
      reports.scenario.route.seed = seed
      let told = reports.doubts()
      let begin = Double(Scenario.attackBegins)
      #expect(told.allSatisfy { $0.second >= begin }, "\(attack.name), seed \(seed)")
      if let first = told.first(where: { $0.doubts.contains(doubt) }) {
        noticed.append(first.second - begin)
      }
    }
    guard noticed.count == 20 else { return nil }
    noticed.sort()
    return "\(Int(noticed[9])), \(Int(noticed[19]))"
  }

  @Test(
    arguments: [
      (0.5, nil), (1.0, nil), (2.0, "36, 37"), (3.0, "21, 22"), (5.0, "12, 12"), (10.0, "6, 6"),
      (20.0, "3, 3"), (30.0, "2, 2"),
    ] as [(Double, String?)])
  func `that drags the position off while Doppler stays`(speed: Double, expected: String?) {
    #expect(seconds(.jump, .dragOff(metresPerSecond: speed)) == expected)
  }

  @Test func `unless it drags the Doppler along, which no report shows`() {
    #expect(seconds(.jump, .dragOffWithSpeed) == nil)
  }

  @Test(arguments: [60.0, 100, 1000, 20_000, 6_000_000])
  func `that jumps`(metres: Double) {
    #expect(seconds(.jump, .jump(metres: metres)) == "0, 0")
  }

  @Test(arguments: [(1000.0, nil), (5000, "30, 30"), (20_000, "30, 30"), (6_000_000, "30, 30")])
  func `that jams for 30 s and then jumps, if no car comes so far`(
    metres: Double, expected: String?
  ) {
    #expect(seconds(.jump, .jamThenSpoof(metres: metres)) == expected)
  }

  @Test func `that freezes the receiver`() {
    #expect(seconds(.frozen, .frozen) == "10, 10")
  }

  @Test func `that replays an hour, by the place and by a clock that is right`() {
    #expect(seconds(.jump, .replayedHour(metres: 300)) == "0, 0")
    #expect(seconds(.time, .replayedHour(metres: 0), clockError: 0.1) == "2, 2")
    #expect(seconds(.time, .replayedHour(metres: 0)) == nil)
  }

  @Test func `that repeats the sky of another place a millisecond late, by the place`() {
    #expect(seconds(.jump, .meaconer(metres: 200)) == "0, 0")
    #expect(seconds(.time, .meaconer(metres: 0), clockError: 0) == nil)
    #expect(seconds(.jump, .meaconer(metres: 0)) == nil)
  }

  @Test func `that comes from one transmitter`() {
    #expect(seconds(.sky, .oneTransmitter) == "5, 5")
  }
}

/// Fault 133.
@Suite struct `An honest receiver is not doubted` {
  /// What is reported, and how often, in milliseconds.
  static let receivers: [(String, ScenarioReports, Int64)] = [
    ("1 Hz", ScenarioReports(scenario: .still), 1000),
    ("10 Hz", ScenarioReports(scenario: .still), 100),
    ("every 10 s", ScenarioReports(scenario: .still), 10_000),
    ("no speed", ScenarioReports(scenario: .still, hasSpeed: false), 1000),
    (
      "no speed, no error", ScenarioReports(scenario: .still, hasSpeed: false, hasAccuracy: false),
      1000
    ),
    ("a clock that is right", ScenarioReports(scenario: .still, clockError: 0), 1000),
  ]

  @Test(arguments: Scenario.honest)
  func `in a tunnel, a garage, a cold start, on a ferry, beside a wall or a jammer`(
    scenario: Scenario
  ) {
    for (name, receiver, interval) in Self.receivers {
      for error in isReleaseBuild ? [0.3, 3, 12] : interval < 1000 ? [3] : [3, 12] {
        for seed in 1...(isReleaseBuild ? 5 : 1) {
          var reports = receiver
          reports.scenario = scenario.every(milliseconds: interval)
          if scenario.route.error > 0 { reports.scenario.route.error = error }
          reports.scenario.route.seed = seed
          if scenario.repeats { reports.scenario.phases = Self.repeated(reports.scenario) }
          let told = reports.doubts()
          #expect(told.isEmpty, "\(name), \(error) m, seed \(seed): \(told)")
        }
      }
    }
  }

  /// The phases of a scenario that repeats, ten times.
  private static func repeated(_ scenario: Scenario) -> [Phase] {
    (0..<10).flatMap { _ in scenario.phases }
  }
}
