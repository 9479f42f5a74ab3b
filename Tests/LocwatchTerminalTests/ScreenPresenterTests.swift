import GPSDLocation
import LocationCore
import LocationFormats
import Testing

@testable import LocwatchSystem
@testable import LocwatchTerminal

@Suite struct `The lines of a source` {
  private let pipe: PipeEnds
  private var presenter: ScreenPresenter

  init() throws {
    pipe = try PipeEnds()
    presenter = Self.presenter(on: pipe, showsSatellites: false)
  }

  private static func presenter(
    on pipe: PipeEnds, showsSatellites: Bool, events: EventChoice = .all
  ) -> ScreenPresenter {
    let style = TerminalStyle()
    return ScreenPresenter(
      on: LiveLines(pipe.descriptor, style: style, isReplay: false), style: style,
      LinesPlan(events: events, showsSatellites: showsSatellites, tick: .seconds(1)))
  }

  private func moment(_ milliseconds: Int) -> Moment {
    Moment(uptime: .milliseconds(milliseconds))
  }

  private mutating func present(_ latitude: Double, at milliseconds: Int) {
    let fix = Samples.position(latitude, 11, .fix3D)
    presenter.present(.fix(fix), of: 0, at: moment(milliseconds))
  }

  private mutating func drawn(at milliseconds: Int) throws -> String {
    try presenter.flush(at: moment(milliseconds))
    return String(decoding: pipe.readAll(), as: UTF8.self)
  }

  @Test mutating func `are redrawn 50 ms later at the earliest`() throws {
    presenter.present(.state(.fix3D, of: Samples.device), of: 0, at: moment(1000))
    present(1, at: 1000)
    #expect(presenter.status.nextTick == nil)
    #expect(try drawn(at: 1000).contains("1.000000"))
    #expect(presenter.status.nextTick == moment(2000))
    present(2, at: 1010)
    #expect(try drawn(at: 1049) == "")
    #expect(presenter.status.nextTick == moment(1050))
    #expect(presenter.status.hasPending)
    #expect(try drawn(at: 1050).contains("2.000000"))
    #expect(!presenter.status.hasPending)
    // The end waits for nothing.
    present(3, at: 1060)
    try presenter.finish(waitsForReader: true)
    #expect(String(decoding: pipe.readAll(), as: UTF8.self).contains("3.000000"))
  }

  /// A pipe has 24 lines, of which one stays free.
  @Test func `tables of satellites take the lines that receivers leave`() throws {
    var presenter = Self.presenter(on: pipe, showsSatellites: true)
    for (name, count) in [("/dev/a", 15), ("/dev/b", 15)] {
      var fix = Samples.position(1, 11, .fix3D)
      fix.device = name
      let satellites = (1...count).map { Satellite(prn: $0, gnssID: 0, svID: $0) }
      presenter.present(
        .event(.sky(SkyView(device: name, satellites: satellites))), of: 0, at: moment(1000))
      presenter.present(.state(.fix3D, of: name), of: 0, at: moment(1000))
      presenter.present(.fix(fix), of: 0, at: moment(1000))
    }
    _ = pipe.readAll()
    try presenter.finish(waitsForReader: true)
    let lines = String(decoding: pipe.readAll(), as: UTF8.self).split(separator: "\n")
      .drop { $0.hasPrefix("- ") }
    let first = ["sat"] + Array(repeating: "seen", count: 15)
    let words = lines.map { line in String(line.drop { $0 == " " }.prefix { $0 != " " }) }
    #expect(words == first + ["fix-3d"] + Array(first.prefix(5)) + ["fix-3d"])
  }

  @Test mutating func `are redrawn after 10,000 updates without a pause`() throws {
    for number in 1..<10_000 { present(1, at: number) }
    #expect(!presenter.status.isWorthFlushing)
    present(1, at: 10_000)
    #expect(presenter.status.isWorthFlushing)
    _ = try drawn(at: 20_000)
    #expect(!presenter.status.isWorthFlushing && !presenter.status.hasPending)
  }

  @Test(arguments: [
    (EventChoice.all, true, true), (.fixesOnly, false, true), (.transitionsOnly, true, false),
  ])
  func `are below the transitions, if both are requested`(
    events: EventChoice, scrolls: Bool, draws: Bool
  ) throws {
    var presenter = Self.presenter(on: pipe, showsSatellites: false, events: events)
    presenter.present(.state(.searching, of: Samples.device), of: 0, at: moment(1000))
    presenter.present(.state(.fix3D, of: Samples.device), of: 0, at: moment(1000))
    presenter.present(.fix(Samples.position(1, 11, .fix3D)), of: 0, at: moment(1000))
    try presenter.flush(at: moment(1000))
    let text = String(decoding: pipe.readAll(), as: UTF8.self)
    #expect(text.contains("searching") == scrolls && text.contains("1.000000") == draws)
    #expect(!presenter.status.hasPending)
  }

  @Test mutating func `know the state even if a stopped terminal has no room for the transition`()
    throws
  {
    for _ in 0..<60_000 {
      presenter.present(.state(.searching, of: Samples.device), of: 0, at: moment(1000))
    }
    let lost = LocationUpdate.state(.lost, of: Samples.device)
    #expect(presenter.hasRoom(for: lost, of: 0))
    presenter.present(lost, of: 0, at: moment(1000))
    var text = ""
    var milliseconds = 1000
    while text.isEmpty || presenter.status.hasPending, milliseconds < 100_000 {
      milliseconds += 100
      text += try drawn(at: milliseconds)
    }
    text += String(decoding: pipe.readAll(), as: UTF8.self)
    let lines = text.split(separator: "\n")
    #expect(presenter.unwrittenRecords > 10_000)
    #expect(lines.count > 30_000 && lines.count < 60_000)
    #expect(lines.last?.contains("lost") == true)
  }

  /// A pipe has 24 lines.
  @Test(arguments: [(22, 22), (23, 21), (30, 21)])
  func `are for receivers with a position first, if there is no room for all`(
    receivers: Int, shown: Int
  ) throws {
    var presenter = Self.presenter(on: pipe, showsSatellites: false, events: .fixesOnly)
    for number in 1..<receivers {
      presenter.present(.state(.searching, of: "/dev/\(number)"), of: 0, at: moment(1000))
    }
    presenter.present(.state(.fix3D, of: "/dev/last"), of: 0, at: moment(1000))
    try presenter.finish(waitsForReader: true)
    let lines = String(decoding: pipe.readAll(), as: UTF8.self).split(separator: "\n")
    let rest = receivers - shown
    #expect(lines.count == shown + (rest > 0 ? 1 : 0))
    #expect(lines.firstIndex { $0.hasPrefix("fix-3d") } == (rest > 0 ? 0 : receivers - 1))
    #expect(lines.count { $0.hasPrefix("searching") } == shown - 1)
    #expect((lines.last == "and \(rest) more") == (rest > 0))
  }
}
