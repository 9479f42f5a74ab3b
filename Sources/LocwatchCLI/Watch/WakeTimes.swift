/// When each of many sources is to do something by itself, in nanoseconds of uptime.
///
/// The minima of pairs, of pairs of pairs and so on are kept in a tree: a change, and the search for the next
/// source that is due, take as many steps as the tree is high.
struct WakeTimes {
  /// The minima, those of all at index 1; from `capacity` on, the times themselves.
  private var minima: [Int64] = [.max, .max]
  private(set) var count = 0

  private var capacity: Int { minima.count / 2 }

  /// The earliest time; `Int64.max` if there is none.
  var earliest: Int64 { minima[1] }

  /// The time of a source.
  subscript(number: Int) -> Int64 {
    get { minima[capacity + number] }
    set {
      var index = capacity + number
      minima[index] = newValue
      while index > 1 {
        index /= 2
        let minimum = min(minima[2 * index], minima[2 * index + 1])
        if minima[index] == minimum { return }
        minima[index] = minimum
      }
    }
  }

  /// Adds a source without a time.
  mutating func append() {
    if count == capacity { grow() }
    count += 1
  }

  private mutating func grow() {
    let times = minima[capacity...]
    minima = Array(repeating: .max, count: 2 * minima.count)
    for (number, time) in times.enumerated() { self[number] = time }
  }

  /// Returns the first source from a number on whose time is not after another; `nil` if there is none.
  func first(from number: Int, dueBy time: Int64) -> Int? {
    guard number < count else { return nil }
    var index = capacity + number
    // To the right of a subtree without one, and down in one that has it.
    while minima[index] > time {
      while !index.isMultiple(of: 2) {
        index /= 2
        if index <= 1 { return nil }
      }
      index += 1
    }
    while index < capacity {
      index *= 2
      if minima[index] > time { index += 1 }
    }
    return index - capacity
  }
}
