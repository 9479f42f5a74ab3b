import GPSDLocation
import LocationCore
import Testing

@testable import LocwatchCLI

@Suite struct `The table of sources` {
  private static let now = Moment(uptime: .seconds(100))

  private func row(
    _ name: String, _ state: LocationState, _ change: (inout LiveStatus) -> Void = { _ in }
  ) -> SourceRow {
    var status = LiveStatus(state: state)
    status.duration = .seconds(3)
    change(&status)
    return SourceRow(name: name, status: status)
  }

  private func fix() -> LocationFix {
    var fix = LocationFix(
      coordinate: Coordinate(latitude: 48.1, longitude: 11.5)!, mode: .fix3D)
    fix.eph = 14.1
    fix.speed = 1.5
    fix.quality = .dgps
    return fix
  }

  private func lines(
    _ rows: [SourceRow], columns: Int = 120, height: Int = 24
  ) -> [String] {
    SourceTable.lines(of: rows, (columns, height), TerminalStyle()).map(\.text)
  }

  @Test func `has the worst rows first, and aligns its columns`() {
    var good = row("boat", .fix3D) { status in
      status.fix = fix()
      status.age = .milliseconds(300)
      status.satellitesUsed = 8
      status.satellitesSeen = 12
    }
    good.strength = 41.6
    good.outages = 2
    let rows = [
      good, row("a", .searching), row("b", .noService), row("car", .lost) { $0.device = "/dev/x" },
    ]
    #expect(
      lines(rows) == [
        "source      state      for    position             accuracy  quality  age    sats  dBHz  speed     outages",
        "b           no-daemon  3.0 s",
        "car /dev/x  lost       3.0 s",
        "a           searching  3.0 s",
        "boat        fix-3d     3.0 s  48.100000 11.500000  14.1 m    dgps     0.3 s  8/12  42    5.4 km/h  2",
      ])
    #expect(lines(rows, columns: 21)[4] == "boat        fix-3d")
  }

  @Test func `leaves out what matters least where the terminal is narrow`() {
    let good = row("boat", .fix3D) { status in
      status.fix = fix()
      status.age = .milliseconds(300)
      status.satellitesUsed = 8
      status.satellitesSeen = 12
    }
    let bad = row("car", .noService) { status in
      status.retryIn = .seconds(4)
      status.failure = "cannot connect to car:2947: Connection refused"
    }
    func header(_ columns: Int) -> String { lines([good, bad], columns: columns)[0] }
    #expect(
      lines([good, bad], columns: 80) == [
        "source  state      position             accuracy  quality  age    sats  outages",
        "car     no-daemon  retry in 4 s, cannot connect to car:2947: Connection refused",
        "boat    fix-3d     48.100000 11.500000  14.1 m    dgps     0.3 s  8/12",
      ])
    #expect(header(79) == "source  state      position             accuracy  quality  age    sats")
    #expect(header(70) == "source  state      position             accuracy  age    sats")
    #expect(header(55) == "source  state      position             age")
    #expect(header(58) == "source  state      position             accuracy  age")
    #expect(header(53) == "source  state      position             age")
    #expect(header(44) == "source  state      position")
  }

  @Test func `says why a source has no position, and what its last one was`() {
    func trouble(columns: Int = 120, _ change: (inout LiveStatus) -> Void) -> String {
      lines([row("a", .lost, change)], columns: columns)[1]
    }
    #expect(
      trouble { status in
        status.lastFix = fix()
        status.age = .seconds(12)
        status.reason = "no report"
      } == "a       lost   3.0 s  last 48.100000 11.500000, 12 s ago, no report")
    #expect(
      trouble { $0.failure = "cannot open /dev/a\u{7}" }
        == #"a       lost   3.0 s  cannot open /dev/a\u{7}"#)
    #expect(trouble(columns: 40) { $0.reason = "no fix" } == "a       lost   for 3.0 s, no fix")
  }

  @Test func `counts an outage of each receiver that had a fix, also when gpsd goes away`() throws {
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
    on output: Descriptor? = nil, _ arguments: String...
  ) throws -> (table: SourceTable, lines: LiveLines) {
    let options = try Options(arguments: arguments + ["boat=h1", "car=h2"], environment: [:])
    let output = try output ?? Descriptor(appendingTo: "/dev/null")
    let lines = LiveLines(output, style: TerminalStyle(), isReplay: options.isReplay)
    var table = SourceTable(on: lines, style: TerminalStyle(), options)
    for (index, target) in options.fleet.enumerated() {
      table.add(options.member(target), as: index)
    }
    return (table, lines)
  }

  @Test func `has no row of a source that was removed, and the row of the one in its place`() throws
  {
    var (table, _) = try emptyTable()
    for source in 0...1 {
      table.present(.state(.searching, of: "/dev/a"), of: source, at: Self.now)
    }
    func names() -> [String] { table.rows(at: Self.now).map(\.name) }
    #expect(names() == ["boat", "car"])
    table.remove(0)
    #expect(names() == ["car"])
    // What comes late of it is nobody's.
    table.present(.state(.searching, of: "/dev/a"), of: 0, at: Self.now)
    #expect(names() == ["car"])
    let options = try Options(arguments: ["plane=h1", "x=h2"], environment: [:])
    table.add(options.member(options.fleet[0]), as: 0)
    #expect(names() == ["car"])
    table.present(.state(.searching, of: "/dev/a"), of: 0, at: Self.now)
    table.add(options.member(options.fleet[1]), as: 2)
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
    // Of the four strongest; those without a strength do not count.
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
    table.present(.fix(fix()), of: 0, at: Self.now)
    #expect(table.rows(at: Self.now).allSatisfy { $0.outages == 0 })
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
    #expect(table.hasPending)
    #expect(table.nextTick == nil)
    // Without a row nothing is drawn.
    #expect(try flush(1) == 0)
    #expect(!table.hasPending)
    present(1.1)
    #expect(table.hasPending)
    #expect(try flush(1.1) == 1)
    #expect(!table.hasPending)
    #expect(table.nextTick == Moment(uptime: .milliseconds(2100)))
    present(1.2)
    #expect(table.nextTick == Moment(uptime: .milliseconds(1350)))
    #expect(try flush(1.349) == 0)
    #expect(table.hasPending)
    #expect(try flush(1.35) == 1)
    table.remove(0)
    #expect(table.hasPending)
    #expect(!table.isWorthFlushing)
    #expect(table.hasRoom(for: .fix(fix()), of: 0))
    #expect(table.blockedOutput == nil)
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
    #expect(table.hasPending)
    try table.flush(at: Moment(uptime: .milliseconds(1001)))
    #expect(drawings(in: pipe) == 2)
    lines.clear()
    try table.flush(at: Moment(uptime: .milliseconds(1002)))
    lines.clear()
    lines.clear()
    #expect(table.hasPending)
  }

  @Test func `is drawn at the pace of a replay`() throws {
    var (table, _) = try emptyTable(on: nil, "-v")
    table.present(.state(.searching, of: "/dev/a"), of: 0, at: Moment(uptime: .seconds(1)))
    try table.flush(at: Moment(uptime: .seconds(1)))
    #expect(table.nextTick == Moment(uptime: .seconds(2)))
  }

  // What it looks like

  @Test(
    arguments: [
      (0, [], nil), (1, [0], nil), (6, [0, 1, 2, 3, 4, 5], nil),
      (7, [0, 1, 2, 3, 4], "and 2 more"),
      (8, [0, 1, 2, 3, 4], "and 3 more"),
    ] as [(Int, [Int], String?)])
  func `shows as many rows as there is room for`(
    count: Int, shown: [Int], rest: String?
  ) {
    let rows = (0..<count).map { row("s\($0)", .fix3D) }
    let lines = lines(rows, height: 8)
    #expect(
      lines.dropFirst().prefix(shown.count).map { $0.prefix { $0 != " " } }
        == shown.map { "s\($0)" })
    #expect(lines.count == 1 + shown.count + (rest == nil ? 0 : 1))
    if let rest { #expect(lines.last?.hasPrefix(rest) == true) }
  }

  @Test(arguments: [0, 1, 2, 3, 4, 5, 65_535])
  func `never scrolls, however low the terminal is`(height: Int) {
    let rows = (0..<10).map { row("s\($0)", .lost) }
    let lines = lines(rows, height: height)
    #expect(lines.count <= max(3, height - 1))
    #expect(lines[1].hasPrefix("s0"))
    #expect(lines.last == (height > 11 ? "s9      lost   3.0 s" : lines.last))
  }

  @Test(arguments: [0, 1, 2, 3, 8, 9, 10, 40, 65_535])
  func `fits, however narrow the terminal is`(columns: Int) {
    let rows = (0..<10).map { row("source \($0)", .lost) }
    let lines = SourceTable.lines(of: rows, (columns, 5), TerminalStyle())
    for line in lines {
      #expect(line.width <= max(1, columns - 1))
      #expect(line.text.displayWidth == line.width)
    }
    #expect(lines.count == 4)
  }

  @Test func `says below the rows what to try for the first that a hint helps`() {
    var lost = row("car", .noService)
    lost.hint = "Is gpsd running there?\necho 'a'\u{1b}"
    var worse = row("boat", .searching)
    worse.hint = "Wait."
    #expect(
      lines([worse, row("van", .fix3D), lost], columns: 21).dropFirst(4) == [
        "car: Is gpsd running", "there?", "echo 'a'\\u{1b}",
      ])
    #expect(lines([row("a", .fix3D), worse]).last == "boat: Wait.")
    // With all rows, and the header and the line of the cursor, there is no room for three lines.
    #expect(lines([worse, row("van", .fix3D), lost], columns: 21, height: 8).count == 7)
    #expect(lines([worse, row("van", .fix3D), lost], columns: 21, height: 7).count == 4)
    // Four rows are enough for a hint.
    let many = [lost] + (0..<20).map { row("s\($0)", .fix3D) }
    #expect(lines(many, columns: 21, height: 9).dropFirst(5).first == "car: Is gpsd running")
    #expect(lines(many, columns: 21, height: 8).last == "and 16 more, 16 with")
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

  @Test func `has the states in their order, and sources of one state in theirs`() {
    let states: [LocationState] = [
      .fix3D, .fix2D, .connecting, .searching, .lost, .noDevice, .noService,
    ]
    let rows = states.enumerated().flatMap { index, state in
      [row("b\(index)", state), row("a\(index)", state)]
    }
    #expect(
      lines(rows).dropFirst().map { $0.prefix(2) } == [
        "b6", "a6", "b5", "a5", "b4", "a4", "b3", "a3", "b2", "a2", "b1", "a1", "b0", "a0",
      ])
  }

  @Test func `counts how many of those left out have a fix`() {
    let rows = [row("a", .lost), row("b", .fix2D), row("c", .searching), row("d", .fix3D)]
    #expect(lines(rows, height: 4).last == "and 3 more, 2 with a fix")
    #expect(lines(rows, columns: 8, height: 4).last == "and 3 m")
  }

  @Test func `shows what is known, and nothing for what is not`() {
    let rows = [
      row("a", .fix2D) { status in
        status.duration = nil
        status.satellitesSeen = 4
      },
      row("b", .fix3D) { status in status.satellitesUsed = 3 },
      row("c", .fix3D) { status in
        var fix = fix()
        fix.eph = nil
        fix.speed = nil
        fix.quality = nil
        fix.satellitesUsed = 5
        fix.satellitesSeen = 6
        status.fix = fix
      },
    ]
    #expect(
      lines(rows) == [
        "source  state   for    position             accuracy  quality  age  sats  dBHz  speed  outages",
        "a       fix-2d                                                      -/4",
        "b       fix-3d  3.0 s                                               3/-",
        "c       fix-3d  3.0 s  48.100000 11.500000                          5/6",
      ])
  }

  @Test func `colours the state that is all there`() {
    var style = TerminalStyle()
    style.usesColor = true
    let rows = [row("a", .lost)]
    func state(_ columns: Int) -> String {
      SourceTable.lines(of: rows, (columns, 24), style)[1].text
    }
    #expect(state(100).contains("\u{1b}["))
    #expect(!state(11).contains("\u{1b}["))
    let lines = SourceTable.lines(of: rows, (100, 24), style)
    #expect(!lines[0].text.contains("\u{1b}["))
    #expect(lines[1].width == "a       lost   3.0 s".count)
  }

  @Test func `counts the rows that do not fit`() {
    let rows = (0..<30).map { row("s\($0)", $0 == 7 ? .lost : .fix3D) }
    let shown = lines(rows, height: 8)
    #expect(shown.count == 7)
    #expect(shown[1] == "s7      lost    3.0 s")
    #expect(shown[2] == "s0      fix-3d  3.0 s")
    #expect(shown[6] == "and 25 more, 25 with a fix")
  }

  @Test func `makes what is strange in a name visible`() {
    #expect(lines([row("a\u{1b}[2J", .lost)])[1] == #"a\u{1b}[2J  lost   3.0 s"#)
  }
}
