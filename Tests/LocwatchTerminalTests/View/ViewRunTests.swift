import EventLoop
import Glibc
import LocationCore
import LocationTestKit
import Synchronization
import Testing

@testable import LocwatchSystem
@testable import LocwatchTerminal

/// A view on an event loop. Its clock is so far ahead of that of the loop that no wait ends by itself:
/// what is drawn follows from a signal.
@Suite(.timeLimit(.minutes(5))) struct ViewRunTests {
  private let clock = ManualClock()
  private let loop: EventLoop
  private let screen: ScriptedScreen
  private let view: View
  private let quits = Quits()

  private final class Quits: Sendable {
    private let number = Mutex(0)
    var value: Int { number.withLock(\.self) }
    func add() { number.withLock { $0 += 1 } }
  }

  init() throws {
    clock.jump(by: LocationClock.live.now.uptime + .seconds(36_000))
    loop = try #require(EventLoop.shared)
    screen = try ScriptedScreen(typed: ())
    view = View(
      on: screen, style: TerminalStyle(), colors: .none, loop: loop, clock: clock.locationClock
    ) { [quits] in quits.add() }
  }

  private func record(_ state: LocationState, of device: String = "/dev/one") {
    let now = clock.locationClock.now
    view.record(.state(StateChange(state, of: .receiver(device), at: now)), of: 0, at: now)
  }

  /// Runs the view meanwhile.
  private func whileRunning(_ body: () async throws -> Void) async rethrows {
    let run = Task { [view] in await view.run() }
    try await body()
    run.cancel()
    await run.value
    withExtendedLifetime(screen) {}
  }

  /// Waits until a text is on the screen.
  private func waitForText(_ text: String) async {
    var written = ""
    let isShown = await comes {
      written += screen.takeText()
      return written.contains(text)
    }
    #expect(isShown)
  }

  /// Lets the tasks on the loop reach their waits.
  private func settle() async {
    for _ in 0..<20 { await Task(executorPreference: loop) {}.value }
  }

  @Test func `The first frame is drawn at the beginning, and not before`() async {
    await whileRunning {
      record(.searching)
      await settle()
      #expect(screen.takeText() == "")
      view.begin()
      await waitForText("searching")
    }
    #expect(screen.takeCalls() == [.show])
  }

  @Test func `A change and a message are drawn without a wait for the next second`() async {
    await whileRunning {
      view.begin()
      await waitForText("locwatch")
      await settle()
      clock.jump(by: .milliseconds(250))
      record(.searching)
      await waitForText("searching")
      await settle()
      clock.jump(by: .milliseconds(250))
      #expect(view.show("advice"))
      await waitForText("advice")
    }
  }

  @Test func `Keys are read once there is a screen, and followed at once`() async {
    await whileRunning {
      screen.type("qq")
      await settle()
      #expect(quits.value == 0)
      record(.searching)
      record(.searching, of: "/dev/two")
      view.begin()
      await waitForText("/dev/one")
      #expect(await comes { quits.value == 2 })
      screen.type("2")
      await waitForText("two")
      screen.type("\t")
      await waitForText("one")
    }
    #expect(quits.value == 2 && view.hasQuit)
  }

  @Test func `The end is not held without a keyboard, or once the terminal is gone`() async throws {
    let mute = View(
      on: try ScriptedScreen(keyboard: nil), style: TerminalStyle(), colors: .none,
      loop: loop, clock: clock.locationClock, quit: {})
    mute.begin()
    await mute.waitForUser()
    screen.pipe.closeReader()
    view.begin()
    _ = view.drawIfDue()
    #expect(view.failure == .closed)
    await view.waitForUser()
  }
}
