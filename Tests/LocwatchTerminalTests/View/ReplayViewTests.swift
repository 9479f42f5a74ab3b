import EventLoop
import GPSDLocation
import Glibc
import LocationCore
import LocationTestKit
import Synchronization
import Testing

@testable import LocwatchSystem
@testable import LocwatchTerminal

/// The view of a recording: keys, what controls the replay, and what is drawn.
@Suite struct ReplayViewTests {
  private let clock = ManualClock()
  private let screen: ScriptedScreen
  private let control: PlaybackControl
  private let view: View

  init() throws {
    screen = try ScriptedScreen()
    control = PlaybackControl(speed: .times(2), clock: clock.locationClock)
    view = View(
      on: screen, style: TerminalStyle(), colors: .none, control: control,
      loop: try #require(EventLoop.shared), clock: clock.locationClock, quit: {})
    control.beginPass(at: Self.moment(0))
  }

  private static func moment(_ seconds: Double) -> Moment {
    Moment(uptime: .zero, wall: Samples.time(7, 0)).advanced(by: .seconds(seconds))
  }

  private func record(_ state: LocationState, at seconds: Double) {
    let moment = Self.moment(seconds)
    view.record(
      .state(StateChange(state, of: .receiver(Samples.device), at: moment)), of: 0, at: moment)
  }

  /// Has lines of a moment passed, which are due.
  private func pass(_ seconds: Double) async {
    #expect(await control.wait(for: Self.moment(seconds), before: Self.moment(seconds)))
  }

  /// Presses keys, and returns the whole screen after them.
  private func press(_ keys: String) -> [String] {
    screen.press(keys)
    #expect(view.takeKeys())
    return redrawn()
  }

  private func redrawn() -> [String] {
    screen.press("\u{c}")
    #expect(view.takeKeys())
    _ = screen.takeText()
    _ = view.drawIfDue()
    var drawn = DrawnScreen()
    drawn.follow(screen.takeText())
    return drawn.rows
  }

  @Test func `During a search, the picture stays, and shows the time that is sought`() async {
    view.begin()
    await pass(0)
    record(.searching, at: 0)
    var rows = press("\u{1b}[C")
    #expect(rows[0].contains("07:07:10 UTC") && rows[0].contains("seeking"))
    record(.lost, at: 5)
    await pass(5)
    rows = redrawn()
    #expect(rows.joined().contains("searching for 0.0 s") && !rows.joined().contains("lost"))
    // The next lines are later.
    let waiting = Task { await control.wait(for: Self.moment(20), before: Self.moment(20)) }
    await clock.waitForSleepers()
    rows = redrawn()
    #expect(rows[0].contains("07:07:10 UTC") && !rows[0].contains("seeking"))
    #expect(rows.joined().contains("lost for 5.0 s"))
    waiting.cancel()
    _ = await waiting.value
  }

  @Test func `The moment that was sought is drawn at once`() async throws {
    view.begin()
    await pass(0)
    _ = press("\u{1b}[C")
    #expect(try #require(view.drawIfDue()) > clock.locationClock.now)
    let waiting = Task { await control.wait(for: Self.moment(20), before: Self.moment(20)) }
    await clock.waitForSleepers()
    _ = screen.takeText()
    _ = view.drawIfDue()
    #expect(screen.takeText() != "")
    waiting.cancel()
    _ = await waiting.value
  }

  @Test func `Control Z pauses the replay until it continues, and no longer`() async {
    view.begin()
    await pass(0)
    _ = view.drawIfDue()
    view.handle(SIGTSTP)
    #expect(screen.takeCalls().contains(.stop) && !control.status.isPaused)
    control.handle(.pause)
    view.handle(SIGTSTP)
    #expect(control.status.isPaused)
  }

  @Test(arguments: [false, true])
  func `Nothing is due while Control Z has stopped the replay`(isPaused: Bool) async {
    view.begin()
    await pass(0)
    let waiting = Task { await control.wait(for: Self.moment(30), before: Self.moment(30)) }
    await clock.waitForSleepers()
    clock.jump(by: .seconds(2.5))
    if isPaused { control.handle(.pause) }
    screen.whileStopped.withLock {
      $0 = { [clock, control] in
        #expect(control.status.isPaused)
        clock.jump(by: .seconds(100))
      }
    }
    view.handle(SIGTSTP)
    #expect(control.status.isPaused == isPaused)
    #expect(redrawn()[0].contains("07:07:05 UTC"))
    waiting.cancel()
    _ = await waiting.value
  }
}
