#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The positions of about the last 45 s, and how far the receiver can have moved from each of them.
///
/// The *reach* between two fixes is how far the receiver can move in that time: at the larger of the two speeds
/// and, if the fixes are more than 2 s apart, also by accelerating and braking as a vehicle does. The sum of the
/// reaches is the *way*, so a slow drift is noticed as well as a jump.
struct PositionTrack: DoubtTrack {
  /// How far away, and how long ago, a position was that cannot be reconciled with the last one.
  struct Gap: Equatable, Sendable {
    /// In metres.
    var distance: Double
    /// In seconds.
    var elapsed: Double
    /// In metres per second; `nil` without Doppler.
    var speed: Double?
  }

  private struct Mark: Sendable {
    var point: EarthPoint
    /// In seconds and metres since the track began.
    var time = 0.0
    /// How far the receiver can have moved, and how far it has moved according to its speed.
    var way = 0.0
    var travelled = 0.0
    /// The distance that noise explains, in metres. It is larger if the receiver was settling.
    var noise = 0.0
  }

  /// The distance that noise explains if the receiver has settled, in metres: reflected signals displace it as far.
  static let noise = 50.0
  /// The same while it settles, after its first position or an outage: after a cold start, they wander by 200 m.
  static let firstNoise = 300.0
  /// How long it takes a receiver to settle, in seconds: a cold start does not wander for longer.
  static let settling = 60.0
  /// After a longer gap, the receiver has to settle again, in seconds: a bridge hides the sky for a shorter time.
  static let outage = 10.0
  /// The time between marks, in seconds: over nine of them, noise does not explain a drift of more than 1.6 m/s.
  private static let spacing = 5.0
  /// The highest speed of a vehicle, in metres per second: airliners are slower, even with the wind.
  private static let maximumSpeed = 350.0
  /// The highest acceleration for some seconds, in m/s²: cars brake harder, but few gain speed faster.
  private static let acceleration = 5.0
  /// The most that a reported speed can have changed, in m/s²: 10 g, which only rockets exceed.
  static let mostAcceleration = 100.0
  /// How many times its claimed error a position can be wrong: of claims along an axis, one in 23 is exceeded so far.
  static let claims = 2.5
  /// The maximum distance that a claimed error explains, in metres: of recorded claims, 99 % are below 332 m.
  static let mostError = 1000.0
  /// A Doppler speed can be wrong by a fifth, as it is smoothed, and by what receivers report at rest, in m/s.
  private static let tolerance = 1.2
  private static let standing = 0.5

  /// The first marks; after that, a new mark replaces the oldest. One array, so that a copy of the track is cheap.
  private var marks: [Mark] = []
  /// The maximum number of marks.
  private static let maximumCount = 9
  private var newest = 0
  /// The last position, and how far the receiver can have moved since, until the fix to which the track was advanced.
  private var last: Mark
  private var coordinate: Coordinate
  private var parallels: Parallels
  /// The minimum distance by which the last position was within the limits of all marks, with the least noise, in
  /// metres. As long as it is not used up, positions need not be compared with the marks.
  private var room = 0.0
  private var accuracy: Double
  /// The last reported speed; `nil` if the last fix had none.
  private var speed: Double?
  /// The speed of the fix to which the track was advanced, and its reach in metres, with the seconds that it took.
  private var claim: Double?
  private var (step, stepTime) = (0.0, 0.0)
  /// The speed computed from the positions, for a receiver without Doppler; `nil` before the second position.
  private var observedSpeed: Double?
  /// The mean distance from the oldest mark to the newest that the speed does not explain, in metres, and the number
  /// of distances in it. It changes slowly, so that it does not adapt to a drift that should be noticed.
  private var (scatter, samples) = (0.0, 0.0)
  /// Over 160 s of marks, several times as long as a drift takes to be noticed. Five times the mean is no scatter.
  private static let longestMean = 32.0
  /// The remaining time for which the receiver is settling, in seconds.
  private var unsettled: Double
  /// When the last position was added, and the way until then.
  private var (lastTime, lastWay) = (0.0, 0.0)

