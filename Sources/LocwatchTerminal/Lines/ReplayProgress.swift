import Dispatch
package import GPSDLocation
import LocationCore
import LocationText
package import LocwatchSystem
import Synchronization

/// Shows the progress of a replay on standard error, if the replay takes longer than a second,
/// standard error is a terminal, and the output goes elsewhere.
///
/// It runs on a separate queue, because a replay at full speed never suspends.
package final class ReplayProgress: Sendable {
  private static let first = DispatchTimeInterval.seconds(1)
  private static let interval = DispatchTimeInterval.milliseconds(250)

  private let session: Replay
  private let terminal = Descriptor.standardError
  private let line: TransientLine
  private let start = LocationClock.live.now
  private let queue = DispatchQueue(label: "progress")
  private let isOver = Mutex(false)

  /// Returns `nil` if the progress cannot be shown.
  ///
  /// - Parameter writesToFile: Whether the output is a file, and not stdout.
  package init?(of session: Replay, writesToFile: Bool, _ environment: Environment) {
    guard terminal.kind == .terminal, terminal.isInForeground,
      writesToFile || Descriptor.standardOutput.kind != .terminal,
      environment["TERM", default: "dumb"] != "dumb"
    else { return nil }
    self.session = session
    line = TransientLine(on: terminal)
    look(after: Self.first)
  }

  /// Clears the line. Nothing is shown after this call.
  package func end() {
    isOver.withLock { isOver in
      isOver = true
      line.clear()
    }
  }

  private func look(after delay: DispatchTimeInterval) {
    queue.asyncAfter(deadline: .now() + delay) { @Sendable [weak self] in
      guard let self, show() else { return }
      look(after: Self.interval)
    }
  }

  /// Shows the progress. Returns `false` if the replay is over.
  private func show() -> Bool {
    let status = ReplayStatus(
      said: session.bytesSaid, size: session.size,
      elapsed: start.duration(to: LocationClock.live.now))
    return isOver.withLock { isOver in
      // A pager that reads the output may have taken over the terminal.
      if !isOver, terminal.isInLineMode { line.show(status.message) }
      return !isOver
    }
  }
}

/// The progress of a replay.
struct ReplayStatus: Equatable {
  /// The number of bytes of the recording that have been replayed.
  var said: Int
  /// The size of the recording in bytes; `nil` if it is unknown.
  var size: Int?
  var elapsed: Duration

  /// `41.2 of 72.7 MB, 57 %, 38.4 MB/s, 1 s left`
  var message: String {
    let rate = Double(said) / max(elapsed.inSeconds, 1e-3)
    guard let size, size > 0 else { return "\(Self.bytes(said)), \(Self.bytes(Int(rate)))/s" }
    let unit = Self.unit(of: size)
    var parts = [
      "\(Self.number(said, of: unit)) of \(Self.number(size, of: unit)) \(unit.name)",
      "\(min(100, 100 * said / size)) %",
      "\(Self.bytes(Int(rate)))/s",
    ]
    if said > 0, said < size {
      parts.append("\(Self.time(seconds: Double(size - said) / rate)) left")
    }
    return parts.joined(separator: ", ")
  }

  private typealias Unit = (bytes: Double, name: String)

  private static func unit(of bytes: Int) -> Unit {
    switch bytes {
    case ..<1_000_000: (1e3, "kB")
    case ..<1_000_000_000: (1e6, "MB")
    default: (1e9, "GB")
    }
  }

  private static func number(_ bytes: Int, of unit: Unit) -> String {
    Text.rounded(Double(bytes) / unit.bytes, places: 1)
  }

  private static func bytes(_ bytes: Int) -> String {
    let unit = unit(of: bytes)
    return "\(number(bytes, of: unit)) \(unit.name)"
  }

  /// Returns a rounded duration, because it is an estimate.
  private static func time(seconds: Double) -> String {
    switch seconds {
    case ..<120: "\(Int(seconds.rounded(.up))) s"
    case ..<7200: "\(Int((seconds / 60).rounded(.up))) min"
    default: "\(Int((min(seconds, 1e9) / 3600).rounded(.up))) h"
    }
  }
}
