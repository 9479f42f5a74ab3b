import GPSDLocation
import LocationCore
import Testing

@Suite struct `A line about corrections` {
  private static func events(_ lines: String...) async throws -> [LocationEvent] {
    let source = GPSDLocationSource(replaying: RecordedSession(lines: lines))
    var events: [LocationEvent] = []
    for try await event in source.events() { events.append(event) }
    return events
  }

  @Test func `is an event`() async throws {
    let lines = [
      #"{"class":"LOCWATCH_CORRECTIONS","state":"lost","source":"ntrip://h:1/M","reason":"x\u0041"}"#,
      #"{"class":"LOCWATCH_CORRECTIONS","state":"connected","source":"c","lat":1.5,"lon":-2}"#,
      #"{"class":"LOCWATCH_CORRECTIONS","state":"connected","lat":91,"lon":0}"#,
    ]
    let base = Coordinate(latitude: 1.5, longitude: -2)
    #expect(
      try await Self.events(lines[0], lines[1], lines[2]) == [
        .corrections(Corrections(.lost, of: "ntrip://h:1/M", reason: "xA")),
        .corrections(Corrections(.connected, of: "c", base: base)),
        .corrections(Corrections(.connected, of: "")),
      ])
  }

  @Test func `has no meaning without a state`() async throws {
    let lines = ["", #","state":"x""#, #","state":1"#].map {
      #"{"class":"LOCWATCH_CORRECTIONS"\#($0)}"#
    }
    #expect(try await Self.events(lines[0], lines[1], lines[2]) == [])
    #expect(try await Self.events(#"{"class":"CORRECTIONS","state":"lost"}"#) == [])
  }

  @Test func `has no password`() async throws {
    let line = #"{"class":"LOCWATCH_CORRECTIONS","state":"lost","reason":"301 to http://u:p@h/"}"#
    let events = try await Self.events(line)
    #expect(events == [.corrections(Corrections(.lost, of: "", reason: "301 to http://***@h/"))])
  }
}
