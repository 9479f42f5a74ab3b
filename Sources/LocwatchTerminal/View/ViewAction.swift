package import GPSDLocation

/// The action of a key in a view.
package enum ViewAction: Equatable, Sendable {
  case quit
  case showKeys
  /// Freezes the picture of a live view, or resumes it.
  case freeze
  /// Controls a replay.
  case control(Playback.Command)
  case choose(ViewModel.Place)
  case repaint

  private static let step = Duration.seconds(10)
  private static let largeStep = Duration.seconds(600)

  /// Creates the action of a key; `nil` if the key has none.
  ///
  /// - Parameter isReplay: Whether the view shows a recording.
  package init?(_ key: ViewKey, isReplay: Bool) {
    let action: ViewAction? =
      switch key {
      case .quit: .quit
      case .help: .showKeys
      case .repaint: .repaint
      case .number(let number): .choose(.number(number))
      case .tab, .down: .choose(.next(1))
      case .shiftTab, .up: .choose(.next(-1))
      case .right where !isReplay: .choose(.next(1))
      case .left where !isReplay: .choose(.next(-1))
      case .pause where !isReplay: .freeze
      case .pause: .control(.pause)
      case .right: .control(.skip(Self.step))
      case .left: .control(.skip(.zero - Self.step))
      case .shiftRight, .pageDown: .control(.skip(Self.largeStep))
      case .shiftLeft, .pageUp: .control(.skip(.zero - Self.largeStep))
      case .plus: .control(.speedUp)
      case .minus: .control(.slowDown)
      case .next: .control(.findTransition)
      case .unknown: nil
      }
    guard let action else { return nil }
    if case .control = action, !isReplay { return nil }
    self = action
  }
}
