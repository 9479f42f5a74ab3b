/// Doubts a position that stays the same to the last digit while the receiver reports a speed.
///
/// A receiver that holds its position while it stands reports no speed. One that writes few digits repeats
/// a position while it creeps, so it has to have come 50 m, unless a smaller step was seen.
struct FrozenDoubt: Sendable {
  /// How many reports repeat the position.
  static let reports = 10
  /// For how many seconds, at more than how many metres per second.
  static let duration = 10.0
  static let minimumSpeed = 1.0
  /// The way in metres that leaves the cell of a position of few digits.
  private static let coarseWay = 50.0
  /// Steps below this number of degrees, a metre of latitude, show that a position has many digits.
  private static let fineStep = 1e-5
  /// Of a longer pause, no more counts, in seconds.
  private static let longestStep = 5.0

  private var last: Coordinate?
  private var isFine = false
  private var repeats = 0
  /// In seconds and metres, since the position was first repeated.
  private(set) var elapsed = 0.0
  private var way = 0.0
  /// The last speed, in metres per second.
  private(set) var speed = 0.0
  private(set) var isDoubted = false

  /// Handles a fix, some seconds after the one before.
  mutating func handle(_ fix: borrowing LocationFix, after step: Double) {
    let coordinate = fix.coordinate
    guard let last, last == coordinate else {
      if let last { learnStep(from: last, to: coordinate) }
      last = coordinate
      isDoubted = false
      return reset()
    }
    guard !isDoubted else { return }
    guard let speed = fix.speed, speed > Self.minimumSpeed else { return reset() }
    self.speed = speed
    repeats = min(repeats + 1, Self.reports)
    let step = min(step, Self.longestStep)
    elapsed += step
    way += speed * step
    isDoubted =
      repeats >= Self.reports && elapsed >= Self.duration && (isFine || way >= Self.coarseWay)
  }

  private mutating func reset() {
    repeats = 0
    elapsed = 0
    way = 0
  }

  private mutating func learnStep(from last: Coordinate, to new: Coordinate) {
    guard !isFine else { return }
    let north = abs(new.latitude - last.latitude)
    let east = abs(new.longitude - last.longitude)
    isFine = (0 < north && north < Self.fineStep) || (0 < east && east < Self.fineStep)
  }
}
