/// Mutated lines, read by the decoder and by Python's json. Those that the two read differently are
/// kept.
package struct DecoderTarget: FuzzTarget {
  private static let lines = 10_000

  private let fuzzer: DifferentialFuzzer

  package init(seeds: [[UInt8]]) { fuzzer = DifferentialFuzzer(seeds: seeds) }

  package func round(seed: UInt64, into tally: inout FuzzTally) async throws -> String? {
    let lines = fuzzer.lines(seed: seed, count: Self.lines)
    tally.lines += lines.count
    tally.checks += lines.count
    let found = try DifferentialFuzzer.differences(in: lines)
    if found.isEmpty { return nil }
    return try found.enumerated().map { index, difference in
      let path = try DifferentialFuzzer.keep(difference.line, as: "seed-\(seed)-\(index)")
      return "\(difference)\nkept in \(path)"
    }.joined(separator: "\n")
  }
}
