import Fuzzing
import LocationCore
import Testing

@Suite struct `Checks of the fuzzer notice in the records of several sources` {
  private static let first =
    #"{"type":"fix","source":"bow","device":"/dev/a","time":"2031-01-01T00:00:00.000Z","#
    + #""lat":0.25,"lon":-11.5,"altMSL":545.4}"#
  private static let second =
    #"{"type":"fix","source":"bow","device":"/dev/a","time":"2031-01-01T00:00:01.000Z","#
    + #""lat":1.25,"lon":-11.5,"altMSL":545.4}"#

  private func complaint(about lines: [String], isOrdered: Bool = true) -> String? {
    var records = NeighbourRecords(
      ["/dev/a": .init(source: "bow", count: 2)], isOrdered: isOrdered)
    let text = lines.map { "\($0)\n" }.joined()
    return records.complaint(about: Array(text.utf8))
  }

  @Test func `nothing if each fix occurs once`() {
    #expect(
      complaint(about: [Self.first, #"{"type":"state","state":"lost"}"#, Self.second]) == nil)
    #expect(complaint(about: [Self.second, Self.first], isOrdered: false) == nil)
  }

  @Test(arguments: [
    ([first], "1 of 2 fixes of /dev/a"), ([], "0 of 2 fixes of /dev/a"),
    ([first, first, second], "a fix comes again: \(first)"),
    ([second, first], "a fix comes too late: \(first)"),
    ([first, second.replacing("bow", with: "stern")], "a fix of bow has another source: "),
    ([first, second.replacing("1.25", with: "1.5")], "a fix is not as it was sent: "),
    ([first, second.replacing("545.4", with: "545")], "a fix is not as it was sent: "),
    ([first, second.replacing("00:01.000", with: "00:02.000")], "a fix that nobody sent: "),
    ([first, second.replacing("2031", with: "2030")], "a fix that nobody sent: "),
    ([first, second, "{"], "no JSON: {"),
  ])
  func `fixes that are missing, doubled or changed`(lines: [String], complaint: String) {
    #expect(self.complaint(about: lines)?.hasPrefix(complaint) == true)
  }

  private func fix(_ number: Double?) throws -> LocationUpdate {
    let coordinate = try #require(Coordinate(latitude: 1, longitude: 2))
    var fix = LocationFix(coordinate: coordinate, mode: .fix3D)
    fix[.geoidSep] = number
    return .fix(fix)
  }

  private func selected(_ name: String, previous: String?) -> LocationUpdate {
    .change(ReceiverChange(.selected(name, previous: previous), at: Moment(uptime: .zero)))
  }

  @Test func `a fix of a source that is not selected`() throws {
    var check = MergedFixCheck(names: ["bow", "stern"])
    #expect(check.complaint(about: try fix(0)) == "a fix before a source is selected")
    #expect(check.complaint(about: selected("stern", previous: nil)) == nil)
    #expect(check.complaint(about: try fix(1)) == nil)
    #expect(check.complaint(about: try fix(nil)) == nil)
    #expect(check.complaint(about: try fix(0)) == "a fix of 0.0 while stern is selected")
    #expect(check.complaint(about: selected("bow", previous: "stern")) == nil)
    #expect(check.complaint(about: try fix(0)) == nil)
    #expect(check.fixes == 5)
  }

  @Test(arguments: [("mast", nil), ("bow", "stern")] as [(String, String?)])
  func `a selection that does not follow from the one before`(name: String, previous: String?) {
    var check = MergedFixCheck(names: ["bow", "stern"])
    #expect(check.complaint(about: selected(name, previous: previous)) != nil)
  }
}
