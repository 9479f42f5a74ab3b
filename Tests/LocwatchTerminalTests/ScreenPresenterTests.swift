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
    let style = TerminalStyle()
    presenter = ScreenPresenter(
      on: LiveLines(pipe.descriptor, style: style, isReplay: false), style: style,
      LinesPlan(events: .all, showsSatellites: false, tick: .seconds(1)))
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
}
