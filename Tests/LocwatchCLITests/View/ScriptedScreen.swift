import LocationFormats
import Synchronization

@testable import LocwatchCLI

/// A terminal for tests of a view: a pipe, and whatever the test says of it.
final class ScriptedScreen: ViewScreen {
  enum Call: Equatable { case show, hide, forget, stop }

  private struct State {
    var size = (columns: 80, rows: 24)
    var isInForeground = true
    /// What is read next; `nil` is the end of the keyboard.
    var keys: [String?] = []
    var calls: [Call] = []
  }

  let pipe: PipeEnds
  let keyboard: CInt? = 0
  private let state = Mutex(State())

  init() throws { pipe = try PipeEnds() }

  var terminal: Descriptor { pipe.descriptor }
  var size: (columns: Int, rows: Int) {
    get { state.withLock(\.size) }
    set { state.withLock { $0.size = newValue } }
  }
  var isInForeground: Bool {
    get { state.withLock(\.isInForeground) }
    set { state.withLock { $0.isInForeground = newValue } }
  }

  /// What the view did with the terminal since the last look.
  func takeCalls() -> [Call] {
    state.withLock { state in
      defer { state.calls = [] }
      return state.calls
    }
  }

  /// What was written since the last look.
  func takeText() -> String { String(decoding: pipe.readAll(), as: UTF8.self) }

  func press(_ keys: String?) { state.withLock { $0.keys.append(keys) } }

  func show(_ output: inout TextBuffer) {
    note(.show)
    output.append(text: FullScreen.entering)
  }

  func hide() { note(.hide) }
  func forget() { note(.forget) }
  func stop() { note(.stop) }

  func readKeys() -> [UInt8]? {
    state.withLock { $0.keys.isEmpty ? [] : $0.keys.removeFirst().map { Array($0.utf8) } }
  }

  private func note(_ call: Call) { state.withLock { $0.calls.append(call) } }
}
