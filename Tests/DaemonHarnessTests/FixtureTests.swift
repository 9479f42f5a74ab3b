import Foundation
import Testing

@Suite struct `The fixtures` {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures")

  private func lines(_ name: String) throws -> [Data] {
    try Data(contentsOf: Self.folder.appending(path: "\(name).jsonl"))
      .split(separator: UInt8(ascii: "\n"))
  }

  private func reports(_ name: String) throws -> [[String: Any]] {
    try lines(name).map {
      try #require(try JSONSerialization.jsonObject(with: $0) as? [String: Any])
    }
  }

  private func modes(_ name: String, of device: String = "gps0") throws -> String {
    let modes = try reports(name).filter { ($0["device"] as? String)?.hasSuffix(device) == true }
      .compactMap { $0["mode"] as? Int }
    return modes.enumerated().filter { $0 == 0 || modes[$0 - 1] != $1 }.map { "\($1)" }.joined()
  }

  @Test(arguments: [
    "cold-start", "drive", "tunnel", "unplug-replug", "two-receivers", "ten-hertz", "no-receiver",
    "several-tpvs",
  ])
  func `hold gpsd's lines unchanged, and when they arrived`(name: String) throws {
    let lines = try lines(name)
    #expect(lines.reduce(0) { $0 + $1.count + 1 } < 150_000)
    #expect(lines[0].starts(with: Data(#"{"class":"LOCWATCH","t":0.000,"start":"20"#.utf8)))
    var last = -1.0
    for (line, report) in zip(lines, try reports(name)) {
      #expect(line.suffix(2) == Data("}\r".utf8))
      guard report["class"] as? String == "LOCWATCH" else { continue }
      let time = try #require(report["t"] as? Double)
      #expect(time > last)
      last = time
    }
    #expect(last < 25)
  }

  @Test func `hold an hour with outages, 2D, corrections and satellites that move`() throws {
    let lines = try lines("hour")
    #expect(lines.reduce(0) { $0 + $1.count + 1 } < 300_000)
    #expect(try modes("hour") == "12312313")
    let reports = try reports("hour")
    #expect(reports.compactMap { $0["t"] as? Double }.last ?? 0 > 3500)
    #expect(Set(reports.compactMap { $0["status"] as? Int }) == [2])
    let views = reports.compactMap { $0["satellites"] as? [[String: Any]] }
    #expect((50...70).contains(views.count))
    let places = views.flatMap(\.self).filter { $0["PRN"] as? Int == 1 }
      .compactMap { $0["el"] as? Double }
    #expect(Set(places).count > 10)
    #expect(Set(views.flatMap(\.self).compactMap { $0["gnssid"] as? Int }) == [0, 2, 6])
  }

  @Test(arguments: [
    ("cold-start", "123"), ("drive", "3"), ("tunnel", "313"), ("unplug-replug", "3"),
    ("ten-hertz", "3"), ("no-receiver", ""), ("several-tpvs", "3"),
  ])
  func `go from mode to mode`(name: String, modes: String) throws {
    #expect(try self.modes(name) == modes)
  }

  @Test func `distinguish two receivers`() throws {
    #expect(try modes("two-receivers", of: "gps0") == "3")
    #expect(try modes("two-receivers", of: "gps1") == "123")
  }

  @Test func `show a receiver that was away for 5 s or more`() throws {
    let times = try reports("unplug-replug").compactMap { $0["time"] as? String }.map {
      try Date($0, strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true))
    }
    #expect(
      zip(times, times.dropFirst()).map { $1.timeIntervalSince($0) }.filter { $0 > 5 }.count == 1)
  }
}
