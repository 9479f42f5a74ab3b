import GPSDLocation
import LocationCore
import LocationTestKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A source that replays a recording` {
  private static let sky =
    #"{"class":"SKY","device":"/dev/a","satellites":[{"PRN":5,"el":40,"az":90,"ss":35,"used":true}]}"#
  private static let lines = [
    #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:05:00.000Z"}"#, sky,
    #"{"class":"LOCWATCH","t":1.000}"#, Lines.tpv(1), Lines.tpv(1, device: "/dev/b"),
    #"{"class":"LOCWATCH","t":3.000}"#, Lines.tpv(3),
  ]

  private func events(_ source: some LocationProvider) async throws -> [LocationEvent] {
    var events: [LocationEvent] = []
    for try await event in source.events() { events.append(event) }
    return events
  }

  /// The receivers of the fixes, and the numbers of satellites that sky views list.
  private func story(_ source: some LocationProvider) async throws -> [String] {
    try await events(source).compactMap { event in
      switch event {
      case .fix(let fix): fix.device
      case .sky(let sky): "\(sky.satellites?.count ?? 0) satellites"
      default: nil
      }
    }
  }

  @Test func `lists satellites, and the receivers that are asked for`() async throws {
    let all = ["1 satellites", "/dev/a", "/dev/b", "/dev/a"]
    let some = ["1 satellites", "/dev/a", "/dev/a"]
    #expect(try await story(GPSDLocationSource.recorded(lines: Self.lines)) == all)
    #expect(
      try await story(GPSDLocationSource.recorded(lines: Self.lines, device: "/dev/a")) == some)
    let session = RecordedSession(lines: Self.lines)
    #expect(try await story(GPSDLocationSource(replaying: session)) == all)
    #expect(
      try await story(GPSDLocationSource(replaying: session, device: "/dev/a")) == some)
    let file = try TemporaryFile(Self.lines.map { $0 + "\n" }.joined())
    let source = try GPSDLocationSource.recorded(contentsOf: file.path, device: "/dev/a")
    #expect(try await story(source) == some)
  }

  /// The lists of receivers, the receivers of the fixes, and the notices.
  private static let lists: [(lines: [String], device: String?, story: [String])] = [
    // gpsd lists all receivers before it says which it watches.
    ([Lines.devices, Lines.watchA, Lines.tpv(1)], nil, ["[/dev/a]", "/dev/a"]),
    // It lists them again when it is asked for them. A report of no receiver is not of another one.
    (
      [Lines.devices, Lines.watchA, Lines.watch, #"{"class":"TPV","mode":1}"#]
        + [Lines.devices, Lines.noDevices], nil, ["[/dev/a]", "[/dev/a]", "[]"]
    ),
    ([Lines.devices, Lines.watch, Lines.tpv(1)], nil, ["[/dev/a, /dev/b]", "/dev/a"]),
    // Nothing says what was watched.
    ([Lines.devices], nil, ["[/dev/a, /dev/b]"]),
    ([Lines.devices, Lines.tpv(1)], nil, ["[/dev/a, /dev/b]", "/dev/a"]),
    ([Lines.devices, Lines.devices, Lines.noDevices], nil, [all, all, "[]"]),
    // Of a gpsd that reads another one, whose reports it passes on
    (
      [Lines.devices, Lines.watch, Lines.version, Lines.devices, Lines.watchA]
        + [Lines.devices, Lines.tpv(1, device: "/dev/b"), Lines.devices, Lines.tpv(2)],
      nil, [all, "[/dev/a]", "[/dev/a]", "/dev/b", all, "/dev/a"]
    ),
    // Another connection
    (
      [Lines.watchA, Lines.version, Lines.devices, Lines.watch, Lines.tpv(1, device: "/dev/b")],
      nil, [all, "/dev/b"]
    ),
    ([Lines.watch, Lines.version, Lines.devices, Lines.watchA], nil, ["[/dev/a]"]),
    ([Lines.watchA, Lines.version, Lines.devices], nil, [all]),
    ([Lines.watchA, lost, Lines.devices, Lines.watch], nil, [all]),
    ([Lines.watch, lost, Lines.devices, Lines.watchA], nil, ["[/dev/a]"]),
    ([Lines.devices, lost, Lines.devices, Lines.watchA], nil, [all, "[/dev/a]"]),
    // What is asked for now
    (
      [Lines.devices, Lines.watchA, Lines.tpv(1), Lines.tpv(1, device: "/dev/b")], "/dev/b",
      ["[/dev/b]", unconfirmed, "/dev/b"]
    ),
    (
      [Lines.version, Lines.devices, Lines.watch, Lines.tpv(1, device: "/dev/b")], "/dev/b",
      ["[/dev/b]", unconfirmed, "/dev/b"]
    ),
  ]
  private static let all = "[/dev/a, /dev/b]"
  private static let lost = #"{"class":"LOCWATCH_LINK","state":"lost"}"#
  private static let unconfirmed = "gpsd does not confirm that it watches only /dev/b"

  /// With a time stamp before each of so many lines. The lines between two of them are read together.
  @Test(arguments: lists.indices, [0, 1, .max])
  func `has the receivers that the recorded run watched`(index: Int, stamps: Int) async throws {
    let (lines, device, expected) = Self.lists[index]
    let timed = lines.enumerated().flatMap { place, line in
      place < stamps ? [#"{"class":"LOCWATCH","t":\#(place).000}"#, line] : [line]
    }
    let story = try await events(GPSDLocationSource.recorded(lines: timed, device: device))
      .compactMap { event in
        switch event {
        case .fix(let fix): fix.device
        case .notice(let text): text
        case .receivers(let present): "[\(present.map(\.path).joined(separator: ", "))]"
        default: nil
        }
      }
    #expect(story == expected)
  }

  @Test func `lists receivers at the time of the list, even if no confirmation follows`()
    async throws
  {
    let stamp = #"{"class":"LOCWATCH","t":0.000,"start":"\#(Lines.start)"}"#
    let later = [Lines.tpv(1), Lines.watch, Lines.devices, Lines.tpv(2)].enumerated().flatMap {
      [#"{"class":"LOCWATCH","t":\#($0.offset + 2).000}"#, $0.element]
    }
    let source = GPSDLocationSource.recorded(lines: [stamp, Lines.devices] + later)
    var connection = source.connection()
    var found: [[Moment]] = []
    while case .received(let events) = try await connection.read(by: source.clock) {
      found.append(events.map(\.moment))
    }
    connection.close()
    #expect(found == [[.at(0), .at(2)], [.at(4)], [.at(5)]])
  }

  @Test func `has the time of its latest connection`() async throws {
    let source = GPSDLocationSource.recorded(lines: Self.lines)
    #expect(source.clock.now.uptime == .zero && source.clock.now.wall == Lines.start)
    var first = source.connection()
    while case .received(let events) = try await first.read(by: source.clock),
      events.last?.moment != .at(3)
    {
    }
    #expect(source.clock.now == .at(3))
    var second = source.connection()
    _ = try await second.read(by: source.clock)
    #expect(source.clock.now == .at(0))
    first.close()
    second.close()
  }

  @Test(arguments: [RecordedSession.Pace.asFastAsPossible, .recorded(speed: 1000)])
  func `has connections that are independent of each other`(
    pace: RecordedSession.Pace
  ) async throws {
    let lines = Self.lines + [#"{"class":"LOCWATCH","t":10.000}"#]
    let source = GPSDLocationSource.recorded(lines: lines, pace: pace)
    let alone = try await events(source)
    var first = source.events().makeAsyncIterator()
    var reported = [try await first.next()].compactMap { $0 }
    #expect(try await events(source) == alone)
    while let event = try await first.next() { reported.append(event) }
    #expect(reported == alone)
  }

  @Test func `stays at the end of the recording, where nothing was received any more`() async throws
  {
    let source = GPSDLocationSource.recorded(
      lines: Self.lines + [#"{"class":"LOCWATCH","t":10.000}"#])
    _ = try await events(source)
    #expect(source.clock.now == .at(10))
  }
}
