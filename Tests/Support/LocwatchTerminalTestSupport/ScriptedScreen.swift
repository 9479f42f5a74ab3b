import Glibc
package import LocationText
package import LocwatchSystem
import LocwatchTerminal
package import LocwatchTestSupport
package import Synchronization

/// A terminal for tests of a view: a pipe, and whatever the test says of it.
package final class ScriptedScreen: ViewScreen {
  package enum Call: Equatable { case show, hide, forget, stop }

  private struct State {
    var size = (columns: 80, rows: 24)
    var isInForeground = true
    /// What is read next; `nil` is the end of the keyboard.
    var keys: [String?] = []
    var calls: [Call] = []
  }

  package let pipe: PipeEnds
  package let keyboard: CInt?
  /// Where keys are typed; `nil` if they are scripted.
  private let typist: CInt?
  private let state = Mutex(State())
  /// What happens while the process is stopped.
  package let whileStopped = Mutex<(@Sendable () -> Void)?>(nil)

  /// - Parameter keyboard: What stands for a descriptor of the keyboard.
  package init(keyboard: CInt? = 0) throws {
    pipe = try PipeEnds()
    self.keyboard = keyboard
    typist = nil
  }

  /// Creates a screen whose keyboard is a pipe.
  package init(typed: Void) throws {
    pipe = try PipeEnds()
    var ends: [CInt] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { throw OutputError.closed }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    (keyboard, typist) = (ends[0], ends[1])
  }

  deinit {
    guard let keyboard, let typist else { return }
    close(keyboard)
    close(typist)
  }

  package var terminal: Descriptor { pipe.descriptor }
  package var size: (columns: Int, rows: Int) {
    get { state.withLock(\.size) }
    set { state.withLock { $0.size = newValue } }
  }
  package var isInForeground: Bool {
    get { state.withLock(\.isInForeground) }
    set { state.withLock { $0.isInForeground = newValue } }
  }

  /// What the view did with the terminal since the last look.
  package func takeCalls() -> [Call] {
    state.withLock { state in
      defer { state.calls = [] }
      return state.calls
    }
  }

  /// What was written since the last look.
  package func takeText() -> String { String(decoding: pipe.readAll(), as: UTF8.self) }

  package func press(_ keys: String?) { state.withLock { $0.keys.append(keys) } }

  /// Types on a keyboard that is a pipe.
  package func type(_ keys: String) {
    if let typist { _ = write(typist, keys, keys.utf8.count) }
  }

  package func show(_ output: inout TextBuffer) {
    record(.show)
    output.append(text: FullScreen.entering)
  }

  package func hide() { record(.hide) }
  package func forget() { record(.forget) }
  package func stop() {
    record(.stop)
    whileStopped.withLock(\.self)?()
  }

  package func readKeys() -> [UInt8]? {
    guard let keyboard, typist != nil else {
      return state.withLock { $0.keys.isEmpty ? [] : $0.keys.removeFirst().map { Array($0.utf8) } }
    }
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = read(keyboard, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }

  private func record(_ call: Call) { state.withLock { $0.calls.append(call) } }
}
