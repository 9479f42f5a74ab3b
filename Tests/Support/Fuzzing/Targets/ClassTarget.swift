import GPSDLocation
import GPSDProtocol
import LocationCore
import LocationFormats
import LocationTestKit
import LocationText

/// Reports of any class, passed on as by `--class`: each is a record that says what was sent, once and
/// in order, without the user info of URLs.
package struct ClassTarget: FuzzTarget {
  private static let reports = 300
  private static let names = [
    "PPS", "TOFF", "RAW", "AIS", "SUBFRAME", "RTCM3", "OSC", "x", "A B", "ünï", "TPV2", "\u{202E}",
    "TPVTPVTPVTPVTPVTPVTPVTPVTPVTPVTPV",
  ]

  package init() {}

  package func round(seed: UInt64, into tally: inout FuzzTally) async throws -> String? {
    var random = SeededRandom(seed: seed)
    var sent: [(name: String, text: String)] = []
    for _ in 0..<Self.reports {
      let name = random.pick(Self.names)
      sent.append((name, report(name, &random)))
    }
    tally.lines += sent.count
    let script = FuzzScript(lines: sent.map(\.text), &random)
    let kinds = Set(Self.names.map { ServiceReport.Kind(rawValue: $0) })
    var updates = ScriptUpdates(script, kinds: kinds, &random)
    var renderer = JSONRenderer(source: "boat")
    var count = 0
    while let (update, _) = try await updates.next() {
      guard case .event(.other) = update else { continue }
      guard count < sent.count else { return "more records than reports" }
      var text = TextBuffer()
      renderer.render(update, into: &text)
      let (name, report) = (sent[count].name, sent[count].text.withoutUserInfo)
      if let complaint = PassedOnCheck.complaint(
        about: Array(text.bytes), kind: name, sent: report)
      {
        return "\(complaint)\nsent:   \(report)\nrecord: \(text.string)"
      }
      count += 1
      tally.checks += 1
    }
    return count == sent.count ? nil : "\(count) of \(sent.count) reports came: \(sent[count].text)"
  }

  private func report(_ name: String, _ random: inout SeededRandom) -> String {
    var members = ["\"class\":\"\(name)\""]
    if random.happens(onceIn: 2) { members.append("\"device\":\"/dev/pps0\"") }
    if name == "PPS" || name == "TOFF" {
      for name in ["real_sec", "real_nsec", "clock_sec", "clock_nsec", "precision", "qErr"] {
        members.append("\"\(name)\":\(number(of: name, &random))")
      }
    }
    if random.happens(onceIn: 4) { members.shuffle(using: &random) }
    return OddJSON.object(members, depth: .random(in: 1...12, using: &random), &random)
  }

  private func number(of member: String, _ random: inout SeededRandom) -> String {
    if random.happens(onceIn: 3) { return OddNumber.any(&random) }
    return member.hasSuffix("nsec")
      ? "\(Int.random(in: -1...1_000_000_000, using: &random))"
      : "\(Int.random(in: 1_700_000_000...1_700_000_100, using: &random))"
  }
}
