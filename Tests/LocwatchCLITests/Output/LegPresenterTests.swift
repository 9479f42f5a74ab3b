import Foundation
import GPSDLocation
import Glibc
import LocationCore
import LocationReports
import Synchronization
import TestSupport
import Testing

@testable import LocationFormats
@testable import LocwatchCLI
@testable import LocwatchSystem
@testable import LocwatchTerminal

/// Faults 125, 127 and 132.
@Suite struct `A file for each leg` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Two legs of 3 km between stops of 200 s, a fix each second.
  private static func way(_ device: String = "/dev/ttyACM0") -> [LocationFix] {
    var north = 0.0
    return (0..<1200).map { second in
      let isMoving = (200..<500).contains(second) || (700..<1000).contains(second)
      if isMoving { north += 10 }
      var fix = LocationFix.scripted(Double(second), north: north, device: device)
      fix.speed = isMoving ? 10 : 0
      return fix
    }
  }

  private static func moment(_ second: Int) -> Moment {
    .start.advanced(by: .seconds(second))
  }

  private func presenter(_ arguments: String...) throws -> LegPresenter {
    let options = try Options(arguments: ["-f", "gpx"] + arguments)
    var presenter = LegPresenter(to: try LegFolder(folder.path("legs/"), ending: "gpx"))
    presenter.add(options.style, as: 0)
    presenter.begin(at: .start)
    return presenter
  }

  private func show(
    _ fixes: [LocationFix], from second: Int = 0, of source: Int = 0,
    on presenter: inout LegPresenter
  ) throws {
    for (index, fix) in fixes.enumerated() {
      let moment = Self.moment(second + index)
      presenter.present(.fix(fix), of: source, at: moment)
      if presenter.status.isWorthFlushing { try presenter.flush(at: moment) }
    }
    try presenter.flush(at: Self.moment(second + fixes.count))
  }

  private var names: [String] { folder.names("legs") }

  /// The times of the points in a file, in seconds since the first fix.
  private func seconds(_ name: String) throws -> [Int] {
    let text = try #require(folder.text(of: "legs/\(name)"))
    #expect(isWholeXML(text.utf8) && text.hasSuffix("</trk>\n</gpx>\n"))
    return try text.split(separator: "<time>").dropFirst().map { part in
      let time = try #require(Timestamp(iso8601: String(part.prefix { $0 != "<" })))
      return Int(LocationFix.origin.duration(to: time).inSeconds)
    }
  }

  @Test func `is written for each of 64 receivers, and none ends another`() throws {
    var presenter = try presenter()
    for second in 0..<20 {
      for number in 0...64 {
        var fix = LocationFix.scripted(
          Double(second), north: 10 * Double(second), device: "/dev/tty\(number)")
        fix.speed = 10
        presenter.present(.fix(fix), of: 0, at: Self.moment(second))
      }
      try presenter.flush(at: Self.moment(second))
    }
    try presenter.finish(waitsForReader: true)
    #expect(names.count == 64 && !names.contains { $0.hasPrefix("tty64-") })
    for name in names { #expect(try seconds(name) == Array(0..<20)) }
  }

  /// Has the descriptor of an open file lead to a device that is always full.
  private func fillDisk(of name: String) throws {
    let files = openDescriptors().filter { $0.value.hasSuffix("\(folder.path)/legs/\(name)") }
    let number = try #require(files.keys.min())
    let full = open("/dev/full", O_WRONLY)
    dup2(full, number)
    close(full)
  }

  @Test(arguments: ["a-2026-11-20T0703.gpx", "b-2026-11-20T0703.gpx", "c-2026-11-20T0703.gpx"])
  func `is a complete document even if the disk is full for another one`(name: String) throws {
    var presenter = try presenter()
    let ways = ["/dev/a", "/dev/b", "/dev/c"].map { Self.way($0) }
    for second in 0..<400 {
      for way in ways { presenter.present(.fix(way[second]), of: 0, at: Self.moment(second)) }
      try presenter.flush(at: Self.moment(second))
    }
    #expect(names.count == 3)
    try fillDisk(of: name)
    for second in 400..<420 {
      for way in ways { presenter.present(.fix(way[second]), of: 0, at: Self.moment(second)) }
    }
    let path = "\(folder.path("legs/\(name)"))"
    #expect(throws: OutputError.cannotWrite(path: path, reason: "No space left on device")) {
      try presenter.flush(at: Self.moment(420))
    }
    for other in names where other != name { #expect(try seconds(other).count > 50) }
    #expect(presenter.status.nextTick == nil && !presenter.status.hasPending)
    // Nothing follows the end of a document.
    let texts = names.map { folder.text(of: "legs/\($0)") }
    try presenter.finish(waitsForReader: true)
    #expect(names.map { folder.text(of: "legs/\($0)") } == texts)
  }

  @Test func `is removed if nothing can be written`() throws {
    var presenter = try presenter()
    var count = 0
    while names.isEmpty {
      presenter.present(.fix(Self.way()[count]), of: 0, at: Self.moment(count))
      try presenter.flush(at: Self.moment(count))
      count += 1
    }
    try fillDisk(of: names[0])
    #expect(truncate("\(folder.path)/legs/\(names[0])", 0) == 0)
    #expect(throws: OutputError.self) {
      for second in count..<(count + 400) {
        presenter.present(.fix(Self.way()[second]), of: 0, at: Self.moment(second))
        try presenter.flush(at: Self.moment(second))
      }
    }
    #expect(names == [])
  }

  @Test func `is worth writing to from 256 updates on`() throws {
    var presenter = try presenter()
    #expect(!presenter.status.hasPending)
    let fix = LocationFix.scripted(0)
    for second in 0..<255 { presenter.present(.fix(fix), of: 0, at: Self.moment(second)) }
    #expect(presenter.status.hasPending && !presenter.status.isWorthFlushing)
    presenter.present(.state(.lost, of: "/dev/ttyACM0"), of: 0, at: Self.moment(255))
    #expect(presenter.status.isWorthFlushing)
    try presenter.flush(at: Self.moment(256))
    #expect(!presenter.status.hasPending && !presenter.status.isWorthFlushing)
  }

  /// 60 s on its way, and then a rest.
  private func writtenFixes(ofARestOf count: Int, each interval: Double) throws -> Int {
    var presenter = try presenter("-o", "legs/", "--stop", "50,4h")
    let seconds = (0..<60).map(Double.init) + (0..<count).map { 60 + Double($0) * interval }
    for second in seconds {
      var fix = LocationFix.scripted(second, north: 10 * min(second, 60))
      fix.speed = second < 60 ? 10 : 0
      let moment = Moment.start.advanced(by: .milliseconds(Int64((second * 1000).rounded())))
      presenter.present(.fix(fix), of: 0, at: moment)
      if presenter.status.isWorthFlushing { try presenter.flush(at: moment) }
    }
    try presenter.flush(at: .start.advanced(by: .seconds(seconds.last ?? 0)))
    let name = try #require(names.first)
    defer { unlink("\(folder.path("legs/\(name)"))") }
    return try self.seconds(name).count
  }

  @Test func `is behind the receiver by 100,000 fixes at most`() throws {
    #expect(try writtenFixes(ofARestOf: 100_000, each: 0.1) == 60)
    #expect(try writtenFixes(ofARestOf: 100_001, each: 0.1) == 60 + 1000)
  }
}