  static func compares(_ fix: borrowing LocationFix) -> Bool { true }

  /// - Parameter track: The positions of the receiver so far; `nil` if this is its first one.
  init(at fix: borrowing LocationFix, after track: PositionTrack?) {
    last = Mark(point: EarthPoint(fix.coordinate))
    unsettled = track?.unsettled ?? Self.settling
    (scatter, samples) = (track?.scatter ?? 0, track?.samples ?? 0)
    coordinate = fix.coordinate
    parallels = Parallels(around: fix.coordinate.latitude)
    speed = track.map { $0.claim } ?? fix.speed
    accuracy = fix.horizontalError ?? 0
    last.noise = noise(of: accuracy)
    marks.reserveCapacity(Self.maximumCount)
    mark()
  }

  /// Advances the track to the time of a fix, whether or not the fix belongs to the track.
  mutating func advance(to fix: borrowing LocationFix, after elapsed: Double) {
    last.time += elapsed
    claim = fix.speed.map { new in
      min(new, (speed ?? observedSpeed ?? Self.maximumSpeed) + Self.mostAcceleration * elapsed)
    }
    (step, stepTime) = (reach(to: claim, in: elapsed), elapsed)
    last.way += step
    last.travelled += faster(than: claim).map { $0 * elapsed } ?? step
    unsettled = max(0, unsettled - elapsed)
    if elapsed > Self.outage { (unsettled, samples) = (Self.settling, 0) }
    // A 2D position is wrong by about as much as the height that the receiver assumes.
    if fix.mode == .fix2D { unsettled = max(unsettled, Self.outage) }
  }

  /// Adds the position of a fix to which the track was advanced, unless there is a gap between them.
  ///
  /// - Parameter share: The share of the noise that is tolerated.
  /// - Returns: The widest gap; `nil` if there is none, and the position was added.
  mutating func add(_ fix: borrowing LocationFix, share: Double) -> Gap? {
    let coordinate = fix.coordinate
    let step = parallels.longestWay(from: self.coordinate, to: coordinate)
    let reach = last.way - lastWay
    // The speed explains most steps, so they do not reduce the room.
    if step <= room + reach, step <= Self.noise * share + reach {
      room = min(room + reach - step, Self.noise * share)
    } else if let gap = gap(to: fix, share: share) {
      // The speed of a fix that does not belong to the track adds nothing to its way.
      last.way += min(0, self.reach(to: speed, in: stepTime) - self.step)
      return gap
    }
    let elapsed = last.time - lastTime
    if fix.speed == nil, elapsed > 0 {
      let step = EarthPoint(self.coordinate).distance(to: EarthPoint(coordinate))
      let slower = (observedSpeed ?? 0) - 2 * Self.acceleration * elapsed
      observedSpeed = max(step / elapsed, slower, 0)
    }
    self.coordinate = coordinate
    if !parallels.contains(coordinate.latitude) {
      parallels = Parallels(around: coordinate.latitude)
    }
    accuracy = fix.horizontalError ?? 0
    last.noise = noise(of: accuracy)
    (lastTime, lastWay) = (last.time, last.way)
    speed = claim
    if last.time - marks[newest].time >= Self.spacing { mark() }
    return nil
  }

