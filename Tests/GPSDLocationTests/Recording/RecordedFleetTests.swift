import Foundation
import LocationCore
import LocationTestKit
import Synchronization
import TestSupport
import Testing
import VirtualTimeTesting

@testable import GPSDLocation

/// Fault 86.
@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `A fleet of recordings` {
  private static func fix(_ second: Int, error: Double, mode: Int = 3) -> String {
    let time = Lines.start.advanced(by: .seconds(second))
    return #"{"class":"TPV","device":"/dev/gps","mode":\#(mode),"time":"\#(time)","lat":48.5,"#
      + #""lon":11.5,"altHAE":1.0,"altMSL":1.0,"speed":1.0,"track":1.0,"climb":0.0,"#
      + #""eph":\#(error),"epv":\#(error)}"#
  }

  /// A recording with a fix in each of these seconds after 07:05:00.
  ///
  /// - Parameter start: The second in which it was begun; `nil` for a recording without receive times.
  private static func recording(
    _ seconds: some Sequence<Int>, from start: Int?, error: Double
  ) -> [String] {
    guard let start else { return seconds.map { fix($0, error: error) } }
    let begin = Lines.start.advanced(by: .seconds(start))
    return [#"{"class":"LOCWATCH","t":0.000,"start":"\#(begin)"}"#, Lines.version]
      + seconds.flatMap {
        [#"{"class":"LOCWATCH","t":\#($0 - start).100}"#, fix($0, error: error)]
      }
  }

  // The bow is better, and has no fix from 21 to 40 and after 60. The stern is recorded from 5 to 120.
  private static let ship = [
    (name: "bow", lines: recording(Array(0...20) + Array(41...60), from: 0, error: 2)),
    (name: "stern", lines: recording(6...120, from: 5, error: 9)),
  ]

  private func story(_ updates: LocationUpdates) async throws -> [String] {
    var story: [String] = []
    for try await update in updates { story.append("\(update)") }
    return story
  }

  /// The updates of the best of a fleet.
  private func best(of fleet: RecordedFleet) async throws -> [String] {
    var story: [String] = []
    let best = BestLocationProvider(fleet.providers, retries: .never, clock: fleet.clock)
    var latest = Moment.past
    for try await update in best.updates(retries: .never) {
      switch update {
      case .fix(let fix):
        let second = fix.time.map { Int(Lines.start.duration(to: $0).inSeconds) } ?? -1
        story.append("\(second)")
      case .change(let change):
        if case .selected(let name, _) = change.kind {
          story.append("\(name) \(change.moment.uptime.inSeconds)")
        }
        #expect(change.moment >= latest)
        latest = change.moment
      case .state(let change):
        story.append("\(change.state.rawValue) \(change.moment.uptime.inSeconds)")
      case .event, .retry: break
      }
    }
    return story
  }

  @Test(arguments: 1...20)
  func `is merged the same way each time`(_: Int) async throws {
    let story = try await best(of: RecordedFleet(lines: Self.ship))
    #expect(story == Self.merged, "\(story.joined(separator: ","))")
  }

  private static let merged = ofBow + ofStern + ofBoth

  /// The last position of the bow is current for 5 s.
  private static let ofBow = ["connecting 0.0", "bow 0.1", "fix-3d 0.1"] + seconds(0...20)
  private static let ofStern = ["stern 25.1"] + seconds(25...50)
  /// The bow has been better for 10 s. At its end, the last one of the stern takes its place.
  private static let ofBoth =
    ["bow 51.1"] + seconds(51...60) + ["stern 60.1", "59"] + seconds(60...120) + ["lost 120.1"]

  private static func seconds(_ seconds: ClosedRange<Int>) -> [String] { seconds.map(String.init) }

  @Test func `is merged the same way again`() async throws {
    let fleet = RecordedFleet(lines: Self.ship)
    #expect(try await best(of: fleet) == Self.merged)
    // The clock stands at the end until there is a connection.
    let again = try await best(of: fleet)
    #expect(again == ["connecting 120.1"] + Self.merged.dropFirst())
  }

  @Test func `reports of each what it reports alone`() async throws {
    let fleet = RecordedFleet(lines: Self.ship)
    async let bow = story(fleet.providers[0].provider.updates(retries: .never))
    async let stern = story(fleet.providers[1].provider.updates(retries: .never))
    let alone = GPSDLocationSource.recorded(lines: Self.ship[0].lines)
    #expect(try await bow == story(alone.updates(retries: .never)))
    #expect(try await stern.count > 115)
    #expect(fleet.providers.map(\.name) == ["bow", "stern"])
  }

  @Test func `goes by receive times, by reports, or begins with the others`() {
    let readers = RecordingReader.readers(
      of: [
        Self.recording(30...40, from: 28, error: 1), Self.recording(35...40, from: nil, error: 1),
        [Lines.version], Self.recording(25...30, from: 20, error: 1),
        [#"{"class":"LOCWATCH","t":900.000}"#, Self.fix(50, error: 1)], [],
      ].map(\.recording))
    #expect(readers.map(\.now.uptime) == [8, 15, 0, 0, 30, 0].map(Duration.seconds))
    #expect(RecordingReader.readers(of: [[Lines.version].recording])[0].now == .at(0))
  }

  @Test func `continues without a closed source, which can join again`() async throws {
    let fleet = RecordedFleet(lines: Self.ship)
    let (bow, stern) = (fleet.providers[0].provider, fleet.providers[1].provider)
    async let first = bow.updates(retries: .never).first {
      if case .fix = $0 { true } else { false }
    }
    let count = try await story(stern.updates(retries: .never)).count
    #expect(count > 115)
    #expect(try await first != nil)
    #expect(fleet.clock.now == .at(120.1))
    // All were closed: it begins again, for both.
    async let again = story(bow.updates(retries: .never))
    #expect(try await story(stern.updates(retries: .never)).count == count)
    #expect(try await again.count > 40)
  }

  @Test func `ends when its readers are cancelled`() async throws {
    let fleet = RecordedFleet(lines: Self.ship)
    // The other one has no reader, and is waited for.
    let reading = Task { try await story(fleet.providers[0].provider.updates(retries: .never)) }
    await ManualClock().settle()
    reading.cancel()
    #expect(try await reading.value.count <= 1)
    #expect(fleet.clock.now == .at(0))
    #expect(await !fleet.clock.sleep(until: .at(1)))
  }

  @Test func `takes as long as it was recorded, times the speed`() async throws {
    let clock = ManualClock()
    let hurried = LocationClock(
      now: { clock.locationClock.now },
      sleepUntil: { clock.jump(by: clock.locationClock.now.duration(to: $0)) })
    let fleet = RecordedFleet(lines: Self.ship, pace: .recorded(speed: 2), realClock: hurried)
    async let bow = story(fleet.providers[0].provider.updates(retries: .never))
    #expect(try await story(fleet.providers[1].provider.updates(retries: .never)).count > 115)
    _ = try await bow
    #expect(clock.locationClock.now.uptime.inSeconds >= 60)
    #expect(fleet.clock.now == .at(120.1))
  }

  @Test func `is read from files, which have to be there`() async throws {
    let files = try Self.ship.map {
      try TemporaryFile($0.lines.map { $0 + "\r\n" }.joined())
    }
    let fleet = try RecordedFleet(
      contentsOf: zip(Self.ship, files).map { ($0.name, $1.path) })
    #expect(try await best(of: fleet) == Self.merged)
    #expect(throws: LocationError.self) {
      try RecordedFleet(contentsOf: [("bow", files[0].path), ("stern", "/nowhere/stern.jsonl")])
    }
  }

  @Test func `of none and of one is no other than a recording`() async throws {
    #expect(RecordedFleet(lines: []).providers.isEmpty)
    let fleet = RecordedFleet(lines: [Self.ship[0]])
    let alone = GPSDLocationSource.recorded(lines: Self.ship[0].lines)
    #expect(
      try await story(fleet.providers[0].provider.updates(retries: .never))
        == story(alone.updates(retries: .never)))
  }
}
