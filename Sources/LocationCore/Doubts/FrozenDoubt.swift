/// Doubts a position that stays the same within a centimetre while the receiver reports a speed.
///
/// A receiver that holds its position at rest reports no speed. A receiver that writes few digits repeats a position
/// while it moves slowly, so it must report a motion of 50 m, unless a smaller step was seen. The position must be the
/// same for most of the time: a second at rest subtracts one second, and a second at another position subtracts two.
struct FrozenDoubt: Sendable {
  /// How many reports repeat the position: if they are rare, two would be enough for the duration.
  static let reports = 10
  /// For how many seconds they do: no recorded receiver does so for as long.
  static let duration = 10.0
  /// The minimum speed in metres per second: receivers at rest report up to 0.5.
  static let minimumSpeed = 1.0
  /// The number of degrees, a centimetre of latitude, below which positions are the same: most have seven decimals.
  static let same = 1e-7
  /// The number of seconds that each second at another position subtracts: moving a third of the time is not frozen.
  private static let moved = 2.0
  /// The distance after which a position with few digits must have changed, in metres: four decimals change each 11 m.
  private static let coarseWay = 50.0
  /// Steps below this number of degrees, a metre of latitude, show that a position has many digits: more than four.
  private static let fineStep = 1e-5
  /// The maximum time that counts for a pause, in seconds: nobody knows the position during a longer one.
  private static let longestStep = 5.0

  /// The position that may be frozen, and the last one.
  private var held: Coordinate?
  private var last: Coordinate?
  private var isFine = false
  private var repeats = 0
  /// The seconds at a speed with the same position, minus those that are subtracted, and the distance in metres that
  /// the receiver has reported to move in them.
  private var evidence = 0.0
  private var way = 0.0
  /// The same seconds when the doubt began.
  private(set) var elapsed = 0.0
  /// The last speed, in metres per second.
  private(set) var speed = 0.0
  private(set) var isDoubted = false

  /// Handles a fix, some seconds after the previous one.
  mutating func handle(_ fix: borrowing LocationFix, after step: Double) {
    let coordinate = fix.coordinate
    let step = min(step, Self.longestStep)
    defer { last = coordinate }
    guard let held, let last else {
      held = coordinate
      return
    }
    guard held.isWithin(Self.same, of: coordinate) else {
      if !isFine { learnStep(from: last, to: coordinate) }
      evidence -= Self.moved * step
      if evidence <= 0 { begin(at: coordinate) }
      return
    }
    guard let speed = fix.speed, speed > Self.minimumSpeed else {
      guard !isDoubted else { return }
      evidence -= step
      if evidence <= 0 { begin(at: coordinate) }
      return
    }
    evidence += step
    guard !isDoubted else {
      evidence = min(evidence, Self.duration)
      return
    }
    self.speed = speed
    repeats = min(repeats + 1, Self.reports)
    way += speed * step
    elapsed = evidence
    isDoubted =
      repeats >= Self.reports && evidence >= Self.duration && (isFine || way >= Self.coarseWay)
  }

  private mutating func begin(at coordinate: Coordinate) {
    held = coordinate
    isDoubted = false
    repeats = 0
    evidence = 0
    way = 0
  }

  private mutating func learnStep(from last: Coordinate, to new: Coordinate) {
    let north = abs(new.latitude - last.latitude)
    let east = abs(new.longitude - last.longitude)
    isFine = (0 < north && north < Self.fineStep) || (0 < east && east < Self.fineStep)
  }
}

extension Coordinate {
  /// Returns whether both angles differ by less than a number of degrees.
  fileprivate func isWithin(_ degrees: Double, of other: Coordinate) -> Bool {
    abs(latitude - other.latitude) < degrees && abs(longitude - other.longitude) < degrees
  }
}
