import Fuzzing
import Testing

@Suite struct `Targets of the fuzzer` {
  /// The others have tests of their own.
  private static let names = FuzzTargetName.allCases.filter { ![.decoder, .lines].contains($0) }

  @Test(.timeLimit(.minutes(5)), arguments: names)
  func `have nothing to complain about in their first rounds`(name: FuzzTargetName) async throws {
    let target = name.make(seeds: try SeedLines.load())
    var tally = FuzzTally()
    for seed in 1...4 as ClosedRange<UInt64> {
      let complaint = try await target.round(seed: seed, into: &tally)
      #expect(complaint == nil, "seed \(seed)")
    }
    #expect(tally.lines > 0)
    #expect(tally.checks > 0)
  }

  @Test(.timeLimit(.minutes(5)), arguments: names)
  func `do the same twice for the same seed`(name: FuzzTargetName) async throws {
    let target = name.make(seeds: try SeedLines.load())
    var tallies: [FuzzTally] = []
    for _ in 1...2 {
      var tally = FuzzTally()
      _ = try await target.round(seed: 2, into: &tally)
      tallies.append(tally)
    }
    #expect(tallies[0] == tallies[1])
  }
}
