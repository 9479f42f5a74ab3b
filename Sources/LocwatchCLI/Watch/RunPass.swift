import GPSDLocation

/// One pass of a run. A replay that a person controls in a view has several: to go back, the recording is
/// read again.
struct RunPass {
  let presenter: any Presenter
  /// Shows the run; `nil` if it has no view.
  var view: View?
  /// Controls the replay; `nil` if nobody does.
  var control: PlaybackControl?
  var isFirst = true

  /// Whether nobody has seen what the pass has read, because it has not come to the moment for which it began.
  var isUnseen: Bool { control?.isGoingBack == true }

  /// Returns whether the run goes on with another pass.
  func isFollowed(after ending: Ending) -> Bool {
    guard !Task.isCancelled, let control else { return false }
    return switch ending {
    case .ended, .timedOut: control.needsPass
    case .done, .cancelled, .failed, .output: false
    }
  }

  /// Lets the user look at the end, and then leaves the view unless another pass follows.
  func end(with ending: Ending) async {
    guard let view, !isFollowed(after: ending) else { return }
    if case .ended = ending { await view.waitForUser() }
    if !isFollowed(after: ending) { view.end() }
  }
}
