#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Positions of the last 45 s or so, and how far a receiver can have come from each of them.
///
/// How far it can come between two fixes is its *reach*: by the larger of their speeds, and if they are
/// more than 2 s apart, by what a vehicle that accelerates and brakes covers. The reaches add up to a way,
/// so that a slow drift is seen as soon as a jump is.
struct PositionTrack: Sendable {
  /// How far and how long ago a position is that cannot be reconciled with the last one.
  struct Gap: Equatable, Sendable {
    /// In metres.
    var distance: Double
    /// In seconds.
    var elapsed: Double
    /// In metres per second; `nil` without Doppler.
    var speed: Double?
  }

  private struct Mark: Sendable {
    var point = EarthPoint()
    /// In seconds and metres since the track began.
    var time = 0.0
    /// How far the receiver can have come, and how far its speed says.
    var (way, travelled) = (0.0, 0.0)
    /// What noise explains, in metres: more of a position that was found while the receiver settled.
    var noise = PositionTrack.firstNoise
  }

  /// The distance in metres that noise explains, of a receiver that has settled.
  static let noise = 50.0
  /// The same of one that has just found its first position, or the first after an outage.
  static let firstNoise = 300.0
  /// How long it takes a receiver to settle, in seconds, and how long a gap unsettles it.
  static let (settling, outage) = (60.0, 10.0)
  /// The time between marks, in seconds.
  private static let spacing = 5.0
  /// No vehicle is faster, in metres per second; none accelerates or brakes more, in m/s².
  private static let (maximumSpeed, acceleration) = (350.0, 5.0)
  /// Doppler may be wrong by a fifth, and by what receivers take for standing.
  private static let (tolerance, standing) = (1.2, 0.5)

  private var marks = InlineArray<9, Mark>(repeating: Mark())
  private var count = 0
  private var last = Mark()
  private var accuracy = 0.0
  /// The last reported speed; `nil` if the last fix had none.
  private var speed: Double?
  /// The speed that the positions show, for a receiver without Doppler; `nil` before the second one.
  private var observedSpeed: Double?
  /// The mean of what the speed does not explain of the way from the oldest mark to the newest, in metres,
  /// and of how many ways. It follows slowly, so that it does not learn a drift that is to be seen.
  private var (scatter, samples) = (0.0, 0.0)
  private static let longestMean = 32.0
  /// For how many more seconds the receiver is settling.
  private var unsettled: Double
  /// When the last position was added, and the way until then.
  private var (lastTime, lastWay) = (0.0, 0.0)

  /// - Parameter track: Positions of the receiver until now; `nil` if it has just found the first one.
  init(at point: EarthPoint, _ fix: borrowing LocationFix, after track: PositionTrack?) {
    unsettled = track == nil ? Self.settling : 0
    (scatter, samples) = (track?.scatter ?? 0, track?.samples ?? 0)
    last.point = point
    last.noise = least
    speed = fix.speed
    accuracy = fix.accuracy ?? 0
    mark()
  }

  /// Lets time pass until a fix, whether or not its position belongs to the track.
  mutating func advance(to fix: borrowing LocationFix, after elapsed: Double) {
    last.time += elapsed
    let reach = reach(to: fix.speed, in: elapsed)
    last.way += reach
    last.travelled += faster(than: fix.speed).map { $0 * elapsed } ?? reach
    unsettled = max(0, unsettled - elapsed)
    if elapsed > Self.outage { (unsettled, samples) = (Self.settling, 0) }
    // Without a height of its own, a position is off by as much as the assumed height is.
    if fix.mode == .fix2D { unsettled = max(unsettled, Self.outage) }
  }

