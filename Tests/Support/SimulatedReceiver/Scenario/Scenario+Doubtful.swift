// Positions that are not true, and honest ones that look like it.

extension Scenario {
  /// When each attack begins, in seconds.
  package static let attackBegins = 120

  /// A receiver with ordinary errors: at rest, on a walk or under way.
  private static func route(
    radius: Double = 0, speed: Double = 0, grid: Double? = nil
  ) -> Route {
    var route = Route(radius: radius, speed: speed)
    (route.error, route.speedError, route.grid) = (3, 0.1, grid)
    return route
  }

  private static func attack(
    _ name: String, _ summary: String, route: Route = route(), _ phases: Phase...
  ) -> Scenario {
    Scenario(
      name: name, summary: summary, route: route,
      phases: [Phase(attackBegins, .threeDimensional)] + phases)
  }

  private static func ordinary(
    _ name: String, _ summary: String, route: Route = route(), repeats: Bool = false,
    _ phases: Phase...
  ) -> Scenario {
    var scenario = Scenario(name: name, summary: summary, route: route, phases: phases)
    scenario.repeats = repeats
    return scenario
  }

  package static func jump(metres: Double) -> Scenario {
    attack(
      "jump", "after 2 min at rest, the position is \(Int(metres)) m away",
      Phase(60, .threeDimensional, .off(metres: metres)))
  }

  package static func dragOff(metresPerSecond speed: Double) -> Scenario {
    attack(
      "drag-off",
      "after 2 min at rest, the position is dragged off at \(speed) m/s; the speed stays",
      Phase(60, .threeDimensional, .off(metres: 0, perSecond: speed)))
  }

  package static let dragOffWithSpeed = attack(
    "drag-all", "after 2 min at rest, position and speed are dragged off at 5 m/s",
    Phase(60, .threeDimensional, .dragged(perSecond: 5)))

  package static func jamThenSpoof(metres: Double) -> Scenario {
    attack(
      "jam-then-spoof", "no fix for 30 s, and then one that is \(Int(metres / 1000)) km away",
      Phase(30, .searching(inView: 0)), Phase(60, .threeDimensional, .off(metres: metres)))
  }

  package static func replayedHour(metres: Double) -> Scenario {
    attack(
      "replayed-hour",
      "after 2 min at rest, what was heard an hour ago, \(Int(metres)) m away",
      Phase(60, .threeDimensional, clock: .off(bySeconds: -3600), .off(metres: metres)))
  }

  package static func meaconer(metres: Double) -> Scenario {
    attack(
      "meaconer",
      "after 2 min at rest, the sky that an antenna \(Int(metres)) m away hears, a millisecond late",
      Phase(60, .threeDimensional, clock: .off(byMilliseconds: -1), .off(metres: metres)))
  }

  package static let frozen = attack(
    "frozen", "after 2 min of a drive, the position stays while the speed goes on",
    route: route(radius: 400, speed: 12), Phase(60, .threeDimensional, .frozen))

  package static let oneTransmitter = attack(
    "transmitter", "after 2 min at rest, all satellites are equally strong",
    Phase(60, .threeDimensional, .oneTransmitter))

  package static let attacks = [
    jump(metres: 1000), dragOff(metresPerSecond: 5), dragOffWithSpeed, jamThenSpoof(metres: 20_000),
    replayedHour(metres: 300), meaconer(metres: 20), frozen, oneTransmitter,
  ]

  /// None of these is to be doubted.
  package static let honest = [
    ordinary(
      "long-tunnel", "a drive with a tunnel of 15 min", route: route(radius: 5000, speed: 20),
      Phase(600, .threeDimensional), Phase(900, .searching(inView: 2)),
      Phase(600, .threeDimensional)),
    ordinary(
      "garage", "a drive, an hour in a garage, and another drive",
      route: route(radius: 400, speed: 12),
      Phase(300, .threeDimensional), Phase(3600, .searching(inView: 1)),
      Phase(30, .twoDimensional, .off(metres: 80, perSecond: -2)), Phase(300, .threeDimensional)),
    ordinary(
      "cold-wander", "a cold start whose first positions are 200 m off",
      Phase(30, .searching(inView: 3)),
      Phase(10, .twoDimensional, .off(metres: 200, perSecond: -5)),
      Phase(30, .threeDimensional, .off(metres: 150, perSecond: -5)), Phase(300, .threeDimensional)),
    ordinary(
      "ferry", "2 h below deck of a ferry, 60 km", Phase(600, .threeDimensional),
      Phase(7200, .silent), Phase(600, .threeDimensional, .off(metres: 60_000))),
    ordinary(
      "multipath", "a reflected signal, 30 m off for 10 s of each minute", repeats: true,
      Phase(50, .threeDimensional), Phase(10, .threeDimensional, .off(metres: 30))),
    ordinary(
      "held", "an hour of a position that is held", route: .standing,
      Phase(3600, .threeDimensional)),
    ordinary(
      "coarse", "a walk with four decimals of a degree",
      route: route(radius: 300, speed: 1.3, grid: 1e-4), Phase(1800, .threeDimensional)),
    ordinary(
      "jammer-passes", "a truck with a jammer passes: weak signals, no fix for 10 s, weak signals",
      Phase(120, .threeDimensional), Phase(3, .threeDimensional, .noise(decibels: 6)),
      Phase(3, .threeDimensional, .noise(decibels: 12)), Phase(10, .searching(inView: 0)),
      Phase(3, .twoDimensional, .off(metres: 40)),
      Phase(3, .threeDimensional, .noise(decibels: 6)), Phase(300, .threeDimensional)),
  ]
}
