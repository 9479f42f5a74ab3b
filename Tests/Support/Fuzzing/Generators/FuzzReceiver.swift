import LocationCore
import LocationTestKit

/// A receiver and what gpsd reports of it: epoch after epoch, each with as much as such a receiver
/// would send, or with numbers that none would.
struct FuzzReceiver {
  /// A line, and how long after the one before it gpsd sends it.
  struct Line {
    var pause: Duration
    var text: String
  }

  let path: String
  /// From one epoch to the next.
  let interval: Duration
  private var clock: ReceiverClock
  private var sky: FuzzSky
  private var latitude: Double
  private var longitude: Double
  private var height: Double
  /// How far it moves in an epoch, in degrees; zero for one that stands.
  private var motion: (north: Double, east: Double)
  /// How fast that is, in metres per second.
  private let speed: Double
  /// How often, from 0 to 1, a TPV says less than usual, and is followed by another one.
  private let thinness: Double
  /// How often, from 0 to 1, a number is one that no receiver reports.
  private let oddness: Double
  /// What gpsd says of how the position was found.
  private let status: Int
  /// How far the position of an epoch is off, in degrees; zero for one that can be frozen.
  private let jitter: Double
  private let worstJam: Int
  private let skyInterval: Int
  /// Where among the reports of an epoch the SKY is.
  private let skyPlace: Int
  private let hasService: Bool
  /// `nil` for a number that varies, and that is left out at times.
  private let geoidSeparation: Double?
  private var mode = 3
  private var epochs = 0

