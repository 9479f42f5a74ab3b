extension Scenario {
  package static let coldStart = Scenario(
    name: "cold-start", summary: "no fix, then 2D, then 3D",
    phases: [
      Phase(2, .searching(inView: 0)), Phase(3, .searching(inView: 5)), Phase(4, .twoDimensional),
      Phase(6, .threeDimensional),
    ])

  package static let drive = Scenario(
    name: "drive", summary: "a round by car at 12 m/s", route: .driving,
    phases: [Phase(15, .threeDimensional)])

  package static let tunnel = Scenario(
    name: "tunnel", summary: "a drive that loses its fix for 5 s", route: .driving,
    phases: [
      Phase(5, .threeDimensional), Phase(5, .searching(inView: 2)), Phase(5, .threeDimensional),
    ])

  package static let silence = Scenario(
    name: "silence", summary: "a receiver that says nothing for 20 s", route: .driving,
    phases: [Phase(5, .threeDimensional), Phase(20, .silent), Phase(5, .threeDimensional)])

  package static let unplug = Scenario(
    name: "unplug", summary: "pulled out for 5 s, and plugged in again on the same path",
    route: .driving,
    phases: [Phase(5, .threeDimensional), Phase(5, .unplugged), Phase(10, .threeDimensional)])

  package static let stuck = Scenario(
    name: "stuck", summary: "repeats the same instant for 10 s", route: .driving,
    phases: [
      Phase(5, .threeDimensional), Phase(10, .threeDimensional, clock: .stuck),
      Phase(5, .threeDimensional),
    ])

  package static let hourBack = Scenario(
    name: "hour-back", summary: "the receiver's clock goes back by an hour for 5 s",
    phases: [
      Phase(5, .threeDimensional), Phase(5, .threeDimensional, clock: .off(bySeconds: -3600)),
      Phase(5, .threeDimensional),
    ])

  package static let yearsAhead = Scenario(
    name: "years-ahead", summary: "the receiver's clock leaps by 20 years for 5 s",
    phases: [
      Phase(5, .threeDimensional),
      Phase(5, .threeDimensional, clock: .off(bySeconds: 7305 * 86_400)),
      Phase(5, .threeDimensional),
    ])

  package static let tenHertz = Scenario(
    name: "ten-hertz", summary: "a drive, ten epochs a second", intervalMilliseconds: 100,
    route: .driving, phases: [Phase(50, .threeDimensional)])

  /// gpsd takes every sentence that has once ended an epoch for an end: two orders, two TPVs.
  package static let severalTPVs = Scenario(
    name: "several-tpvs", summary: "several TPVs an epoch",
    orders: [[.gga, .gsa, .gsv, .rmc], [.rmc, .gsv, .gsa, .gga]], route: .driving,
    phases: [Phase(10, .threeDimensional)])

  package static let still = Scenario(
    name: "still", summary: "a 3D fix that does not move", phases: [Phase(10, .threeDimensional)])

  /// A receiver on a roof for an hour, reporting every 10 s; it lists satellites once a minute.
  package static let hour: Scenario = {
    var route = Route.standing
    route.error = 2.5
    var scenario = Scenario(
      name: "hour", summary: "an hour on a roof: moving satellites, outages, 2D, DGPS",
      intervalMilliseconds: 10_000,
      orders: [[.gga, .gsv, .gsa, .vtg, .rmc]]
        + Array(repeating: [.gga, .vtg, .rmc], count: 5),
      route: route,
      phases: [
        Phase(3, .searching(inView: 0)), Phase(5, .twoDimensional), Phase(82, .threeDimensional),
        Phase(8, .searching(inView: 0)), Phase(4, .twoDimensional), Phase(48, .threeDimensional),
        Phase(90, .differential), Phase(24, .silent), Phase(36, .threeDimensional),
        Phase(2, .searching(inView: 0)), Phase(30, .threeDimensional), Phase(28, .differential),
      ])
    scenario.hasMovingSky = true
    return scenario
  }()

  package static let named =
    [
      coldStart, drive, tunnel, silence, unplug, stuck, hourBack, yearsAhead, tenHertz,
      severalTPVs, still, hour,
    ] + attacks + honest
}
