import EventLoop
import Glibc
import LocationCore
import LocationTestKit
import Synchronization
import Testing

@testable import GPSDLocation
@testable import LocwatchSystem
@testable import LocwatchTerminal

/// The view of a recording: keys, what controls the replay, and what is drawn.
@Suite struct ReplayViewTests {
  private let clock = ManualClock()
  private let screen: ScriptedScreen
  private let control: ReplayClock
  private let view: View

  init() throws {
    screen = try ScriptedScreen()
    control = ReplayClock(
      speed: .times(2), isControlled: true, realClock: clock.locationClock)
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
  private func pass(_ seconds: Double) { #expect(move(seconds) == .advance) }

  /// Reads the next lines, which are due later.
  private func waits(forLinesAt seconds: Double) { #expect(move(seconds) != .advance) }

  private func move(_ seconds: Double) -> Playback.Step {
    let moment = Self.moment(seconds)
    return control.move(to: moment, before: moment, Listener(at: LocationClock.live.semaphore))
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

  @Test func `During a search, the picture stays, and shows the time that is sought`() {
    view.begin()
    pass(0)
    record(.searching, at: 0)
    var rows = press("\u{1b}[C")
    #expect(rows[0].contains("07:07:10 UTC") && rows[0].contains("seeking"))
    record(.lost, at: 5)
    pass(5)
    rows = redrawn()
    #expect(rows.joined().contains("searching for 0.0 s") && !rows.joined().contains("lost"))
    // The next lines are later.
    waits(forLinesAt: 20)
    rows = redrawn()
    #expect(rows[0].contains("07:07:10 UTC") && !rows[0].contains("seeking"))
    #expect(rows.joined().contains("lost for 5.0 s"))
  }

  @Test func `The moment that was sought is drawn at once`() throws {
    view.begin()
    pass(0)
    _ = press("\u{1b}[C")
    #expect(try #require(view.drawIfDue()) > clock.locationClock.now)
    waits(forLinesAt: 20)
    _ = screen.takeText()
    _ = view.drawIfDue()
    #expect(screen.takeText() != "")
  }

  @Test func `Control Z pauses the replay until it continues, and no longer`() {
    view.begin()
    pass(0)
    _ = view.drawIfDue()
    view.handle(SIGTSTP)
    #expect(screen.takeCalls().contains(.stop) && !control.status.isPaused)
    control.handle(.pause)
    view.handle(SIGTSTP)
    #expect(control.status.isPaused)
  }

  @Test(arguments: [false, true])
  func `Nothing is due while Control Z has stopped the replay`(isPaused: Bool) {
    view.begin()
    pass(0)
    waits(forLinesAt: 30)
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
  }
}
