import GPSDLocation

/// The counts of `--stats`.
struct Statistics {
  var counts: GPSDTally.Counts
  var fixes: Int
  var drops: Int

  /// One `name number` a line.
  var words: String {
    var lines = counts.reports.sorted { $0.key < $1.key }.map { "\($0.key) reports: \($0.value)" }
    lines += [
      "fixes: \(fixes)",
      "bad lines: \(counts.badLines)",
      "cut or too long: \(counts.discards) (\(counts.discardedBytes) bytes)",
      "list elements left out: \(counts.droppedElements)",
      "records dropped for a slow reader: \(drops)",
      "reconnects: \(max(0, counts.connections - 1))",
    ]
    return lines.joined(separator: "\n")
  }
}
