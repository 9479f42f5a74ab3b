import Fuzzing
import Glibc

@main
enum Fuzz {
  private static let linesPerRound = 2000

  static func main() async throws {
    guard let options = FuzzOptions(Array(CommandLine.arguments.dropFirst())) else {
      print(FuzzOptions.usage, terminator: "")
      exit(64)
    }
    LastWords.prepare()
    let fuzzer = Fuzzer(seeds: try SeedLines.load())
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
