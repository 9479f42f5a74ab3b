import LocationCore

/// The time that spans cover. Time that several spans cover counts once.
struct CoveredTime {
  /// The parts without overlaps, the latest first.
  private var parts: [Range<Timestamp>] = []
  /// The length of all parts.
  private(set) var length = Nanoseconds.zero

  /// Adds a span, which may overlap others.
  mutating func add(_ length: Nanoseconds, from start: Timestamp) {
    guard length > .zero else { return }
    var part = start..<start.later(by: length)
    let first = firstIndex(beginningBy: part.upperBound)
    var end = first
    while end < parts.count, parts[end].upperBound >= part.lowerBound {
      part =
        min(part.lowerBound, parts[end].lowerBound)..<max(part.upperBound, parts[end].upperBound)
      self.length = self.length - parts[end].length
      end += 1
    }
    parts.replaceSubrange(first..<end, with: [part])
    self.length = self.length + part.length
  }

  /// Returns the index of the latest part that begins at a time or before it; the number of parts if there is none.
  private func firstIndex(beginningBy time: Timestamp) -> Int {
    var range = 0..<parts.count
    while let first = range.first {
      let middle = first + range.count / 2
      range = parts[middle].lowerBound > time ? (middle + 1)..<range.upperBound : first..<middle
    }
    return range.lowerBound
  }
}

extension Range<Timestamp> {
  fileprivate var length: Nanoseconds { lowerBound.nanoseconds(to: upperBound) }
}
