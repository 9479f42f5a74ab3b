import GPSDLocation
import GPSDProtocol
import LocationCore
import Testing

/// Fault 122.
@Suite struct `A line that only locwatch writes` {
  private static let line =
    #"{"class":"LOCWATCH_CORRECTIONS","state":"connected","source":"ntrip://h:1/M"}"#
  private static let own = "\(line)\r\n"
  private static let link = #"{"class":"LOCWATCH_LINK","state":"lost"}"# + "\n"
  private static let a = #"{"class":"LOCWATCH"}"# + "\r\n"
  private static let b = Lines.tpv(1) + "\r\n"

  private static let sent: [(sent: [String], kept: [String])] = [
    ([own], []), ([], []), ([a, b], [a, b]), ([own, a, b], [a, b]), ([a, own, own, b], [a, b]),
    ([a, b, own], [a, b]), ([own, a, own, b, own], [a, b]), (["\r\n", own], ["\r\n"]),
    ([a, link, own, b, link], [a, b]),
    (["\n\n", own, "\r\n\n", b, own, "\n"], ["\n\n\r\n\n", b, "\n"]),
  ]

  @Test(arguments: sent.map { ($0.sent.joined(), $0.kept.joined()) })
  func `is removed from what gpsd sends`(sent: String, kept: String) {
    #expect(Array(Array(sent.utf8)[...].withoutOwnLines) == Array(kept.utf8))
    let inside = Array(("x" + sent).utf8).dropFirst()
    #expect(Array(inside.withoutOwnLines) == Array(kept.utf8))
  }

  private static let spellings: [(line: String, isBelieved: Bool)] = [
    (line, true), (" " + line, true), (line.replacing(",", with: ", "), true),
    (line.replacing("\"class\":", with: "\"class\": "), true),
    (#"{"state":"connected","class":"LOCWATCH_CORRECTIONS","source":"x"}"#, true),
    (line.replacing("_C", with: "\\u005fC"), true),
    (line.replacing("W", with: "\\u0057"), false),
  ]

  @Test(arguments: spellings.map { ($0.line, $0.isBelieved) })
  func `is believed in a recording, and removed from what gpsd sends, in the same forms`(
    line: String, isBelieved: Bool
  ) async throws {
    #expect(Array("\(line)\r\n".utf8)[...].withoutOwnLines.isEmpty == isBelieved)

    let source = GPSDLocationSource(replaying: RecordedSession(lines: [Lines.version, line]))
    var found = 0
    for try await event in source.events() { if case .corrections = event { found += 1 } }
    #expect(found == (isBelieved ? 1 : 0))
  }
}
