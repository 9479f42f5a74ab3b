extension [Double] {
  /// The mean; 0 if there are no numbers.
  var mean: Double { isEmpty ? 0 : reduce(0, +) / Double(count) }

  /// The median by nearest rank; 0 if there are no numbers.
  var median: Double { isEmpty ? 0 : sorted()[(count - 1) / 2] }

  /// The upper quartile by nearest rank; 0 if there are no numbers.
  var upperQuartile: Double { isEmpty ? 0 : sorted()[(3 * count + 3) / 4 - 1] }

  /// The middle number, or the higher of the two middle ones. The list must not be empty.
  var middle: Double {
    var numbers = self
    return numbers.select(count / 2)
  }

  /// Returns the number that would be at an index if the list was sorted, as Hoare's Quickselect finds it.
  private mutating func select(_ rank: Int) -> Double {
    var (first, last) = (0, count - 1)
    // Numbers that were chosen to make this slow are sorted.
    for _ in 0..<64 where first < last {
      let pivot = self[(first + last) / 2]
      var (low, high) = (first, last)
      while low <= high {
        while self[low] < pivot { low += 1 }
        while self[high] > pivot { high -= 1 }
        guard low <= high else { break }
        swapAt(low, high)
        (low, high) = (low + 1, high - 1)
      }
      if rank <= high {
        last = high
      } else if rank >= low {
        first = low
      } else {
        (first, last) = (rank, rank)
      }
    }
    if first < last { sort() }
    return self[rank]
  }
}
