import GPSDLocation
import LocationCore
import LocationFormats
import LocationSamples
import Testing

@testable import LocwatchSystem
@testable import LocwatchTerminal

@Suite struct `The updates of the table of sources` {
  private static let now = Moment(uptime: .seconds(100))

  private func emptyTable(on output: Descriptor? = nil) throws -> SourceTable {
    let output = try output ?? Descriptor(appendingTo: "/dev/null")
    return emptyTable(on: LiveLines(output, style: TerminalStyle(), isReplay: false))
  }

  private func emptyTable(on lines: LiveLines) -> SourceTable {
    var table = SourceTable(
      on: lines, style: TerminalStyle(),
      LinesPlan(events: .all, showsSatellites: false, tick: .seconds(1)))
    for (index, name) in ["boat", "car"].enumerated() { table.add(style(of: name), as: index) }
    return table
  }

  private func style(of source: String) -> OutputStyle {
    var style = OutputStyle()
    style.records.source = source
    return style
  }

  @Test func `has the row of a source that replaces another, with counts of its own`() throws {
    var table = try emptyTable()
    for source in 0...1 {
      table.present(.state(.searching, of: "/dev/a"), of: source, at: Self.now)
    }
    func names() -> [String] { table.rows(at: Self.now).map(\.name) }
    #expect(names() == ["boat", "car"])
    table.add(style(of: "plane"), as: 0)
    #expect(names() == ["car"])
    table.present(.state(.searching, of: "/dev/a"), of: 0, at: Self.now)
    table.add(style(of: "x"), as: 2)
    table.present(.state(.searching, of: "/dev/a"), of: 2, at: Self.now)
    #expect(names() == ["plane", "car", "x"])
    #expect(table.rows(at: Self.now).map(\.outages) == [0, 0, 0])
  }

  @Test func `has the mean of a receiver's four strongest signals, until it is gone`() throws {
    var table = try emptyTable()
    func strengths(after updates: LocationUpdate...) -> [Double?] {
      for update in updates { table.present(update, of: 0, at: Self.now) }
      return table.rows(at: Self.now).map(\.strength)
    }
    let before = strengths(
      after: .state(.fix3D, of: "/dev/a"), .state(.fix2D, of: "/dev/b"),
      .sky(of: "/dev/a", seen: 9, used: 5, strengths: [30, 50, 0, 40, 20, 10]),
      .sky(of: "/dev/b", seen: 2, used: 0, strengths: [0]))
    // Those without a strength do not count.
    #expect(before == [35, nil])
    #expect(strengths(after: .state(.noDevice, of: "/dev/a")) == [nil, nil])
  }

  private static let region = LocationUpdate.change(
    ReceiverChange(
      .region("home", presence: .inside, previous: .outside), of: "/dev/a",
      at: Moment(uptime: .zero)))

  /// A terminal of another session is as one of another job.
  @Test func `is not drawn by a job in the background, but transitions scroll`() throws {
    let terminal = try PseudoTerminalEnds()
    var table = try emptyTable(on: terminal.terminal)
    table.present(.state(.searching, of: "/dev/a"), of: 1, at: Self.now)
    try table.flush(at: Self.now)
    let text = terminal.takeText()
    #expect(text.contains("searching car /dev/a") && !text.contains("outages"))
    #expect(table.status.hasPending)
  }

  @Test func `a stopped terminal misses lines, but no state`() throws {
    let pipe = try PipeEnds()
    var table = try emptyTable(on: pipe.descriptor)
    for _ in 0..<60_000 { table.present(Self.region, of: 1, at: Self.now) }
    // Lines of 45 bytes scroll by 64 KiB, until there are more than 1 MiB.
    let (lost, other) = (LocationUpdate.state(.lost, of: "/dev/a"), LocationUpdate.fix(Samples.fix))
    #expect(table.hasRoom(for: lost, of: 1) && table.hasRoom(for: other, of: 1))
    table.present(lost, of: 1, at: Self.now)
    #expect(table.rows(at: Self.now).map(\.status.state) == [.lost])
    #expect(table.unwrittenRecords == 60_001 - 16 * 1457)
    try table.flush(at: Self.now)
    var text = ""
    while table.status.hasPending, text.utf8.count < 4_000_000 {
      text += String(decoding: pipe.readAll(), as: UTF8.self)
      try table.flush(at: Self.now)
    }
    text += String(decoding: pipe.readAll(), as: UTF8.self)
    #expect(text.split(separator: "region car /dev/a").count - 1 == 16 * 1457)
  }

  @Test func `is drawn again after a message took its place`() throws {
    let pipe = try PipeEnds()
    let lines = LiveLines(pipe.descriptor, style: TerminalStyle(), isReplay: false)
    var table = emptyTable(on: lines)
    table.present(.state(.searching, of: "/dev/a"), of: 0, at: Self.now)
    try table.flush(at: Self.now)
    lines.clear()
    #expect(table.status.hasPending)
    #expect(table.status.nextTick == Self.now.advanced(by: .milliseconds(250)))
    _ = pipe.readAll()
    try table.flush(at: Self.now.advanced(by: .milliseconds(1)))
    #expect(String(decoding: pipe.readAll(), as: UTF8.self).contains("boat    searching"))
  }
}
