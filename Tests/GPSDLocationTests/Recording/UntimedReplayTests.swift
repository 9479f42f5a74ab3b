import Foundation
import GPSDLocation
import LocationCore
import ReceiverRecordings
import Testing

/// Recordings with receive times and without: the same states, at the same moments of the recording.
@Suite(.timeLimit(.minutes(5))) struct `A replay without receive times` {
  /// A line of what a replay says.
  private struct Line: Equatable {
    /// In milliseconds of the recording.
    var elapsed: Int64
    var text: String
    /// Whether it is a fix with a time.
    var isTimed = false
  }

  private func story(of lines: [String]) async throws -> [Line] {
    let session = RecordedSession(lines: lines)
    var updates = GPSDLocationSource(replaying: session).updates(retries: .never)
      .makeAsyncIterator()
    var story: [Line] = []
    while case .value(let update, let moment) = try await updates.next(until: nil) {
      let elapsed = moment.uptimeNanoseconds / 1_000_000
      switch update {
      case .fix(let fix):
        let time = fix.time.map { "\($0)" } ?? "-"
        story.append(
          Line(elapsed: elapsed, text: "\(fix.device ?? "-") \(time)", isTimed: fix.time != nil))
      case .state(let change):
        story.append(Line(elapsed: elapsed, text: "\(change.device ?? "-") \(change.state)"))
      default: break
      }
    }
    return story
  }

  private struct Position: Decodable {
    let device: String?
    let time: String?
  }

  /// The device and the time of a report of a position.
  private func position(in line: String) throws -> (device: String, time: Timestamp)? {
    guard line.contains(#""class":"TPV""#) else { return nil }
    let position = try JSONDecoder().decode(Position.self, from: Data(line.utf8))
    guard let text = position.time, let time = Timestamp(iso8601: Array(text.utf8).span) else {
      return nil
    }
    return (position.device ?? "", time)
  }

  /// Returns the lines with receive times: each position comes when its receiver's clock says, and all else
  /// with the position before it. Returns `nil` if a receiver's clock was set, so that it says nothing.
  private func timed(_ lines: [String]) throws -> [String]? {
    var result = [#"{"class":"LOCWATCH","t":0.000}"#]
    var first: [String: (time: Timestamp, elapsed: Int64)] = [:]
    var last: [String: Timestamp] = [:]
    var elapsed: Int64 = 0
    for line in lines {
      if let (device, time) = try position(in: line) {
        if let last = last[device], time < last || last.duration(to: time) > .seconds(43_200) {
          return nil
        }
        last[device] = time
        let origin = first[device] ?? (time, elapsed)
        first[device] = origin
        let now = origin.elapsed + origin.time.duration(to: time).nanoseconds / 1_000_000
        if now > elapsed {
          elapsed = now
          let digits = String(1000 + elapsed % 1000).dropFirst()
          result.append(#"{"class":"LOCWATCH","t":\#(elapsed / 1000).\#(digits)}"#)
        }
      }
      result.append(line)
    }
    return result
  }

  private func lines(of file: URL) throws -> [String] {
    try Recordings.lines(of: file).map {
      String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
  }

  /// Those with a receiver whose clock was set, or goes to and fro, so that its times do not say when its
  /// reports came, by the release of gpsd that recorded them. Another release may have others.
  private static let whereClocksWereSet = [
    "3.22": [
      "bt451", "bu303-nofix", "garmin17n", "humminbird-M37", "sirfstarv", "telit-he910",
      "trimble-lassen_iq-playacar", "trimble-lasseniq-bin2d",
    ],
    "3.25": [
      "ac12", "ac12_binary", "bt451", "bu303-nofix", "eXplorist210", "garmin17n", "humminbird-M37",
      "magellan315", "sirf2", "sirfstarv", "telit-he910", "trimble-lassen_iq-playacar",
      "trimble-lasseniq-bin2d",
    ],
    "3.27.5": [
      "ac12", "ac12_binary", "bt451", "bu303-nofix", "eXplorist210", "gp-320fw-2019-04-07-coldboot",
      "humminbird-M37", "magellan315", "sirf2", "sirfstarv", "telit-he910",
      "trimble-lassen_iq-playacar", "trimble-lasseniq-bin2d", "trimble-ressmt360-dr",
      "ublox-neo-m8l",
    ],
  ]

  @Test(.enabled(if: Recordings.folder != nil, "\(Recordings.whySkipped)"))
  func `reports the same at the same moments, for receivers with running clocks`() async throws {
    var found: [String] = []
    for file in Recordings.files {
      let lines = try lines(of: file)
      let name = file.deletingPathExtension().lastPathComponent
      guard let timed = try timed(lines) else {
        found.append(name)
        continue
      }
      let (with, without) = (try await story(of: timed), try await story(of: lines))
      #expect(with == without, "\(name)")
    }
    let release = try Recordings.release
    #expect(found == Self.whereClocksWereSet[release, default: found], "gpsd \(release)")
  }

  private static let fixtures = URL(filePath: #filePath)
    .appending(path: "../../../../Fixtures").standardized

  /// No time passes before the first fix with a time. `hour` has one before it, 10 s earlier.
  @Test(
    arguments: [
      ("cold-start", 0), ("drive", 0), ("hour", 1), ("several-tpvs", 0), ("ten-hertz", 0),
      ("tunnel", 0), ("two-receivers", 0), ("unplug-replug", 0),
    ])
  func `says the same of a recording whose receive times are left out, from the first time on`(
    name: String, extraLines: Int
  ) async throws {
    let lines = try lines(of: Self.fixtures.appending(path: "\(name).jsonl"))
    let with = try await story(of: lines)
    let without = try await story(of: lines.filter { !$0.hasPrefix(#"{"class":"LOCWATCH""#) })
    // gpsd reports a little later than its receiver says, and sooner: `hour` runs at 20 times the speed.
    let tolerance: Int64 = name == "hour" ? 500 : 25
    func sinceFirstTime(_ story: [Line]) -> [Line] {
      let start = story.first(where: \.isTimed)?.elapsed ?? 0
      return story.drop { !$0.isTimed }.map { line in
        var line = line
        line.elapsed -= start
        return line
      }
    }
    for (one, other) in zip(sinceFirstTime(with), sinceFirstTime(without)) {
      #expect(one.text == other.text)
      #expect((one.elapsed - other.elapsed).magnitude <= tolerance)
    }
    #expect(with.count == without.count + extraLines)
    #expect(without.count > 10 && without.contains(where: \.isTimed))
  }
}
