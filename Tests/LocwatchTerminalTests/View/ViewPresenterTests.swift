import EventLoop
import Glibc
import LocationCore
import LocationTestKit
import Testing

@testable import LocwatchSystem
@testable import LocwatchTerminal

@Suite struct ViewPresenterTests {
  private let clock = ManualClock()
  private let screen: ScriptedScreen
  private let view: View

  init() throws {
    screen = try ScriptedScreen()
    view = View(
      on: screen, style: TerminalStyle(), colors: .none,
      loop: try #require(EventLoop.shared), clock: clock.locationClock, quit: {})
  }

  private var now: Moment { clock.locationClock.now }

  @Test func `The first flush begins the view, and later ones have nothing to do`() throws {
    var presenter = ViewPresenter(view: view)
    presenter.begin(at: now)
    presenter.present(.state(StateChange(.searching, of: .receiver("/a"), at: now)), of: 0, at: now)
    #expect(presenter.status.hasPending && presenter.status.isWorthFlushing && !view.isBegun)
    try presenter.flush(at: now)
    #expect(!presenter.status.hasPending && !presenter.status.isWorthFlushing && view.isBegun)
    _ = view.drawIfDue()
    #expect(screen.takeText().contains("searching"))
  }

  @Test func `A view has room for all updates, ticks by itself and shows what it waits for`() {
    let presenter = ViewPresenter(view: view)
    #expect(presenter.hasRoom(for: .fix(Samples.fix), of: 0))
    #expect(presenter.status.nextTick == nil && presenter.showsWaiting)
  }

  @Test func `The end of an input also begins the view`() throws {
    var presenter = ViewPresenter(view: view)
    try presenter.finish(waitsForReader: false)
    #expect(view.isBegun)
  }

  @Test func `A terminal that is gone is an error of the next flush`() throws {
    var presenter = ViewPresenter(view: view)
    try presenter.flush(at: now)
    screen.pipe.closeReader()
    _ = view.drawIfDue()
    #expect(presenter.status.hasPending && presenter.status.isWorthFlushing)
    #expect(throws: OutputError.closed) { try presenter.flush(at: now) }
    #expect(throws: OutputError.closed) { try presenter.finish(waitsForReader: true) }
  }
}
