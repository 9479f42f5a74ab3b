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

/// How many copies there are at most, and how often one is made.
struct ReplayCopySize {
  /// The maximum number of copies of a replay, besides the first. Each takes about 0.3 MB. With several sources, this
  /// number is divided by theirs.
  static let maximumCount = 64
  /// The maximum number of copies in a run with a report, of which each can take 8 MB more.
  static let maximumCountWithReport = 8

  var maximumCount = Self.maximumCount
  /// How many news are handled before another copy is made: about as many as are read in 20 ms.
  var interval = 1000
}

/// Copies of a state that advances, in the order of their positions. They are the farther apart the older they are: by
/// the root of their age, so that going back a little and going back all the way take similar times.
struct SparseCopies<Value> {
  var size: ReplayCopySize
  private var copies: [(position: Int, value: Value)] = []

  init(_ size: ReplayCopySize) { self.size = size }

  var last: (position: Int, value: Value)? { copies.last }
  /// The positions of the copies.
  var positions: [Int] { copies.map(\.position) }

  /// Returns whether the next copy is due at a position, which is not before that of the last one.
  func isDue(at position: Int) -> Bool {
    size.maximumCount > 0 && position - (copies.last?.position ?? 0) >= size.interval
  }

  mutating func add(_ value: Value, at position: Int) {
    copies.append((position, value))
    while copies.count > size.maximumCount {
      let dispensable = copies.indices.dropLast().min { gap(without: $0) < gap(without: $1) }
      copies.remove(at: dispensable ?? 0)
    }
  }

  /// Returns how large the gap without a copy is for its age: the square of the gap, divided by the age.
  private func gap(without index: Int) -> Double {
    let start = index > 0 ? copies[index - 1].position : 0
    let gap = Double(copies[index + 1].position - start)
    return gap * gap / Double(copies[copies.count - 1].position - copies[index].position)
  }

  /// Removes the last copies as long as a condition holds.
  mutating func removeLast(while isLate: (Value) -> Bool) {
    while let last = copies.last, isLate(last.value) { copies.removeLast() }
  }
}
