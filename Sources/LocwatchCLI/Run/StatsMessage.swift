import GPSDLocation
import LocwatchSystem

/// The counts of `--stats`.
struct StatsMessage {
  var reports: GPSDStatistics.Counts
  var sources: Int
  var output: SourceWatch.Counts
  var gaps = RecordingGaps()
  /// The number of lines that were not replayed, because the recording has too many sources.
  var linesLeftOut = 0

  /// One `name number` per line.
  var message: Message {
    var lines: [Message] = reports.reports.sorted { $0.key < $1.key }
      .map { "\($0.key) reports: \($0.value)" }
    lines += [
      "fixes: \(output.fixes)",
      "bad lines: \(reports.badLines)",
      "cut or too long: \(reports.discards) (\(reports.discardedBytes) bytes)",
      "list elements left out: \(reports.droppedElements)",
      "impossible numbers: \(reports.impossibleNumbers)",
      "records dropped for a slow reader: \(output.drops)",
      "records not written at the end: \(output.unwritten)",
      "lines missing from the recording: \(gaps.lostLines)",
      "attempts to reconnect: \(max(0, reports.connections - sources))",
    ]
    if reports.leftOutPositions > 0 {
      lines.append("positions under the time of another: \(reports.leftOutPositions)")
    }
    if gaps.unreadLines > 0 { lines.append("lines not understood: \(gaps.unreadLines)") }
    if linesLeftOut > 0 { lines.append("lines of too many sources: \(linesLeftOut)") }
    return Message(lines: lines)
  }
}
