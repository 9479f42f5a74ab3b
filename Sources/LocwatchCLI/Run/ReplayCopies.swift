import GPSDLocation
import LocationCore

/// Copies of everything that a pass of a replay keeps, from which later passes continue.
///
/// The state machines are values, and so is their copy; what several parts share returns to its state with a function.
/// The first copy is of the beginning, and is always there.
final class ReplayCopies<Feed: WatchFeed> {
  private struct Copy {
    let loop: WatchLoop<Feed>
    /// Returns the rest to its state.
    let restore: @Sendable () -> Void
    /// The latest moment that was reached.
    let reached: Moment
  }

  private let control: PlaybackControl
  private let beginning: Copy
  private let save: () -> @Sendable () -> Void
  private let size: ReplayCopySize
  private var copies: SparseCopies<Copy>
  /// How many news were handled since the beginning.
  private var newsCount = 0

  /// - Parameters:
  ///   - loop: The loop at the beginning.
  ///   - size: How many copies there are, and how often; `nil` for the first one only.
  ///   - save: Returns a function that returns what is no part of the loop to its present state.
  init(
    of loop: WatchLoop<Feed>, by control: PlaybackControl, _ size: ReplayCopySize?,
    save: @escaping () -> @Sendable () -> Void
  ) {
    self.control = control
    self.save = save
    beginning = Copy(loop: loop.copy(), restore: save(), reached: .past)
    let size = size ?? ReplayCopySize(maximumCount: 0)
    self.size = size
    copies = SparseCopies(size)
  }

  /// Counts news. Returns whether it is time for another copy.
  ///
  /// - Parameter sourceCount: The number of sources, for which there is room together.
  func isDue(of sourceCount: Int) -> Bool {
    newsCount += 1
    copies.size.maximumCount = size.maximumCount / max(1, sourceCount)
    return copies.isDue(at: newsCount)
  }

  func add(_ loop: WatchLoop<Feed>) {
    copies.add(
      Copy(loop: loop.copy(), restore: save(), reached: control.reached), at: newsCount)
  }

  /// Returns everything to the latest state from which the wanted moment can be reached. Returns whether that is the
  /// beginning.
  ///
  /// - Parameter actor: Where the sources run.
  func restore(_ loop: inout WatchLoop<Feed>, on actor: (any Actor)?) -> Bool {
    copies.removeLast { [wanted = control.wanted] copy in wanted.map { $0 < copy.reached } ?? true }
    newsCount = copies.last?.position ?? 0
    let copy = copies.last?.value ?? beginning
    loop = copy.loop.copy()
    copy.restore()
    loop.restart(on: actor)
    return copies.last == nil
  }
}