  /// Returns the widest gap between the track and a position to which it was advanced; `nil` if there is
  /// none.
  ///
  /// - Parameter share: The share of the noise that is tolerated.
  func gap(to point: EarthPoint, _ fix: borrowing LocationFix, share: Double = 1) -> Gap? {
    let noise = max(least, 5 * scatter, 2.5 * max(accuracy, fix.accuracy ?? 0))
    var (widest, excess) = (nil as Mark?, 0.0)
    for index in 0..<min(count, marks.count) {
      let mark = marks[index]
      let limit = max(noise, mark.noise) * share + last.way - mark.way
      let square = mark.point.squaredDistance(to: point)
      guard square > limit * limit, square.squareRoot() - limit > excess else { continue }
      (widest, excess) = (mark, square.squareRoot() - limit)
    }
    // Between two marks, the last position is the nearest.
    let square = last.point.squaredDistance(to: point)
    let limit = max(noise, last.noise) * share + lastReach
    if square > limit * limit, square.squareRoot() - limit >= excess {
      return Gap(distance: square.squareRoot(), elapsed: last.time - lastTime, speed: fix.speed)
    }
    return widest.map { mark in
      Gap(
        distance: mark.point.squaredDistance(to: point).squareRoot(),
        elapsed: last.time - mark.time, speed: fix.speed)
    }
  }

  private var least: Double { unsettled > 0 ? Self.firstNoise : Self.noise }

  /// How far the receiver can have come from the last position.
  private var lastReach: Double { last.way - lastWay }

  /// Adds a position to which the track was advanced.
  mutating func add(_ point: EarthPoint, _ fix: borrowing LocationFix) {
    let elapsed = last.time - lastTime
    if elapsed > 0 {
      let step = last.point.squaredDistance(to: point).squareRoot()
      let slower = (observedSpeed ?? 0) - 2 * Self.acceleration * elapsed
      observedSpeed = max(step / elapsed, slower, 0)
    }
    last.point = point
    last.noise = least
    (lastTime, lastWay) = (last.time, last.way)
    speed = fix.speed
    accuracy = fix.accuracy ?? 0
    let newest = marks[(count &- 1) % marks.count]
    if last.time - newest.time >= Self.spacing { mark() }
  }

  private mutating func mark() {
    if count > 0 {
      let oldest = marks[count < marks.count ? 0 : count % marks.count]
      let square = oldest.point.squaredDistance(to: last.point)
      let travelled = last.travelled - oldest.travelled
      samples = min(samples + 1, Self.longestMean)
      scatter += (max(0, square - travelled * travelled).squareRoot() - scatter) / samples
    }
    marks[count % marks.count] = last
    count &+= 1
    // Whole rounds can be forgotten.
    if count == 100 * marks.count { count = marks.count }
  }

  /// Returns the larger of the last speed and a new one; `nil` if neither is known.
  private func faster(than new: Double?) -> Double? { new.map { max($0, speed ?? 0) } ?? speed }

  /// Returns how far the receiver can come in some seconds, to a fix with another speed.
  private func reach(to new: Double?, in elapsed: Double) -> Double {
    guard let faster = faster(than: new) else {
      guard let observedSpeed else { return Self.maximumSpeed * elapsed }
      return min(observedSpeed + 2 * Self.acceleration * elapsed, Self.maximumSpeed) * elapsed
    }
    let even = (faster * Self.tolerance + Self.standing) * elapsed
    guard elapsed > 2 else { return even }
    return even + min(Self.acceleration * elapsed / 4, Self.maximumSpeed) * elapsed
  }
}

/// A position in Earth-centred coordinates, in metres, on a sphere: neither the poles nor the date line
/// are special, and no chord is longer than the way.
struct EarthPoint: Sendable {
  private var (x, y, z) = (0.0, 0.0, 0.0)

  init() {}

  init(_ coordinate: Coordinate) {
    let (latitude, longitude) = (
      coordinate.latitude * .pi / 180, coordinate.longitude * .pi / 180
    )
    let fromAxis = WGS84.equatorialRadius * cos(latitude)
    (x, y) = (fromAxis * cos(longitude), fromAxis * sin(longitude))
    z = WGS84.equatorialRadius * sin(latitude)
  }

  /// Returns the square of the length of the chord.
  func squaredDistance(to other: EarthPoint) -> Double {
    let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
    return dx * dx + dy * dy + dz * dz
  }
}
