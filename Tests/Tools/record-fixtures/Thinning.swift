/// Leaves out the lines of a recording that a later line of the same epoch makes needless.
///
/// gpsd 3.22 sends two reports for an epoch once its sentences change from epoch to epoch.
struct Thinning {
  private struct Line {
    let text: Substring
    /// Seconds from the start of the recording.
    let time: Double

    var kind: Substring { text.dropFirst(10).prefix { $0 != "\"" } }
  }

  private let lines: [Line]

  init(_ bytes: [UInt8]) {
    var time = 0.0
    lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map { text in
      if text.hasPrefix(#"{"class":"LOCWATCH","t":"#) {
        time = Double(text.dropFirst(24).prefix { $0 != "," && $0 != "}" }) ?? time
      }
      return Line(text: text, time: time)
    }
  }

  var bytes: [UInt8] {
    let kept = lines.indices.filter { index in
      let kind = lines[index].kind
      guard kind == "TPV" || kind == "SKY" else { return true }
      let next = lines[(index + 1)...].first { $0.kind == kind }
      return next.map { $0.time - lines[index].time > 5 } ?? true
    }
    let told = kept.enumerated().filter { place, index in
      // A time without a line after it says nothing.
      lines[index].kind != "LOCWATCH" || place == 0
        || place + 1 < kept.count && lines[kept[place + 1]].kind != "LOCWATCH"
    }
    return told.flatMap { Array("\(lines[$0.element].text)\r\n".utf8) }
  }
}
