import LocationCore
import LocationTestKit

/// The fixes of a receiver that rests, moves, and is not seen for a while, in any order.
struct FuzzTrip {
  private(set) var fixes: [(fix: LocationFix, moment: Moment)] = []
  /// The deviation of its positions along each axis, in metres.
  let noise: Double
  /// The time between its fixes, in seconds.
  let interval: Double

  init(_ random: inout SeededRandom) {
    noise = random.pick([0.0, 1, 3])
    interval = random.pick([1.0, 1, 5, 20, 60, 300, 900, 3600])
    let hasSpeed = random.happens(onceIn: 2)
    let start = ReceiverClock.ordinaryTime(&random)
    let origin =
      Coordinate(
        latitude: .random(in: -80...80, using: &random),
        longitude: .random(in: -180...180, using: &random)) ?? .nullIsland
    var (second, east, north) = (0.0, 0.0, 0.0)
    func report(speed: Double, _ random: inout SeededRandom) {
      func error() -> Double {
        let sum = (0..<4).reduce(0.0) { sum, _ in sum + .random(in: -1...1, using: &random) }
        return noise * sum * 0.866
      }
      var fix = LocationFix(
        coordinate: origin.moved(by: north + error(), bearing: 0)
          .moved(by: east + error(), bearing: 90), mode: .fix3D,
        time: start.advanced(by: .seconds(second)))
      if hasSpeed { fix.speed = max(0, speed + .random(in: -0.1...0.1, using: &random)) }
      fixes.append((fix, Moment(uptime: .seconds(1000 + second))))
      second += interval
    }
    for _ in 0..<Int.random(in: 2...12, using: &random) {
      let count = random.pick([1, 5, 20, 130, 400])
      switch random.pick([0, 0, 1, 2, 2]) {
      case 0:
        for _ in 0..<count { report(speed: 0, &random) }
      case 1:
        let speed = random.pick([1.2, 5, 15])
        let (e, n) = random.pick([(1.0, 0.0), (0, 1), (-0.6, 0.8)])
        for _ in 0..<count {
          (east, north) = (east + e * speed * interval, north + n * speed * interval)
          report(speed: speed, &random)
        }
      default:
        // It is elsewhere afterwards, or where it was.
        let seconds = random.pick([0.0, 3, 30, 300, 550, 1200, 40_000])
        second += seconds
        let speed = random.pick([0.0, 0.5, 10])
        east += max(speed * (seconds + interval), random.pick([0.0, 0, 120, 500]))
      }
    }
  }
}
