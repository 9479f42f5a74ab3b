import GPSDLocation
import LocwatchTerminal

/// What shows the records of a run, or its view.
struct RunDisplay {
  let presenter: any Presenter
  /// Shows the run; `nil` if it has no view.
  var view: View?
  /// Controls the replay; `nil` for none.
  var control: PlaybackControl?

  /// Whether the user has not seen what was read, because the replay is still on its way to an earlier moment.
  var isBehind: Bool { control?.isGoingBack == true }

  /// Returns whether the recording is read again, because its user wants to see an earlier moment.
  func goesBack(after ending: Ending) -> Bool {
    guard !Task.isCancelled, let control else { return false }
    return switch ending {
    case .ended, .timedOut: control.needsPass
    case .done, .cancelled, .failed, .output: false
    }
  }

  /// Lets the user look at the end, until he leaves or goes back.
  func waitForUser(after ending: Ending) async {
    if case .ended = ending { await view?.waitForUser() }
  }
}
