import Fuzzing
import Glibc

@main
enum Fuzz {
  private static let linesPerRound = 2000
  private static let linesPerComparison = 20_000

  static func main() async throws {
    guard let options = FuzzOptions(Array(CommandLine.arguments.dropFirst())) else {
      print(FuzzOptions.usage, terminator: "")
      exit(64)
    }
    LastWords.prepare()
    let seeds = try SeedLines.load()
    try compareReaders(DifferentialFuzzer(seeds: seeds), options)
    let fuzzer = Fuzzer(seeds: seeds)
    let clock = ContinuousClock()
    let start = clock.now
    var summary = Fuzzer.Summary()
    var complaints = 0
    var seed = options.seed
    while summary.mutatedLines < options.lines,
      start.duration(to: clock.now).inSeconds < options.seconds
    {
      LastWords.note(seed: seed)
      if let complaint = try await fuzzer.round(
        seed: seed, lines: min(linesPerRound, options.lines), into: &summary)
      {
        print(complaint)
        complaints += 1
      }
      seed += 1
    }
    print(
      words(for: summary, complaints: complaints, seconds: start.duration(to: clock.now).inSeconds))
    guard complaints == 0 else { exit(1) }
    print("no crash, no hang, no fix out of range, no record that does not parse")
  }

  /// Compares our reading of mutated lines with Python's, and keeps those that differ.
  private static func compareReaders(
    _ fuzzer: DifferentialFuzzer, _ options: FuzzOptions
  ) throws {
    let count = min(linesPerComparison, options.comparedLines)
    let rounds = count == 0 ? 0 : options.comparedLines / count
    var differences = 0
    for seed in options.seed..<options.seed + UInt64(rounds) {
      LastWords.note(seed: seed)
      let found = try DifferentialFuzzer.differences(in: fuzzer.lines(seed: seed, count: count))
      for (index, difference) in found.enumerated() {
        let path = try DifferentialFuzzer.keep(difference.line, as: "seed-\(seed)-\(index)")
        print("\(difference)\nkept in \(path)")
      }
      differences += found.count
    }
    print("lines read by Python's json, too: \(rounds * count), differences: \(differences)")
    guard differences == 0 else { exit(1) }
  }

  private static func words(
    for summary: Fuzzer.Summary, complaints: Int, seconds: Double
  ) -> String {
    """
    mutated lines: \(summary.mutatedLines), \(summary.malformedLines) of them no report
    seconds: \((seconds * 10).rounded() / 10)
    valid neighbours: \(summary.delivered) of \(summary.neighbours) delivered once
    fixes: \(summary.fixes)
    reconnects: \(summary.reconnects)
    records checked in 9 formats: \(summary.records)
    complaints: \(complaints)
    """
  }
}

extension Duration {
  fileprivate var inSeconds: Double { self / .seconds(1) }
}
