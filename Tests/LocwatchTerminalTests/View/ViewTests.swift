import EventLoop
import Glibc
import LocationCore
import LocationTestKit
import Synchronization
import Testing

@testable import LocwatchSystem
@testable import LocwatchTerminal

/// A view on a terminal of the test's own, by a clock of the test's own.
/// Fault 63.
@Suite struct ViewTests {
  private static let clearing = "\u{1b}[0m\u{1b}[2J"
  private static let start = FullScreen.entering + clearing

  private let clock = ManualClock()
  private let screen: ScriptedScreen
  private let view: View
  /// How often the view asked for the end of the run.
  private let quits: Counter

  private final class Counter: Sendable {
    private let number = Mutex(0)
    var value: Int { number.withLock(\.self) }
    func add() { number.withLock { $0 += 1 } }
  }

  init() throws {
    let (screen, quits) = (try ScriptedScreen(), Counter())
    view = View(
      on: screen, style: TerminalStyle(), colors: .none,
      loop: try #require(EventLoop()), clock: clock.locationClock
    ) { quits.add() }
    (self.screen, self.quits) = (screen, quits)
  }

  private var now: Moment { clock.locationClock.now }

  /// The moment of the next frame, in milliseconds from now.
  private func millisecondsToNextFrame() throws -> Int {
    Int((now.duration(to: try #require(view.drawIfDue())) / .milliseconds(1)).rounded())
  }

  private func record(_ state: LocationState, of device: String? = Samples.device) {
    view.record(.state(StateChange(state, of: .receiver(device), at: now)), of: 0, at: now)
  }

  @Test func `The first frame shows the screen, clears it and is drawn at once`() throws {
    record(.searching)
    view.begin()
    #expect(view.isBegun)
    #expect(try millisecondsToNextFrame() == 1000)
    let text = screen.takeText()
    #expect(text.hasPrefix(Self.start) && text.words.contains("searching for 0.0 s"))
    #expect(screen.takeCalls() == [.show])
  }

  @Test func `The end is not held if nothing was drawn, without a keyboard, or without a terminal`()
    async throws
  {
    await view.waitForUser()
    #expect(view.drawIfDue() == nil)
    let mute = View(
      on: try ScriptedScreen(keyboard: nil), style: TerminalStyle(), colors: .none,
      loop: try #require(EventLoop()), clock: clock.locationClock, quit: {})
    mute.begin()
    await mute.waitForUser()
    screen.pipe.closeReader()
    view.begin()
    _ = view.drawIfDue()
    #expect(view.failure == .closed)
    await view.waitForUser()
  }

  // MARK: Keys

  @Test func `The key q quits at once, even after many other keys`() throws {
    record(.searching)
    view.begin()
    _ = view.drawIfDue()
    for _ in 0..<20 { screen.press(String(repeating: "\u{1b}[5~", count: 64)) }
    screen.press("q")
    #expect(view.takeKeys())
    #expect(view.hasQuit && quits.value == 1)
    // Keys without an end do not keep everything else waiting.
    for _ in 0..<100 { screen.press("x") }
    screen.press("q")
    #expect(view.takeKeys())
    #expect(quits.value == 1)
    #expect(view.takeKeys())
    #expect(quits.value == 2)
  }

  @Test func `The keyboard ends with its last key`() {
    screen.press(nil)
    #expect(!view.takeKeys())
    #expect(view.takeKeys())
  }

  @Test func `In the background the view reads no keys, and gives up the screen`() {
    view.begin()
    _ = view.drawIfDue()
    _ = screen.takeCalls()
    screen.isInForeground = false
    screen.press("q")
    #expect(view.takeKeys())
    #expect(!view.hasQuit && screen.takeCalls() == [.forget])
    clock.jump(by: .seconds(2))
    _ = screen.takeText()
    _ = view.drawIfDue()
    #expect(screen.takeText() == "" && screen.takeCalls() == [])
  }

  @Test func `After keys in the background, the next frame in the foreground is whole`() {
    record(.searching)
    view.begin()
    _ = view.drawIfDue()
    screen.isInForeground = false
    screen.press("q")
    #expect(view.takeKeys())
    _ = (screen.takeText(), screen.takeCalls())
    screen.isInForeground = true
    clock.jump(by: .seconds(1))
    _ = view.drawIfDue()
    let text = screen.takeText()
    #expect(text.hasPrefix(Self.start) && text.contains("searching"))
    #expect(screen.takeCalls() == [.show])
  }

  // MARK: Signals

  @Test func `A new size is drawn after the others, on a screen that is cleared`() throws {
    view.begin()
    _ = view.drawIfDue()
    _ = screen.takeText()
    screen.size = (40, 12)
    view.handle(SIGWINCH)
    #expect(try millisecondsToNextFrame() == 250)
    clock.jump(by: .milliseconds(250))
    _ = view.drawIfDue()
    #expect(screen.takeText().hasPrefix(Self.clearing))
    #expect(screen.takeCalls() == [.show])
  }

  @Test func `A screen that went back to its size is drawn whole`() {
    record(.searching)
    view.begin()
    _ = view.drawIfDue()
    _ = screen.takeText()
    view.handle(SIGWINCH)
    clock.jump(by: .milliseconds(250))
    _ = view.drawIfDue()
    let text = screen.takeText()
    #expect(text.hasPrefix(Self.clearing) && text.contains("searching"))
  }

  @Test func `Control Z restores the terminal, stops, and draws all again at once`() {
    record(.searching)
    view.begin()
    _ = view.drawIfDue()
    _ = (screen.takeText(), screen.takeCalls())
    view.handle(SIGTSTP)
    #expect(screen.takeCalls() == [.hide, .stop])
    _ = view.drawIfDue()
    let text = screen.takeText()
    #expect(text.hasPrefix(Self.start) && text.contains("searching"))
    #expect(screen.takeCalls() == [.show])
  }

  @Test func `After a stop from outside, the screen is left and shown again`() {
    view.begin()
    _ = view.drawIfDue()
    _ = (screen.takeText(), screen.takeCalls())
    view.handle(SIGCONT)
    #expect(screen.takeCalls() == [.hide])
    _ = view.drawIfDue()
    #expect(screen.takeText().hasPrefix(Self.start))
  }

  @Test func `A stop in the background forgets the screen without touching the terminal`() {
    view.begin()
    _ = view.drawIfDue()
    _ = (screen.takeText(), screen.takeCalls())
    screen.isInForeground = false
    view.handle(SIGCONT)
    #expect(screen.takeCalls() == [.forget])
    _ = view.drawIfDue()
    #expect(screen.takeText() == "" && screen.takeCalls() == [])
    screen.isInForeground = true
    view.handle(SIGCONT)
    #expect(screen.takeCalls() == [])
    _ = view.drawIfDue()
    #expect(screen.takeText().hasPrefix(Self.start) && screen.takeCalls() == [.show])
  }

  // MARK: Messages

  @Test func `Messages are shown between the first frame and the end`() {
    #expect(!view.show("early"))
    view.begin()
    record(.searching)
    #expect(view.show("advice"))
    _ = view.drawIfDue()
    let text = screen.takeText()
    #expect(text.contains("advice") && !text.contains("early"))
    view.end()
    #expect(!view.show("late"))
  }

  // MARK: The end, and terminals that are slow or gone

  @Test func `The end restores the terminal once, and nothing is drawn after it`() {
    view.begin()
    _ = view.drawIfDue()
    _ = (screen.takeText(), screen.takeCalls())
    view.end()
    #expect(screen.takeCalls() == [.hide])
    view.end()
    record(.searching)
    clock.jump(by: .seconds(5))
    #expect(view.drawIfDue() == nil)
    #expect(screen.takeText() == "" && screen.takeCalls() == [])
  }

  @Test func `The end of a view that was never shown leaves the terminal as it is`() {
    view.end()
    #expect(screen.takeCalls() == [])
  }

  @Test func `While the terminal is blocked, nothing is drawn, and then only the newest frame`()
    throws
  {
    let junk = [UInt8](repeating: 0x2e, count: 1 << 20)
    var count = 0
    while case .wrote(let written) = screen.terminal.writeNow(junk[...]) { count += written }
    record(.searching)
    view.begin()
    #expect(try millisecondsToNextFrame() == 250)
    for state in [LocationState.lost, .noDevice] {
      record(state)
      clock.jump(by: .milliseconds(250))
      #expect(try millisecondsToNextFrame() == 250)
    }
    let text = screen.takeText()
    #expect(text.utf8.count == count)
    clock.jump(by: .milliseconds(250))
    #expect(try millisecondsToNextFrame() == 1000)
    let first = screen.takeText()
    #expect(first.hasPrefix(Self.start) && first.contains("searching"))
    record(.noDevice)
    clock.jump(by: .milliseconds(250))
    _ = view.drawIfDue()
    let last = screen.takeText()
    #expect(last.contains("no-device") && !last.contains("2J"))
    #expect(screen.takeCalls() == [.show])
  }

  @Test func `A terminal that is gone ends the run`() throws {
    view.begin()
    _ = view.drawIfDue()
    screen.pipe.closeReader()
    #expect(view.failure == nil && quits.value == 0)
    record(.searching)
    clock.jump(by: .milliseconds(250))
    _ = view.drawIfDue()
    #expect(view.failure == .closed && quits.value == 1)
    record(.lost)
    clock.jump(by: .milliseconds(250))
    _ = view.drawIfDue()
    #expect(quits.value == 1)
  }
}

extension String {
  /// The words on a screen, without what moves the cursor and sets the style.
  fileprivate var words: String {
    replacing(/\u{1b}\[[0-9;]*H/, with: " ").replacing(/\u{1b}\[[?0-9;]*[A-Za-z]/, with: "")
  }
}
