import LocationCore
import TestSupport
import Testing

@testable import GPSDLocation

@Suite(.timeLimit(.minutes(5))) struct `Lines long before a part of a recording, and after it` {
  /// A report every second, and the satellites, with the number of the second as longitude.
  private static func seconds(
    _ seconds: Range<Int>, device: String = "/dev/a", mode: Int = 3
  ) -> [String] {
    seconds.flatMap { [stamp($0), fix($0, device: device, mode: mode), Lines.sky(device: device)] }
  }

  private static func stamp(_ second: Int) -> String {
    second == 0
      ? #"{"class":"LOCWATCH","t":0.000,"start":"\#(Lines.start)"}"#
      : #"{"class":"LOCWATCH","t":\#(second).000}"#
  }

  private static func fix(_ second: Int, device: String = "/dev/a", mode: Int = 3) -> String {
    #"{"class":"TPV","device":"\#(device)","mode":\#(mode),"lat":1,"lon":\#(second)}"#
  }

  private static func bound(_ second: Int) -> RecordedRange.Bound {
    .time(Lines.start.advanced(by: .seconds(second)))
  }

  private struct Read {
    /// The lines before the part, and in it, with the second at which they were received.
    var before: [String] = []
    var inside: [String] = []
    var extent: RecordedExtent?
    var lostLines = 0
    var end = 0.0
  }

  private func read(
    _ recordings: [[String]], from: Int?, to: Int? = nil,
    pace: RecordedSession.Pace = .asFastAsPossible
  ) async throws -> Read {
    let files = try recordings.map { try TemporaryFile(lines: $0) }
    let session = RecordedSession(
      try files.map { try RecordingFile(path: FilePath($0.path)) }, pace: pace,
      range: RecordedRange(from: from.map(Self.bound), to: to.map(Self.bound)))
    try session.open(GPSDEndpoint())
    var result = Read()
    loop: while true {
      switch try await session.read(until: nil) {
      case .value(let lines, let moment):
        #expect(lines.received == moment)
        let second = moment.wall.map { Lines.start.duration(to: $0).inSeconds } ?? -1
        let texts = lines.map {
          "\(Int(second)) " + String(decoding: $0, as: UTF8.self).trimmed
        }
        if lines.isBeforePart { result.before += texts } else { result.inside += texts }
      case .timedOut(let moment): result.end = moment.uptime.inSeconds
      case .ended: break loop
      }
    }
    result.extent = session.engine.extent
    result.lostLines = session.engine.lostLines
    withExtendedLifetime(files) {}
    return result
  }

  /// The lines of seconds, each with its second.
  private func texts(_ seconds: Range<Int>) -> [String] {
    seconds.flatMap { ["\($0) \(Self.fix($0))", "\($0) \(Lines.sky())"] }
  }

  private static let day = [stamp(0), Lines.version, Lines.devices] + seconds(1..<10_000)

  @Test(arguments: [RecordedSession.Pace.asFastAsPossible, .recorded(speed: 1e9)])
  func `are not read, except the last reports of each receiver`(
    pace: RecordedSession.Pace
  ) async throws {
    let read = try await read([Self.day], from: 9000, to: 9010, pace: pace)
    #expect(read.inside == texts(9000..<9010))
    #expect(
      read.before == ["0 \(Lines.version)", "0 \(Lines.devices)"] + texts(1..<2)
        + texts(7798..<9000))
    #expect(
      read.extent?.times
        == Lines.start...Lines.start.advanced(by: .seconds(9999)))
    #expect(read.end == 9010)
  }

  @Test func `are read if they are near it, or if there is no first time`() async throws {
    let near = try await read([Self.day], from: 1200, to: 1201)
    #expect(near.before.count == 2 + 2 * 1199 && near.inside == texts(1200..<1201))
    let all = try await read([Self.day], from: nil, to: 1201)
    #expect(all.inside.count == 2 + 2 * 1200 && all.before == [])
  }

  @Test func `are read where something else happens, after the last reports before it`()
    async throws
  {
    for line in [Lines.removed, Lines.version, "nonsense", #"{"class":"TPV","device":"/dev/a"}"#] {
      let lines =
        [Self.stamp(0), Lines.version] + Self.seconds(1..<2000) + [line]
        + Self.seconds(2000..<10_000)
      let read = try await read([lines], from: 9000)
      let before: [[String]] = [
        ["0 \(Lines.version)"], texts(1..<2), texts(1998..<2000), ["1999 \(line)"],
        texts(7798..<9000),
      ]
      #expect(read.before == before.flatMap(\.self))
      #expect(read.inside == texts(9000..<10_000))
    }
  }

  @Test func `are read after a silence`() async throws {
    let lines =
      Self.seconds(0..<1000) + Self.seconds(1059..<1060) + Self.seconds(1120..<10_000)
    let read = try await read([lines], from: 9000)
    let before = [0..<1, 999..<1000, 1059..<1060, 1120..<1180, 7798..<9000].flatMap(texts)
    #expect(read.before == before)
    // A receiver that reports rarely is read completely.
    let slow = stride(from: 0, to: 90_000, by: 62).flatMap {
      [Self.stamp($0), Self.fix($0), Self.stamp($0 + 1), Lines.sky()]
    }
    #expect(try await self.read([slow], from: 89_001).before.count == 2 * (89_000 / 62 + 1))
  }

  @Test func `are read after a silence of one of the receivers`() async throws {
    let others = [100, 101, 1500, 1560, 1621]
    let reports: [String] = (1..<10_000).flatMap { second in
      let other = others.contains(second) ? [Self.fix(second, device: "/dev/b")] : []
      return Self.seconds(second..<second + 1) + other
    }
    let lines = [Self.stamp(0), Lines.version] + reports
    func other(_ second: Int) -> String { "\(second) \(Self.fix(second, device: "/dev/b"))" }
    let read = try await read([lines], from: 9000)
    let before: [[String]] = [
      ["0 \(Lines.version)"], texts(1..<2), [other(100), other(101)], texts(1499..<1501),
      [other(1500), other(1560)], texts(1620..<1622), [other(1621)], texts(7798..<9000),
    ]
    #expect(read.before == before.flatMap(\.self))
    #expect(read.inside == texts(9000..<10_000))
  }

  @Test func `leave the last position of a receiver that is gone`() async throws {
    let gone =
      Self.seconds(0..<100) + Self.seconds(100..<140, device: "/dev/b")
      + Self.seconds(140..<150, device: "/dev/b", mode: 1) + Self.seconds(150..<9000)
    let read = try await read([gone], from: 8000)
    let b = "/dev/b"
    let last =
      [138, 139].map { "\($0) \(Self.fix($0, device: b))" }
      + [148, 149].flatMap {
        ["\($0) \(Self.fix($0, device: b, mode: 1))", "\($0) \(Lines.sky(device: b))"]
      }
    #expect(Array(read.before.prefix(14)) == texts(0..<1) + last + texts(6798..<6801))
  }

  @Test func `are read if they are of many receivers`() async throws {
    let lines = (0..<5000).flatMap { [Self.stamp($0), Self.fix($0, device: "/dev/\($0)")] }
    let read = try await read([lines], from: 4000)
    // Some are passed over, but none is lost.
    #expect(read.before.count == 4000)
    #expect(
      read.before == (0..<4000).map { "\($0) \(Self.fix($0, device: "/dev/\($0)"))" })
  }

  @Test func `are counted if lines are missing`() async throws {
    var lines = Self.day
    lines[3000] = #"{"class":"LOCWATCH","t":1000.000,"lost":7}"#
    #expect(try await read([lines], from: 9000).lostLines == 0)
    #expect(try await read([lines], from: 900).lostLines == 7)
  }

  @Test func `of each file have its own times`() async throws {
    let second =
      [#"{"class":"LOCWATCH","t":0.000,"start":"\#(Lines.start.advanced(by: .seconds(20_000)))"}"#]
      + [Lines.version] + (1..<5000).flatMap { [Self.stamp($0), Self.fix($0)] }
    let read = try await read([Self.day, second], from: 23_000, to: 23_002)
    #expect(read.inside == ["23000 \(Self.fix(3000))", "23001 \(Self.fix(3001))"])
    // The first file ends with its last reports.
    let first = ["0 \(Lines.version)", "0 \(Lines.devices)"] + texts(1..<2) + texts(9998..<10_000)
    #expect(Array(read.before.prefix(first.count)) == first)
    #expect(
      read.before.dropFirst(first.count).prefix(5) == [
        #"9999 {"class":"LOCWATCH_LINK","state":"lost","error":"notRecorded","#
          + #""reason":"not recorded"}"#,
        "20000 \(Lines.version)", "20001 \(Self.fix(1))", "21798 \(Self.fix(1798))",
        "21799 \(Self.fix(1799))",
      ])
    let early = try await self.read([second, Self.day], from: 100, to: 102)
    #expect(early.inside == texts(100..<102))
  }
}

extension String {
  fileprivate var trimmed: String { String(prefix { $0 != "\r" && $0 != "\n" && $0 != "\r\n" }) }
}
