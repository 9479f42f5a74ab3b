import Fuzzing
import Glibc

@main
enum Fuzz {
  /// The number of complaints about a target after which others would say the same.
  private static let maximumComplaints = 5

  static func main() async throws {
    guard let options = FuzzOptions(Array(CommandLine.arguments.dropFirst())) else {
      print(FuzzOptions.usage, terminator: "")
      exit(64)
    }
    if options.lists {
      for target in options.targets { print(target.rawValue) }
      return
    }
    LastWords.prepare()
    let seeds = try SeedLines.load()
    var complaints = 0
    for target in options.targets {
      complaints += try await run(target, seeds, options)
    }
    guard complaints == 0 else { exit(1) }
    print("no crash, no hang, nothing to complain about")
  }

  /// Runs rounds of a target, and returns the number of complaints.
  private static func run(
    _ name: FuzzTargetName, _ seeds: [[UInt8]], _ options: FuzzOptions
  ) async throws -> Int {
    let target = name.make(seeds: seeds)
    let clock = ContinuousClock()
    let start = clock.now
    let end = start.advanced(by: .seconds(options.seconds / Double(options.targets.count)))
    var tally = FuzzTally()
    var complaints = 0
    var rounds = 0
    while clock.now < end, rounds < options.rounds ?? .max, complaints < maximumComplaints {
      let seed = options.seed + UInt64(rounds)
      LastWords.record(name, seed: seed)
      if let complaint = try await target.round(seed: seed, into: &tally) {
        print("\(LastWords.command(for: name, seed: seed))\n\(complaint)")
        complaints += 1
        fflush(nil)
      }
      rounds += 1
    }
    let tenths = (start.duration(to: clock.now) / .milliseconds(100)).rounded()
    print(
      "\(name.rawValue): \(rounds) rounds, \(tally.lines) lines, \(tally.checks) checks, "
        + "\(tenths / 10) s, \(complaints) complaints")
    fflush(nil)
    return complaints
  }
}
