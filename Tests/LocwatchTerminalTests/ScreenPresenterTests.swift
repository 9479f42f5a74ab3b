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
    presenter = Self.presenter(on: pipe)
  }

  private static func presenter(on pipe: PipeEnds, events: EventChoice = .all) -> ScreenPresenter {
    let style = TerminalStyle()
    return ScreenPresenter(
      on: LiveLines(pipe.descriptor, style: style, isReplay: false), style: style,
      LinesPlan(events: events, showsSatellites: false, tick: .seconds(1)))
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

  @Test mutating func `are redrawn after 10,000 updates without a pause`() throws {
    for number in 1..<10_000 { present(1, at: number) }
    #expect(!presenter.status.isWorthFlushing)
    present(1, at: 10_000)
    #expect(presenter.status.isWorthFlushing)
    _ = try drawn(at: 20_000)
    #expect(!presenter.status.isWorthFlushing && !presenter.status.hasPending)
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
    var presenter = Self.presenter(on: pipe, events: .fixesOnly)
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
