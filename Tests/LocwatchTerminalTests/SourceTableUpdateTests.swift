import GPSDLocation
import LocationCore
import LocationFormats
import LocationSamples
import Testing

@testable import LocwatchSystem
@testable import LocwatchTerminal

@Suite struct `The updates of the table of sources` {
  private static let now = Moment(uptime: .seconds(100))

  @Test func `counts an outage of each receiver that had a fix, even when gpsd goes away`() throws {
    var (table, _) = try emptyTable()
    func present(_ updates: LocationUpdate..., of source: Int = 0) {
      for update in updates { table.present(update, of: source, at: Self.now) }
    }
    func outages() -> [String] {
      table.rows(at: Self.now).map { "\($0.name) \($0.status.state.rawValue) \($0.outages)" }
    }
    present(.state(.searching, of: "/dev/b"), of: 1)
    for state in [LocationState.fix3D, .lost, .noDevice] { present(.state(state, of: "/dev/a")) }
    #expect(outages() == ["boat no-device 1", "car searching 0"])
    present(.state(.fix3D, of: "/dev/a"), .failed(.disconnected, "closed by gpsd"))
    #expect(outages() == ["boat no-daemon 2", "car searching 0"])
    present(.state(.searching, of: "/dev/a"))
    #expect(outages() == ["boat searching 2", "car searching 0"])
  }

  @Test func `shows no signal of a receiver that is gone`() throws {
    var (table, _) = try emptyTable()
    func strength(after updates: LocationUpdate...) -> Double? {
      for update in updates { table.present(update, of: 0, at: Self.now) }
      return table.rows(at: Self.now)[0].strength
    }
    let sky = LocationUpdate.sky(of: "/dev/a", seen: 5, used: 4, strengths: [44, 40])
    #expect(strength(after: .state(.fix3D, of: "/dev/a"), sky) == 42)
    #expect(strength(after: .state(.noDevice, of: "/dev/a")) == nil)
  }

  private func emptyTable(
    on output: Descriptor? = nil, events: EventChoice = .all, tick: Duration = .seconds(1)
  ) throws -> (table: SourceTable, lines: LiveLines) {
    let output = try output ?? Descriptor(appendingTo: "/dev/null")
    let lines = LiveLines(output, style: TerminalStyle(), isReplay: false)
    var table = SourceTable(
      on: lines, style: TerminalStyle(),
      LinesPlan(events: events, showsSatellites: false, tick: tick))
    for (index, name) in ["boat", "car"].enumerated() { table.add(style(of: name), as: index) }
    return (table, lines)
  }

  private func style(of source: String) -> OutputStyle {
    var style = OutputStyle()
    style.records.source = source
    return style
  }

