import GPSDLocation
import LocationText
import LocwatchSystem

/// The counts of a run: the last lines of `--verbose`, and a member of the report as JSON.
struct RunCounts {
  var reports: GPSDStatistics.Counts
  var sources: Int
  var output: SourceCounts
  var gaps = RecordingGaps()
  /// The number of lines of the recording that are not reports and belong to no source.
  var strayLines = 0
  /// The number of lines that were not replayed, because the recording has too many sources.
  var linesLeftOut = 0

  private struct Count {
    /// The name in JSON.
    let name: String
    let text: String
    let count: Int
    /// Follows the number in the text.
    var remark = ""
  }

  private var counts: [Count] {
    var counts = [
      Count(name: "fixes", text: "fixes", count: output.fixes),
      Count(name: "badLines", text: "bad lines", count: reports.badLines + strayLines),
      Count(
        name: "cutLines", text: "cut or too long", count: reports.discards,
        remark: " (\(reports.discardedBytes) bytes)"),
      Count(
        name: "elementsLeftOut", text: "list elements left out", count: reports.droppedElements),
      Count(
        name: "impossibleNumbers", text: "impossible numbers", count: reports.impossibleNumbers),
      Count(
        name: "recordsDropped", text: "records dropped for a slow reader", count: output.drops),
      Count(
        name: "recordsNotWritten", text: "records not written at the end", count: output.unwritten),
      Count(
        name: "linesMissing", text: "lines missing from the recording", count: gaps.lostLines),
      Count(
        name: "reconnects", text: "attempts to reconnect",
        count: max(0, reports.connections - sources)),
    ]
    let rare = [
      Count(
        name: "positionsLeftOut", text: "positions under the time of another",
        count: reports.leftOutPositions),
      Count(name: "linesNotUnderstood", text: "lines not understood", count: gaps.unreadLines),
      Count(
        name: "linesOfTooManySources", text: "lines of too many sources", count: linesLeftOut),
    ]
    counts += rare.filter { $0.count > 0 }
    return counts
  }

  /// One `name: number` per line.
  var message: Message {
    var lines: [Message] = reports.reports.sorted { $0.key < $1.key }
      .map { "\($0.key) reports: \($0.value)" }
    lines += counts.map { "\($0.text): \($0.count)\($0.remark)" }
    return Message(lines: lines)
  }

  /// A JSON object.
  var json: TextBuffer {
    var json = TextBuffer()
    json.append(text: "{\"reports\":{")
    for (index, kind) in reports.reports.sorted(by: { $0.key < $1.key }).enumerated() {
      if index > 0 { json.append(character: ",") }
      json.append(json: kind.key)
      json.append(text: ":\(kind.value)")
    }
    json.append(character: "}")
    for count in counts { json.append(text: ",\"\(count.name)\":\(count.count)") }
    json.append(character: "}")
    return json
  }
}
