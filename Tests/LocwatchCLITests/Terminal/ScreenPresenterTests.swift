import GPSDLocation
import LocationCore
import LocationFormats
import Testing

@testable import LocwatchCLI
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

  @Test mutating func `are redrawn 50 ms later at the earliest`() throws {
    presenter.present(.state(.fix3D, of: Samples.device), of: 0, at: moment(1000))
    present(1, at: 1000)
    #expect(try drawn(at: 1000).contains("1.000000"))
    present(2, at: 1010)
    #expect(try drawn(at: 1049) == "")
    #expect(presenter.status.hasPending)
    #expect(try drawn(at: 1050).contains("2.000000"))
    #expect(!presenter.status.hasPending)
    // The end waits for nothing.
    present(3, at: 1060)
    try presenter.finish(waitsForReader: true)
    #expect(String(decoding: pipe.readAll(), as: UTF8.self).contains("3.000000"))
  }
}