  @Test func `has the row of a source that replaces another, with counts of its own`() throws {
    var (table, _) = try emptyTable()
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

  @Test func `has a row for each receiver of a source, with its own counts`() throws {
    var (table, _) = try emptyTable()
    func present(_ updates: LocationUpdate...) {
      for update in updates { table.present(update, of: 0, at: Self.now) }
    }
    present(
      .state(.fix3D, of: "/dev/a"), .state(.fix2D, of: "/dev/b"),
      .sky(of: "/dev/a", seen: 9, used: 5, strengths: [30, 50, 0, 40, 20, 10]),
      .sky(of: "/dev/b", seen: 2, used: 0, strengths: [0]), .state(.lost, of: "/dev/b"),
      .state(.fix3D, of: "/dev/b"), .state(.lost, of: "/dev/b"))
    let rows = table.rows(at: Self.now)
    #expect(rows.map(\.status.device) == ["/dev/a", "/dev/b"])
    #expect(rows.map(\.outages) == [0, 2])
    // The mean of the four strongest; those without a strength do not count.
    #expect(rows.map(\.strength) == [35, nil])
    present(.failed(.disconnected, "closed by gpsd"))
    #expect(table.rows(at: Self.now).map(\.outages) == [3])
    #expect(table.rows(at: Self.now).map(\.strength) == [nil])
  }

  @Test func `counts no outage of a state that is not a loss`() throws {
    var (table, _) = try emptyTable()
    for state in [LocationState.fix2D, .fix3D, .fix2D] {
      table.present(.state(state, of: "/dev/a"), of: 0, at: Self.now)
    }
    table.present(.fix(Samples.fix), of: 0, at: Self.now)
    #expect(table.rows(at: Self.now).allSatisfy { $0.outages == 0 })
  }

  // What scrolls

  private static let region = LocationUpdate.change(
    ReceiverChange(
      .region("home", presence: .inside, previous: .outside), of: "/dev/a",
      at: Moment(uptime: .zero)))

  private static let scrolled =
    "- searching car /dev/a\n- region car /dev/a home inside, was outside\n"

  @Test(arguments: [
    (EventChoice.all, scrolled, true),
    (.transitionsOnly, scrolled, false),
    (.fixesOnly, "", true),
  ])
  func `transitions and other changes scroll above it, unless only fixes are wanted`(
    events: EventChoice, scrolled: String, hasTable: Bool
  ) throws {
    let pipe = try PipeEnds()
    var (table, _) = try emptyTable(on: pipe.descriptor, events: events)
    table.present(.state(.searching, of: "/dev/a"), of: 1, at: Self.now)
    table.present(Self.region, of: 1, at: Self.now)
    try table.flush(at: Self.now)
    let text = String(decoding: pipe.readAll(), as: UTF8.self)
    let drawn = """
      source  state      for    position  accuracy  quality  age  sats  dBHz  outages
      car     searching  0.0 s
      """
    #expect(text == scrolled + (hasTable ? drawn : ""))
    #expect(!table.status.hasPending)
    // A fix scrolls nothing.
    table.present(.fix(Samples.fix), of: 1, at: Self.now)
    #expect(pipe.readAll().isEmpty)
  }

  /// A terminal of another session is as one of another job.
  @Test func `is not drawn by a job in the background, but transitions scroll`() throws {
    let terminal = try PseudoTerminalEnds()
    var (table, _) = try emptyTable(on: terminal.terminal)
    table.present(.state(.searching, of: "/dev/a"), of: 1, at: Self.now)
    try table.flush(at: Self.now)
    let text = terminal.takeText()
    #expect(text.contains("searching car /dev/a") && !text.contains("outages"))
    #expect(table.status.hasPending)
  }

  @Test func `a stopped terminal misses lines, but no state`() throws {
    let pipe = try PipeEnds()
    var (table, _) = try emptyTable(on: pipe.descriptor)
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
    #expect(count("region car /dev/a", in: text) == 16 * 1457)
  }

  // When it is drawn

  private func count(_ word: String, in text: String) -> Int {
    text.split(separator: word, omittingEmptySubsequences: false).count - 1
  }

  /// The number of tables that were drawn.
  private func drawings(in pipe: PipeEnds) -> Int {
    count("outages", in: String(decoding: pipe.readAll(), as: UTF8.self))
  }

  @Test func `is drawn when it changed, at most four times a second, and every second`() throws {
    let pipe = try PipeEnds()
    var (table, _) = try emptyTable(on: pipe.descriptor)
    func flush(_ second: Double) throws -> Int {
      try table.flush(at: Moment(uptime: .milliseconds(Int64(second * 1000))))
      return drawings(in: pipe)
    }
    func present(_ second: Double) {
      table.present(
        .state(.searching, of: "/dev/a"), of: 0,
        at: Moment(uptime: .milliseconds(Int64(second * 1000))))
    }
    #expect(table.status.hasPending)
    #expect(table.status.nextTick == nil)
    // Without a row nothing is drawn.
    #expect(try flush(1) == 0)
    #expect(!table.status.hasPending)
    present(1.1)
    #expect(table.status.hasPending)
    #expect(try flush(1.1) == 1)
    #expect(!table.status.hasPending)
    #expect(table.status.nextTick == Moment(uptime: .milliseconds(2100)))
    present(1.2)
    #expect(table.status.nextTick == Moment(uptime: .milliseconds(1350)))
    #expect(try flush(1.349) == 0)
    #expect(table.status.hasPending)
    #expect(try flush(1.35) == 1)
    table.add(style(of: "plane"), as: 0)
    #expect(table.status.hasPending)
    #expect(!table.status.isWorthFlushing)
    #expect(table.hasRoom(for: .fix(Samples.fix), of: 0))
    #expect(table.status.blocked == nil)
  }

  @Test func `is drawn a last time at the end, as of the last update`() throws {
    let pipe = try PipeEnds()
    var (table, _) = try emptyTable(on: pipe.descriptor)
    table.present(.state(.searching, of: "/dev/a"), of: 0, at: Moment(uptime: .seconds(1)))
    try table.flush(at: Moment(uptime: .seconds(1)))
    table.present(.state(.fix3D, of: "/dev/a"), of: 0, at: Moment(uptime: .milliseconds(1100)))
    try table.finish(waitsForReader: true)
    let text = String(decoding: pipe.readAll(), as: UTF8.self)
    #expect(count("source", in: text) == 2)
    #expect(text.contains("boat    searching  0.0 s"))
    #expect(text.hasSuffix("boat    fix-3d  0.0 s\n"))
    // One that did not change stays.
    let other = try PipeEnds()
    (table, _) = try emptyTable(on: other.descriptor)
    table.present(.state(.searching, of: "/dev/a"), of: 0, at: Moment(uptime: .seconds(1)))
    try table.flush(at: Moment(uptime: .seconds(1)))
    try table.finish(waitsForReader: true)
    #expect(drawings(in: other) == 1)
  }

  @Test func `is drawn again after a message took its place`() throws {
    let pipe = try PipeEnds()
    var (table, lines) = try emptyTable(on: pipe.descriptor)
    table.present(.state(.searching, of: "/dev/a"), of: 0, at: Moment(uptime: .seconds(1)))
    try table.flush(at: Moment(uptime: .seconds(1)))
    lines.clear()
    #expect(table.status.hasPending)
    try table.flush(at: Moment(uptime: .milliseconds(1001)))
    #expect(drawings(in: pipe) == 2)
    lines.clear()
    try table.flush(at: Moment(uptime: .milliseconds(1002)))
    lines.clear()
    lines.clear()
    #expect(table.status.hasPending)
  }

  @Test func `is drawn at the pace of a replay`() throws {
    var (table, _) = try emptyTable(tick: .seconds(60))
    table.present(.state(.searching, of: "/dev/a"), of: 0, at: Moment(uptime: .seconds(1)))
    try table.flush(at: Moment(uptime: .seconds(1)))
    #expect(table.status.nextTick == Moment(uptime: .seconds(61)))
  }

  @Test func `has a hint until its source searches or has a fix`() throws {
    var (table, _) = try emptyTable()
    func hint() -> String? { table.rows(at: Self.now)[0].hint }
    table.present(.state(StateChange(.noService, of: .link, at: Self.now)), of: 0, at: Self.now)
    table.advise("no gpsd\nIs it running?", of: 0)
    #expect(table.status.hasPending)
    #expect(hint() == "Is it running?")
    table.present(.state(StateChange(.connecting, of: .link, at: Self.now)), of: 0, at: Self.now)
    table.present(.state(StateChange(.noDevice, of: .link, at: Self.now)), of: 0, at: Self.now)
    #expect(hint() == "Is it running?")
    table.advise("what has no hint", of: 0)
    #expect(hint() == "Is it running?")
    table.present(.state(.searching, of: "/dev/a"), of: 0, at: Self.now)
    #expect(hint() == nil)
    table.advise("no fix\nWait.", of: 0)
    #expect(hint() == "Wait.")
    table.present(.state(.fix3D, of: "/dev/a"), of: 0, at: Self.now)
    #expect(hint() == nil)
    table.advise("no fix\nWait.", of: 0)
    // One receiver has a fix: there is nothing to try.
    #expect(hint() == nil)
  }
}
