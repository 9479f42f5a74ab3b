import GPSDTestKit

/// Tests of a program as its author writes them, side by side in a process that has just started: nothing is
/// in memory yet. It fails if the clock of one was advanced while a task of it was still at work.
@main struct ColdStart {
  static func main() async {
    let failures = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<2 {
        group.addTask { await Gatekeeping.run() }
        group.addTask { await Following.run() }
        group.addTask { await Reconnecting.run() }
      }
      var failures: [String] = []
      for await failure in group { failures += failure.map { [$0] } ?? [] }
      return failures
    }
    guard !failures.isEmpty else { return }
    fatalError(failures.joined(separator: "\n"))
  }

  static func difference<Value: Equatable>(
    _ name: String, _ found: Value, _ expected: Value
  ) -> String? {
    found == expected ? nil : "\(name): \(found), not \(expected)"
  }
}

/// A daemon that reads a provider in tasks of its own. A clock that is advanced too soon jumps over a fix, to the
/// end of the 30 s for which a presence is kept.
private enum Gatekeeping {
  actor Gate {
    private(set) var story: [String] = []

    func record(_ event: RegionEvent) { story.append(event.presence.rawValue) }

    func run(_ provider: some LocationProvider, _ region: Region, _ log: Collector<Int>) async {
      var events = provider.regionEvents([region], dwell: .zero, staleAfter: .seconds(60))
        .makeAsyncIterator()
      while let event = try? await events.next() {
        await Task.detached { await self.record(event) }.value
        log.add(story.count)
      }
    }
  }

  static func run() async -> String? {
    let clock = ManualClock()
    let inside = LocationFix.at(latitude: 47.37, longitude: 8.54)
    let outside = LocationFix.at(latitude: 47.38, longitude: 8.54)
    let visits = (0..<5).flatMap { _ -> [LocationScriptStep] in
      [.event(.fix(inside)), .wait(.seconds(29)), .event(.fix(outside)), .wait(.seconds(29))]
    }
    let source = ScriptedLocationSource(clock: clock, scripts: visits + [.stayOpen])
    let region = Region.circle("gate", around: inside.coordinate, radius: 100)
    let (gate, log) = (Gate(), Collector<Int>())
    await clock.whileAdvancing {
      let running = Task { await gate.run(source, region, log) }
      _ = await log.next(11)
      running.cancel()
      await running.value
    }
    let expected = (0..<5).flatMap { _ in ["inside", "outside"] } + ["unknown"]
    return await ColdStart.difference("gatekeeping", gate.story, expected)
  }
}

/// The model of a screen on the main actor, which is looked at when everything has settled.
@MainActor private enum Following {
  final class Track { var latitudes: [Double] = [] }

  static func run() async -> String? {
    let clock = ManualClock()
    let source = ScriptedLocationSource(clock: clock)
    let coordinator = LocationCoordinator(source, staleAfter: .seconds(10))
    let track = Track()
    coordinator.onUpdate = { fix in Task { track.latitudes.append(fix.coordinate.latitude) } }
    coordinator.start()
    var states: [LocationState?] = []
    for number in 1...5 {
      source.force(.fix(.at(latitude: Double(number), longitude: 8)), after: .seconds(2))
      await clock.settle()
      clock.advance(by: .seconds(2))
      await clock.settle()
      states.append(coordinator.state)
      clock.advance(by: .seconds(60))
      await clock.settle()
      states.append(coordinator.state)
    }
    coordinator.stop()
    let expected = (1...5).flatMap { _ in [LocationState.fix3D, .lost] }
    return ColdStart.difference("states", states, expected)
      ?? ColdStart.difference("latitudes", track.latitudes, [1, 2, 3, 4, 5])
  }
}

/// A request that survives a gpsd that refuses, hangs up and falls silent.
private enum Reconnecting {
  static func run() async -> String? {
    let clock = ManualClock()
    let version = #"{"class":"VERSION","release":"3.25"}"#
    let gpsd = ScriptedGPSD(
      clock: clock,
      scripts: [.refuse], [.lines(version), .wait(.seconds(5)), .hangUp], [.lines(version)],
      [
        .lines(version), .wait(.seconds(14)),
        .lines(#"{"class":"TPV","mode":3,"lat":-33.85,"lon":151.21,"eph":9.5}"#),
      ])
    let policy = RetryPolicy(delays: [.seconds(10)], jitter: 0)
    let fix = await clock.whileAdvancing {
      await Task { try? await gpsd.source().currentLocation(timeout: nil, retries: policy) }.value
    }
    // 10 s, 5 s and 10 s, 20 s of silence and 10 s, 14 s; and what a fix without a time is held for.
    let elapsed = clock.locationClock.now.uptime
    return ColdStart.difference("latitude", fix?.coordinate.latitude, -33.85)
      ?? ColdStart.difference("elapsed", elapsed, .seconds(71))
  }
}
