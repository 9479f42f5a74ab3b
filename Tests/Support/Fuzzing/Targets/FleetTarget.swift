import GPSDLocation
import LocationCore
import LocationTestKit
import LocwatchCLI
import LocwatchSystem

/// Several sources at the same time, which end, fail and come back: each record belongs to its source,
/// and nothing is written twice. Every third round merges them into one stream, as `--best` does, and
/// some show them in a table on a terminal.
package struct FleetTarget: FuzzTarget {
  private static let names = ["bow", "stern", "mast", "tender"]

  package init() {}

  package func round(seed: UInt64, into tally: inout FuzzTally) async throws -> String? {
    var random = SeededRandom(seed: seed)
    let names = Self.names.prefix(.random(in: 2...4, using: &random))
    if seed % 3 == 0 { return try await mergedRound(names, &random, into: &tally) }
    let scripts = names.map { name in
      (
        name: name,
        script: FuzzScript(
          name: "/dev/\(name)", isOdd: seed % 2 == 1, epochs: .random(in: 1...80, using: &random),
          neighbour: Neighbour(path: "/dev/\(name)/neighbour"), &random)
      )
    }
    let folder = try FuzzFolder()
    let stale: Duration? = random.happens(onceIn: 2) ? .seconds(2) : nil
    let terminal =
      random.happens(onceIn: 4)
      ? try FuzzTerminal(
        columns: random.pick([0, 1, 20, 80, 200]), rows: random.pick([0, 1, 2, 24, 60])) : nil
    let form = terminal == nil ? ["--quiet", "--json"] : ["--quiet"]
    let environment: Environment = terminal == nil ? [:] : ["TERM": "xterm", "LANG": "C.UTF-8"]
    let output = ["-o", terminal?.path ?? folder.path("out")]
    let options = try Options(
      arguments: (form + output).map(Argument.init), environment: environment)
    let sources = try scripts.map { name, _ in
      try Options(
        arguments: (form + ["\(name)=localhost"]).map(Argument.init), environment: environment)
    }
    _ = try LoopRun.result { loop in
      let fuzzClock = FuzzClock()
      let clock = fuzzClock.locationClock
      let run = Run(options, log: Log(options), environment: environment, loop: loop) {
        ScriptSession(FuzzScript(lines: []), clock: fuzzClock)
      }
      let members = zip(scripts, sources).map { script, options in
        let session = ScriptSession(script.script, clock: fuzzClock)
        let source = GPSDLocationSource(
          satellites: true, clock: clock, executor: loop, makeSession: { session })
        let updates = source.updates(staleAfter: stale, retries: .repeatable(seed: seed))
        return RunSource(options, updates: updates, clock: clock)
      }
      return await run.follow(members, clock: clock)
    }
    if let terminal {
      let text = terminal.finish()
      tally.checks += 1
      return TerminalCheck.complaint(about: text)
    }
    var expected: [String: NeighbourRecords.Expected] = [:]
    for (name, script) in scripts {
      tally.lines += script.lines
      guard let neighbour = script.neighbour else { continue }
      expected[neighbour.path] = .init(source: name, count: neighbour.count)
      tally.checks += neighbour.count
    }
    var records = NeighbourRecords(expected)
    return records.complaint(about: folder.read("out"))
  }

  /// A round in which the sources are merged. The separation of the geoid says from which source a fix
  /// comes.
  private func mergedRound(
    _ names: ArraySlice<String>, _ random: inout SeededRandom, into tally: inout FuzzTally
  ) async throws -> String? {
    let fuzzClock = FuzzClock()
    let clock = fuzzClock.locationClock
    let stale: Duration? = random.happens(onceIn: 2) ? .seconds(2) : nil
    let seed = random.next()
    let scripts = names.enumerated().map { number, name in
      FuzzScript(
        name: "/dev/\(name)", isOdd: false, epochs: .random(in: 1...120, using: &random),
        geoidSeparation: Double(number), &random)
    }
    tally.lines += scripts.reduce(0) { $0 + $1.lines }
    let names = Array(names)
    let result = try LoopRun.result { loop -> (fixes: Int, complaint: String?) in
      let members = zip(names, scripts).map { name, script in
        let session = ScriptSession(script, clock: fuzzClock)
        let source = GPSDLocationSource(
          satellites: true, clock: clock, executor: loop, makeSession: { session })
        let updates = source.updates(staleAfter: stale, retries: .repeatable(seed: seed))
        return (name: name, updates: updates)
      }
      let best = BestLocationProvider(of: members, clock: clock)
      var updates = best.updates(staleAfter: stale, retries: .repeatable(seed: seed))
        .makeAsyncIterator()
      var check = MergedFixCheck(names: names)
      do {
        while let update = try await updates.next() {
          if let complaint = check.complaint(about: update) { return (check.fixes, complaint) }
        }
      } catch {
        return (check.fixes, "it failed: \(error)")
      }
      return (check.fixes, nil)
    }
    tally.checks += result.fixes
    return result.complaint
  }
}
