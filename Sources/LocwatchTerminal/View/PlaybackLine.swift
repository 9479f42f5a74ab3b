import GPSDLocation
import LocationCore
import LocationText

/// The description of the replay in a view.
struct PlaybackLine: Sendable {
  let status: Playback.Status

  /// `REPLAY`, the time of the recording, the speed, and the mode if it is seeking or paused.
  ///
  /// - Parameter isShort: Whether the time has no date.
  func parts(isShort: Bool) -> [String] {
    let mode: String? = status.isSeeking ? "seeking" : status.isPaused ? "paused" : nil
    return ["REPLAY", time(isShort: isShort), speed, mode].compactMap(\.self)
  }

  /// The time of day, or the time since the beginning if the recording has no times of day.
  private func time(isShort: Bool) -> String {
    var text = TextBuffer()
    guard let wall = status.moment.wall else {
      let seconds = max(0, status.moment.uptimeNanoseconds / 1_000_000_000)
      text.append(integer: Int(clamping: seconds / 3600))
      text.append(text: ":")
      text.append(integer: Int(seconds / 60 % 60), digits: 2)
      text.append(text: ":")
      text.append(integer: Int(seconds % 60), digits: 2)
      return text.string
    }
    text.append(milliseconds: wall)
    let whole = text.string
    let clock = whole.dropFirst(11).prefix(8)
    return isShort ? String(clock) : "\(whole.prefix(10)) \(clock) UTC"
  }

  private var speed: String {
    switch status.speed {
    case .maximum: return "max"
    case .times(0.25): return "x1/4"
    case .times(0.5): return "x1/2"
    case .times(let factor):
      var text = TextBuffer()
      text.append(text: "x")
      text.append(number: factor)
      return text.string.hasSuffix(".0") ? String(text.string.dropLast(2)) : text.string
    }
  }

  /// The message at the bottom; `nil` if there is none.
  var notice: String? {
    switch status.notice {
    case .skipped(let duration):
      var text = TextBuffer()
      text.append(text: "Skipped ")
      text.append(elapsed: duration.inSeconds)
      text.append(text: " in which nothing was recorded")
      return text.string
    case .cannotGoBack(let name): return "Cannot go back: \(name) can be read only once"
    case .goingBack(let part): return "Going back to \(time(isShort: false)): \(Int(100 * part)) %"
    case nil: return nil
    }
  }

  /// The message at the end of the recording.
  var end: String {
    status.canGoBack ? "End of the recording: Left goes back, q quits" : Self.end
  }

  /// The message at the end of a recording that cannot be controlled.
  static let end = "End of the recording: q quits"
}
