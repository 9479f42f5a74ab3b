import GPSDLocation
import LocwatchTerminal

/// The presenter of a run's records, or its view.
struct RunDisplay {
  let presenter: any Presenter
  /// Shows the run; `nil` if it has no view.
  var view: View?
  /// Controls the replay; `nil` for none.
  var control: ReplayClock?

  /// Whether nothing that was read has been shown, because the replay is still on its way to an earlier moment.
  var isBehind: Bool { control?.isGoingBack == true }

  /// Returns whether the recording is read again, because the user wants to see an earlier moment.
  func goesBack(after result: RunResult) -> Bool {
    guard !Task.isCancelled, let control else { return false }
    return switch result {
    case .ended, .timedOut: control.needsPass
    case .done, .cancelled, .failed, .output: false
    }
  }

  /// Shows the end until the user leaves or goes back.
  func waitForUser(after result: RunResult) async {
    if case .ended = result { await view?.waitForUser() }
  }
}
