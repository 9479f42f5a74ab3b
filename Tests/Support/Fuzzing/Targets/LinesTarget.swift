/// Mutated lines through everything from the framer to the records of all formats.
package struct LinesTarget: FuzzTarget {
  private static let lines = 2000

  private let fuzzer: Fuzzer

  package init(seeds: [[UInt8]]) { fuzzer = Fuzzer(seeds: seeds) }

  package func round(seed: UInt64, into tally: inout FuzzTally) async throws -> String? {
    var summary = Fuzzer.Summary()
    let complaint = try await fuzzer.round(seed: seed, lines: Self.lines, into: &summary)
    tally.lines += summary.mutatedLines
    tally.checks += summary.records
    return complaint
  }
}
