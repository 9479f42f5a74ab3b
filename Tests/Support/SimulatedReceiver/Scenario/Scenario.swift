/// What a receiver meets, as a plain value: the same scenario and epoch give the same bytes.
package struct Scenario: Hashable, Sendable {
  package var name: String
  /// One line for people.
  package var summary: String
  /// The time of the first epoch.
  package var start: ReceiverTime
  /// From one epoch to the next.
  package var intervalMilliseconds: Int64
  /// What is sent in an epoch, and in which order; the orders take turns.
  package var orders: [[SentenceKind]]
  package var route: Route
  /// Whether the satellites move; otherwise there are thirteen that stand.
  package var hasMovingSky = false
  /// The phases, in order; the last one never ends, unless they repeat.
  package var phases: [Phase]
  /// Whether the first phase follows the last.
  package var repeats = false

  package init(
    name: String, summary: String,
    start: ReceiverTime = ReceiverTime(year: 2026, month: 11, day: 20, hour: 7, minute: 5),
    intervalMilliseconds: Int64 = 1000,
    orders: [[SentenceKind]] = [[.gga, .gsa, .gsv, .vtg, .rmc]],
    route: Route = .standing, phases: [Phase]
  ) {
    self.name = name
    self.summary = summary
    self.start = start
    self.intervalMilliseconds = intervalMilliseconds
    self.orders = orders
    self.route = route
    self.phases = phases
  }

  /// How many epochs it takes until every phase has come to its end.
  package var length: Int {
    phases.reduce(0) { $0 + $1.epochs }
  }

  package var interval: Duration {
    .milliseconds(intervalMilliseconds)
  }

  /// Whether the receiver is plugged in.
  package func isPresent(at index: Int) -> Bool {
    phase(at: index).phase.reception != .unplugged
  }

  /// What the receiver knows at one epoch, counted from 0. `nil` where it says nothing.
  package func epoch(at index: Int) -> ReceiverEpoch? {
    let (phase, first) = phase(at: index)
    let elapsed = intervalMilliseconds * Int64(phase.clock == .stuck ? first : index)
    var epoch = ReceiverEpoch(
      time: start.advanced(byMilliseconds: elapsed), fix: .none, satellites: [])
    if case .off(let milliseconds) = phase.clock {
      epoch.time = epoch.time.advanced(byMilliseconds: milliseconds)
    }
    switch phase.reception {
    case .unplugged, .silent:
      return nil
    case .searching(let inView):
      epoch.satellites = SimulatedSatellite.sky(inView: inView, used: 0)
    case .twoDimensional:
      epoch.fix = .twoDimensional
      epoch.satellites = SimulatedSatellite.sky(inView: 7, used: 3)
    case .threeDimensional, .differential:
      epoch.fix = .threeDimensional
      epoch.isDifferential = phase.reception == .differential
      epoch.satellites = SimulatedSatellite.sky(inView: 13, used: 9)
    }
    if hasMovingSky {
      let isBlind = epoch.fix == .none
      epoch.satellites = MovingSky.satellites(
        over: route, atSecond: Double(elapsed) / 1000, isBlind: isBlind,
        maximumUsed: epoch.fix == .twoDimensional ? 3 : .max)
    }
    if epoch.fix != .none {
      epoch.place = route.place(afterMilliseconds: elapsed)
      let share = epoch.isDifferential ? 0.35 : epoch.fix == .twoDimensional ? 4 : 1
      epoch.place = epoch.place.map { route.wandered($0, elapsed, share: share) }
    }
    distort(&epoch, by: phase.distortion, since: intervalMilliseconds * Int64(first), at: elapsed)
    epoch.place = epoch.place.map(route.rounded)
    return epoch
  }

  /// - Parameters:
  ///   - begin: When the phase begins, in milliseconds.
  ///   - elapsed: The moment, in milliseconds.
  private func distort(
    _ epoch: inout ReceiverEpoch, by distortion: Distortion, since begin: Int64, at elapsed: Int64
  ) {
    let seconds = Double(elapsed - begin) / 1000
    func setSignals(_ change: (Int) -> Int) {
      for index in epoch.satellites.indices {
        epoch.satellites[index].signal = epoch.satellites[index].signal.map(change)
      }
    }
    switch distortion {
    case .none: break
    case .off(let metres, let perSecond):
      epoch.place = epoch.place.map { route.moved($0, east: metres + perSecond * seconds) }
    case .dragged(let perSecond):
      epoch.place = epoch.place.map { route.moved($0, east: perSecond * seconds) }
      epoch.place?.speed += perSecond
    case .frozen:
      guard let place = epoch.place else { break }
      var frozen = route.wandered(route.place(afterMilliseconds: begin), begin, share: 1)
      (frozen.speed, frozen.course) = (place.speed, place.course)
      epoch.place = frozen
    case .oneTransmitter: setSignals { _ in 45 }
    case .noise(let decibels): setSignals { max(0, $0 - decibels) }
    }
  }

  /// The same with another time from one epoch to the next; its phases last as long as before.
  package func every(milliseconds: Int64) -> Scenario {
    var scenario = self
    scenario.intervalMilliseconds = milliseconds
    for index in phases.indices {
      let lasts = Int64(phases[index].epochs) * intervalMilliseconds
      scenario.phases[index].epochs = Int(max(1, lasts / milliseconds))
    }
    return scenario
  }

  /// The sentences of one epoch, in order. Empty where the receiver says nothing.
  package func sentences(at index: Int) -> [NMEASentence] {
    guard let epoch = epoch(at: index) else { return [] }
    return orders[index % orders.count].flatMap { NMEASentence.sentences($0, of: epoch) }
  }

  /// The same, as they go over the line.
  package func bytes(at index: Int) -> [UInt8] {
    sentences(at: index).flatMap { Array("\($0.text)\r\n".utf8) }
  }

  /// The phase that an epoch belongs to, and the phase's first epoch.
  private func phase(at index: Int) -> (phase: Phase, first: Int) {
    var first = repeats ? index - index % length : 0
    for phase in repeats ? phases : phases.dropLast() {
      if index < first + phase.epochs { return (phase, first) }
      first += phase.epochs
    }
    return (phases[phases.count - 1], first)
  }
}