  /// Returns the widest gap between the track and a fix to which it was advanced; `nil` if there is none.
  private mutating func gap(to fix: borrowing LocationFix, share: Double) -> Gap? {
    let point = EarthPoint(fix.coordinate)
    let noise = max(noise(of: max(accuracy, fix.horizontalError ?? 0)), 5 * scatter)
    var (widest, excess) = (nil as Gap?, 0.0)
    var room = Self.noise * share
    for mark in marks {
      let distance = mark.point.distance(to: point)
      let way = last.way - mark.way
      room = min(room, Self.noise * share + way - distance)
      let limit = max(noise, mark.noise) * share + way
      guard distance - limit > excess else { continue }
      widest = Gap(distance: distance, elapsed: last.time - mark.time, speed: fix.speed)
      excess = distance - limit
    }
    // The last position can be newer than all marks, so the step from there is the strictest comparison.
    let distance = EarthPoint(coordinate).distance(to: point)
    let limit = max(noise, last.noise) * share + last.way - lastWay
    if distance > limit {
      widest = Gap(distance: distance, elapsed: last.time - lastTime, speed: fix.speed)
    }
    if widest == nil { self.room = room }
    return widest
  }

  private var least: Double { unsettled > 0 ? Self.firstNoise : Self.noise }

  /// Returns the distance that noise explains for a position with this claimed error, in metres.
  private func noise(of accuracy: Double) -> Double {
    max(least, min(Self.claims * accuracy, Self.mostError))
  }

  /// Marks the last position.
  private mutating func mark() {
    last.point = EarthPoint(coordinate)
    let next = marks.count < Self.maximumCount ? 0 : (newest + 1) % Self.maximumCount
    if !marks.isEmpty {
      let distance = marks[next].point.distance(to: last.point)
      let travelled = last.travelled - marks[next].travelled
      samples = min(samples + 1, Self.longestMean)
      let unexplained = max(0, distance * distance - travelled * travelled).squareRoot()
      scatter += (unexplained - scatter) / samples
    }
    if marks.count < Self.maximumCount {
      newest = marks.count
      marks.append(last)
    } else {
      newest = next
      marks[next] = last
    }
  }

  /// Returns the larger of the last speed and a new one; `nil` if neither is known.
  private func faster(than new: Double?) -> Double? { new.map { max($0, speed ?? 0) } ?? speed }

  /// Returns how far the receiver can move in some seconds, to a fix with another speed.
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

/// A position in Earth-centred coordinates, in metres, on a sphere. The poles and the date line need no special
/// treatment, and a chord is never longer than the way.
struct EarthPoint: Sendable {
  private let x, y, z: Double

  init(_ coordinate: Coordinate) {
    let (latitude, longitude) = (
      coordinate.latitude * .pi / 180, coordinate.longitude * .pi / 180
    )
    let fromAxis = WGS84.equatorialRadius * cos(latitude)
    x = fromAxis * cos(longitude)
    y = fromAxis * sin(longitude)
    z = WGS84.equatorialRadius * sin(latitude)
  }

  /// Returns the length of the chord.
  func distance(to other: EarthPoint) -> Double {
    let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
    return (dx * dx + dy * dy + dz * dz).squareRoot()
  }
}

/// The parallels around a latitude. Between them, the length of a way has an upper bound that needs no sine.
struct Parallels: Sendable {
  /// In degrees of latitude: 11 km, which an aeroplane leaves each minute, and in which the bound is hardly too long.
  private static let halfWidth = 0.1
  private static let metresInDegree = WGS84.equatorialRadius * .pi / 180

  private let latitude: Double
  /// The longest degree of longitude between them, in metres.
  private let degree: Double

  init(around latitude: Double) {
    self.latitude = latitude
    let nearest = max(0, abs(latitude) - Self.halfWidth)
    degree = Self.metresInDegree * cos(nearest * .pi / 180)
  }

  func contains(_ latitude: Double) -> Bool { abs(latitude - self.latitude) <= Self.halfWidth }

  /// Returns an upper bound of the distance between two positions, in metres. It is infinite outside the parallels,
  /// and far too large across the date line.
  func longestWay(from start: Coordinate, to end: Coordinate) -> Double {
    guard contains(end.latitude) else { return .infinity }
    let north = (end.latitude - start.latitude) * Self.metresInDegree
    let east = (end.longitude - start.longitude) * degree
    return (north * north + east * east).squareRoot()
  }
}
