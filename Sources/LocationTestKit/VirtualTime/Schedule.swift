/// The order in which a world runs the jobs that are ready at the same time.
struct Schedule {
  private var random: SeededRandom
  private let isDrawn: Bool

  /// - Parameter seed: Zero runs jobs in the order in which they became ready; any other number draws the next one.
  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    isDrawn = seed != 0
  }

  /// Returns the place of the next job.
  ///
  /// - Parameter count: The number of jobs that are ready; at least one.
  mutating func next(below count: Int) -> Int {
    isDrawn && count > 1 ? Int.random(in: 0..<count, using: &random) : 0
  }
}
