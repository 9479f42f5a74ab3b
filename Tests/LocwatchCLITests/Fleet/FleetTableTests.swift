import GPSDLocation
import LocationCore
import Testing

@testable import LocwatchCLI

@Suite struct `The table of sources` {
  private static let now = Moment(uptime: .seconds(100))

  private func row(
    _ name: String, _ state: LocationState, _ change: (inout LiveStatus) -> Void = { _ in }
  ) -> FleetRow {
    var status = LiveStatus(state: state)
    status.duration = .seconds(3)
    change(&status)
    return FleetRow(name: name, status: status)
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
    _ rows: [FleetRow], columns: Int = 100, height: Int = 24
  ) -> [String] {
    FleetTable.lines(of: rows, (columns, height), TerminalStyle()).map(\.text)
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
        "source      state      for    quality  age    sats  dBHz  accuracy  speed     outages",
        "b           no-daemon  3.0 s",
        "car /dev/x  lost       3.0 s",
        "a           searching  3.0 s",
        "boat        fix-3d     3.0 s  dgps     0.3 s  8/12  42    14.1 m    5.4 km/h  2",
      ])
    #expect(lines(rows, columns: 21)[4] == "boat        fix-3d")
  }

  @Test func `counts an outage of each receiver that had a fix, also when gpsd goes away`() throws {
    var table = try emptyTable()
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
    var table = try emptyTable()
    func strength(after updates: LocationUpdate...) -> Double? {
      for update in updates { table.present(update, of: 0, at: Self.now) }
      return table.rows(at: Self.now)[0].strength
    }
    let sky = LocationUpdate.sky(of: "/dev/a", seen: 5, used: 4, strengths: [44, 40])
    #expect(strength(after: .state(.fix3D, of: "/dev/a"), sky) == 42)
    #expect(strength(after: .state(.noDevice, of: "/dev/a")) == nil)
  }

  private func emptyTable() throws -> FleetTable {
    let options = try Options(arguments: ["boat=h1", "car=h2"], environment: [:])
    let output = try Descriptor(appendingTo: "/dev/null")
    var table = FleetTable(output, style: TerminalStyle(), options)
    for (index, target) in options.fleet.enumerated() {
      table.add(options.member(target), as: index)
    }
    return table
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
