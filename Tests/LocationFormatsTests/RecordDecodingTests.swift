import Foundation
import LocationFormats
import Testing

/// What the command writes as NDJSON is what `LocationUpdate` decodes and encodes.
@Suite struct `Records are decoded` {
  /// The records of the story, without those of satellites.
  private static func lines() -> [String] {
    var writer = LocationWriter(.ndjson)
    return FormatStory.updates.flatMap { writer.write($0).split(separator: "\n").map(String.init) }
  }

  private func decoded(_ line: String) throws -> LocationUpdate {
    try JSONDecoder().decode(LocationUpdate.self, from: Data(line.utf8))
  }

  private func written(_ update: LocationUpdate) -> String {
    var writer = LocationWriter(.ndjson)
    return writer.write(update)
  }

  private func members(_ text: some StringProtocol) throws -> [String: NSObject] {
    try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: NSObject])
  }

  @Test(arguments: lines()) func `and written again without a change`(line: String) throws {
    let update = try decoded(line)
    var members = try members(line)
    // A writer knows its own source, and the updates of a selected one do not.
    if members["type"] != "selected" as NSString { members["source"] = nil }
    var again = try self.members(written(update))
    again["source"] = members["source"]
    // It follows from two times, which are written to the millisecond.
    let ages = [again.removeValue(forKey: "age"), members.removeValue(forKey: "age")]
      .map { ($0 as? Double) ?? 0 }
    #expect(abs(ages[0] - ages[1]) < 0.001_001)
    #expect(again == members)
  }

  @Test func `and have the keys and values of an encoded update`() throws {
    for update in FormatStory.updates {
      let encoded = try members(String(decoding: JSONEncoder().encode(update), as: UTF8.self))
      for line in written(update).split(separator: "\n") {
        let missing = Set(try members(line).keys).subtracting(encoded.keys)
        #expect(missing.subtracting(["source", "report"]) == [], "\(line)")
      }
    }
  }

  @Test func `with moments in the order of their wall times`() throws {
    let moments = try ["00.5", "00.25", "01"].map { second -> Moment in
      let line = #"{"type":"state","state":"searching","received":"2026-11-20T07:00:\#(second)Z"}"#
      guard case .state(let change) = try decoded(line) else { throw CancellationError() }
      #expect(change.subject == .receiver(nil))
      return change.moment
    }
    #expect(moments.sorted().map { $0.wall?.description ?? "" }.first?.hasSuffix("00.250Z") == true)
    #expect(moments[1].duration(to: moments[2]) == .milliseconds(750))
  }

  @Test func `with the reason of a loss, and the last fix`() throws {
    let line =
      #"{"type":"state","state":"lost","previous":"fix-3d","reason":"silence","device":"a","#
      + #""lastFix":{"time":"2026-11-20T07:00:02.000Z","lat":48,"lon":11.5}}"#
    guard case .state(let change) = try decoded(line) else { throw CancellationError() }
    #expect(change.loss == .silence)
    #expect(change.lastFix?.device == "a")
    #expect(change.lastFix?.mode == .fix3D)
    guard case .state(let foreign) = try decoded(#"{"type":"state","state":"lost","reason":"x"}"#)
    else { throw CancellationError() }
    #expect(foreign.loss == nil)
    #expect(foreign.reason == "x")
  }
}
