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

  @Test func `Nothing is drawn before the beginning`() {
    record(.searching)
    #expect(view.drawIfDue() == nil)
    #expect(!view.isBegun)
    #expect(screen.takeText() == "" && screen.takeCalls() == [])
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

  @Test func `A change is drawn a quarter of a second after the last frame`() throws {
    view.begin()
    _ = view.drawIfDue()
    _ = screen.takeText()
    clock.jump(by: .milliseconds(100))
    record(.searching)
    #expect(try millisecondsToNextFrame() == 150)
    #expect(screen.takeText() == "")
    clock.jump(by: .milliseconds(150))
    #expect(try millisecondsToNextFrame() == 1000)
    #expect(screen.takeText().words.contains("searching for 0.2 s"))
    #expect(screen.takeCalls() == [.show])
  }

  @Test func `Without a change, times are updated once a second, and only they are written`() throws
  {
    record(.searching)
    view.begin()
    _ = view.drawIfDue()
    _ = screen.takeText()
    clock.jump(by: .milliseconds(999))
    #expect(try millisecondsToNextFrame() == 1)
    #expect(screen.takeText() == "")
    clock.jump(by: .milliseconds(1))
    #expect(try millisecondsToNextFrame() == 1000)
    let text = screen.takeText()
    #expect(text.hasSuffix("H1") && !text.contains("searching") && !text.contains("2J"))
  }

  @Test func `Times are counted in real time`() throws {
    record(.searching)
    clock.jump(by: .seconds(2))
    view.begin()
    _ = view.drawIfDue()
    #expect(screen.takeText().words.contains("searching for 2.0 s "))
  }

  @Test func `At the end of a recording the time stands still until a key`() async throws {
    record(.searching)
    view.begin()
    _ = view.drawIfDue()
    let lingering = Task { [view] in await view.waitForUser() }
    #expect(await comes { (try? millisecondsToNextFrame()) == 250 })
    clock.jump(by: .seconds(60))
    _ = screen.takeText()
    screen.press("\u{c}")
    #expect(view.takeKeys())
    _ = view.drawIfDue()
    let text = screen.takeText()
    #expect(
      text.words.contains("searching for 0.0 s")
        && text.words.contains("End of the recording: q quits"))
    lingering.cancel()
    await lingering.value
  }

  @Test func `The end is not held if nothing was drawn`() async {
    await view.waitForUser()
    #expect(view.drawIfDue() == nil)
  }

  // MARK: Keys

  @Test func `The key q ends the run and draws nothing`() throws {
    view.begin()
    _ = view.drawIfDue()
    _ = screen.takeText()
    screen.press("q")
    #expect(!view.hasQuit)
    #expect(view.takeKeys())
    #expect(view.hasQuit && quits.value == 1)
    #expect(try millisecondsToNextFrame() == 1000)
    #expect(screen.takeText() == "")
  }

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

  @Test func `A key is answered at once`() throws {
    record(.searching)
    record(.lost, of: "/dev/ttyUSB1")
    view.begin()
    _ = view.drawIfDue()
    _ = screen.takeText()
    for (keys, name) in [
      ("2", "/dev/ttyUSB1"), ("\t", "/dev/ttyACM0"), ("\u{1b}[D", "/dev/ttyUSB1"),
    ] {
      screen.press(keys)
      #expect(view.takeKeys())
      screen.press("\u{c}")
      #expect(view.takeKeys())
      _ = view.drawIfDue()
      let text = screen.takeText()
      #expect(text.contains("locwatch") && text.contains(name), "\(name)")
      #expect(text.hasPrefix(Self.clearing))
    }
    #expect(quits.value == 0)
  }

  @Test func `A question mark lists the keys, and any key closes the list and does no more`() throws
  {
    record(.searching)
    view.begin()
    _ = view.drawIfDue()
    for key in ["q", "x", "\u{1b}[C", "?"] {
      _ = screen.takeText()
      screen.press("?")
      #expect(view.takeKeys())
      _ = view.drawIfDue()
      #expect(screen.takeText().words.contains("freeze the picture"))
      screen.press(key + "\u{c}")
      #expect(view.takeKeys())
      _ = view.drawIfDue()
      let text = screen.takeText()
      #expect(text.hasPrefix(Self.clearing) && !text.contains("freeze") && quits.value == 0)
    }
    // A key that does nothing draws nothing.
    screen.press("x")
    #expect(view.takeKeys())
    #expect(try millisecondsToNextFrame() == 1000)
  }

  @Test(arguments: ["p", " "])
  func `A picture that is frozen stays, while locwatch runs and messages come`(
    key: String
  ) throws {
    record(.searching)
    view.begin()
    _ = view.drawIfDue()
    clock.jump(by: .seconds(1))
    screen.press(key)
    #expect(view.takeKeys())
    _ = view.drawIfDue()
    clock.jump(by: .seconds(5))
    record(.lost)
    #expect(view.show("advice"))
    screen.press("\u{c}")
    #expect(view.takeKeys())
    _ = screen.takeText()
    _ = view.drawIfDue()
    let text = screen.takeText().words
    #expect(text.contains("FROZEN") && text.contains("searching for 1.0 s"))
    #expect(!text.contains("lost") && text.contains("advice"))
    screen.press(key)
    #expect(view.takeKeys())
    _ = view.drawIfDue()
    let after = screen.takeText().words
    #expect(after.contains("lost") && after.contains("locwatch"))
  }

  @Test func `A receiver that is chosen in a frozen picture stays chosen`() throws {
    record(.searching)
    record(.searching, of: "/dev/ttyUSB1")
    view.begin()
    _ = view.drawIfDue()
    screen.press("p\t\u{c}")
    #expect(view.takeKeys())
    _ = screen.takeText()
    _ = view.drawIfDue()
    let frozen = screen.takeText()
    #expect(frozen.contains("FROZEN") && frozen.contains("/dev/ttyUSB1"))
    screen.press("p\u{c}")
    #expect(view.takeKeys())
    _ = view.drawIfDue()
    let text = screen.takeText()
    #expect(text.contains("locwatch") && text.contains("/dev/ttyUSB1"))
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

  @Test func `A message is drawn within a quarter of a second`() throws {
    view.begin()
    _ = view.drawIfDue()
    #expect(view.show("advice"))
    #expect(try millisecondsToNextFrame() == 250)
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
