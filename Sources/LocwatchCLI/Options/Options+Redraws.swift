import LocationFormats

extension Options {
  /// Whether text on a terminal is shown as live lines. With `--count` or a replay at full speed,
  /// records are written instead, because they are read afterwards.
  var redraws: Bool {
    guard format == .text, count == nil else { return false }
    return !isReplay || speed != .max
  }

  /// The time after which the lines are redrawn without an update, by the source's clock.
  var redrawInterval: Duration {
    guard isReplay, case .times(let speed) = speed else { return .seconds(1) }
    return .seconds(1) * max(1, speed)
  }
}