  /// - Parameters:
  ///   - start: The right time at the beginning.
  ///   - isOdd: Whether its clock and its numbers may be wrong.
  init(
    path: String, from start: Timestamp, isOdd: Bool, geoidSeparation: Double? = nil,
    _ random: inout SeededRandom
  ) {
    self.path = path
    self.geoidSeparation = geoidSeparation
    let rate = random.pick([1, 1, 1, 2, 4, 5, 10, 20, 25])
    interval = .milliseconds(1000 / rate)
    let habits: [ReceiverClock.Habit] = isOdd ? ReceiverClock.Habit.allCases : [.right, .late]
    clock = ReceiverClock(random.pick(habits), from: start, &random)
    let isAtEdge = random.happens(onceIn: 6)
    latitude =
      isAtEdge ? random.pick([90, -90, 0, 89.99999]) : .random(in: -80...80, using: &random)
    longitude =
      isAtEdge ? random.pick([180, -180, 0, 179.99999]) : .random(in: -180...180, using: &random)
    height = random.pick([-400, 0, 0.1, 500, 8000, 40_000])
    // An ordinary one is no faster than a jet, and says how fast it is.
    let metres = 111_195.0
    let fastest = isOdd ? .infinity : 250 / (metres * Double(rate))
    let step = min(random.pick([0, 0, 1e-5, 3e-4, 0.01]), fastest)
    let turn = Double.random(in: -1...1, using: &random)
    motion = (step * turn, step * (1 - abs(turn)))
    speed = step * metres * Double(rate)
    thinness = random.pick([0, 0.02, 0.1, 0.5])
    oddness = isOdd ? random.pick([0, 0.002, 0.02, 0.2]) : 0
    status = isOdd ? random.pick([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) : 1
    jitter = isOdd ? random.pick([2e-5, 2e-5, 0]) : 2e-5
    worstJam = isOdd ? random.pick([60, 255]) : 60
    skyInterval = random.pick([1, 1, 2, 5, 60])
    skyPlace = .random(in: 0...2, using: &random)
    hasService = random.happens(onceIn: 4)
    sky = FuzzSky(path: path, oddness: oddness, &random)
  }

  /// The reports of the next epoch, which begins a time after the last one.
  mutating func epoch(after step: Duration, _ random: inout SeededRandom) -> [Line] {
    epochs += 1
    move(after: step, &random)
    let time = clock.next(after: step, &random)
    var lines: [Line] = []
    func add(_ text: String, within milliseconds: Int = 20) {
      lines.append(
        Line(pause: .milliseconds(Int.random(in: 0...milliseconds, using: &random)), text: text))
    }
    let hasSky = epochs % skyInterval == 0
    if hasSky, skyPlace == 0 { add(sky.report(at: time, &random)) }
    if random.happens(thinness) {
      for _ in 0...Int.random(in: 0...1, using: &random) {
        add(tpv(at: time, completeness: .random(in: 0...0.8, using: &random), &random))
        if hasSky, skyPlace == 1 { add(sky.report(at: time, &random), within: 200) }
      }
      if random.happens(onceIn: 2) { add(tpv(at: time, completeness: 1, &random), within: 200) }
    } else {
      add(tpv(at: time, completeness: 1, &random))
    }
    if hasSky, skyPlace == 2 { add(sky.report(at: time, &random)) }
    if hasService { add(service(at: time, &random)) }
    return lines
  }

  /// Moves no faster than its speed: reports can follow one another in less than the interval.
  private mutating func move(after step: Duration, _ random: inout SeededRandom) {
    if random.happens(onceIn: 40) {
      mode = random.pick([0, 1, 1, 2, 3, 3, 3, 3])
    }
    let share = min(1, step / interval)
    latitude = min(90, max(-90, latitude + motion.north * share))
    longitude = (longitude + motion.east * share).remainder(dividingBy: 360)
    height += Double.random(in: -0.1...0.1, using: &random)
  }

  private func tpv(
    at time: String?, completeness: Double, _ random: inout SeededRandom
  ) -> String {
    func near(_ value: Double, _ distance: Double) -> String {
      let number = value + .random(in: -distance...distance, using: &random)
      return "\((number * 1e7).rounded() / 1e7)"
    }
    var report = FuzzReport("TPV", device: path, oddness: oddness)
    report.add("mode", "\(mode)", &random)
    if let time { report.add(text: "time", time) }
    guard mode > 1 || oddness > 0 else { return report.text }
    let isZero = oddness > 0 && random.happens(oddness)
    report.add("lat", isZero ? "0" : near(latitude, jitter), &random)
    report.add("lon", isZero ? "0" : near(longitude, jitter), &random)
    if mode == 3 {
      report.add("altHAE", near(height, 3), &random)
      report.add("altMSL", near(height - 45, 3), &random)
    }
    let rest: [(String, Double, Double)] = [
      ("status", Double(status), 0), ("ept", 0.005, 0), ("epx", 6, 3), ("epy", 6, 3),
      ("epv", 12, 5),
      ("eph", 9, 5), ("sep", 15, 6), ("track", 180, 180), ("magtrack", 180, 180),
      ("speed", speed + 15, 15), ("climb", 0, 2), ("eps", 1, 0.5), ("epc", 2, 1), ("epd", 3, 1),
      ("geoidSep", 45, 1), ("magvar", 3, 1), ("velN", 0, 5), ("velE", 0, 5), ("velD", 0, 1),
      ("dgpsAge", 3, 2), ("dgpsSta", 12, 0), ("leapseconds", 18, 0),
    ]
    if let geoidSeparation { report.add("geoidSep", "\(geoidSeparation)", &random) }
    for (name, value, distance) in rest
    where random.happens(completeness) && (name != "geoidSep" || geoidSeparation == nil) {
      report.add(name, near(value, distance), &random)
    }
    if random.happens(completeness) {
      report.add("jam", "\(Int.random(in: 0...worstJam, using: &random))", &random)
    }
    return report.text
  }

  /// One of the reports that carry no position.
  private func service(at time: String?, _ random: inout SeededRandom) -> String {
    let name = random.pick(["GST", "ATT", "PPS", "TOFF", "DEVICE", "ERROR"])
    var report = FuzzReport(name, device: path, oddness: oddness)
    if let time { report.add(text: "time", time) }
    switch name {
    case "GST":
      for name in ["rms", "major", "minor", "lat", "lon", "alt"] {
        report.add(name, "\(Double.random(in: 0...20, using: &random))", &random)
      }
    case "ATT":
      for name in ["heading", "pitch", "roll", "mag_x"] {
        report.add(name, "\(Double.random(in: -180...360, using: &random))", &random)
      }
    case "PPS", "TOFF":
      for name in ["real_sec", "real_nsec", "clock_sec", "clock_nsec"] {
        report.add(name, "\(Int.random(in: 0...999_999_999, using: &random))", &random)
      }
    case "DEVICE":
      report.add(text: "path", path)
      report.add(
        text: "driver", random.pick(["u-blox", "NMEA0183", "SiRF"]))
      let isClosed = random.happens(onceIn: 4)
      report.add("activated", isClosed ? "0" : "\(1_700_000_000 + epochs)", &random)
    default: report.add(text: "message", "Unrecognized request '?X'")
    }
    return report.text
  }
}
