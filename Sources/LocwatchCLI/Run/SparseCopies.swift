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
