import LocationTestKit
import Testing

@testable import LocationCore

/// What a gpsd sends of one or two receivers, through the state machines of a provider: reports that say
/// less than usual, satellites in between, losses, and clocks of all kinds.
struct ReceiverStream: Sendable, CustomTestStringConvertible {
  /// What the receivers say of the time.
  enum Clock: CaseIterable, Sendable {
    case right, none, earliest, latest, alternating, jumping
  }

  var seed: UInt64
  /// Epochs in a second.
  var rate: Double
  var receivers = 1
  var clock = Clock.right
  var epochs = 60
  /// How far the receivers move in an epoch, in degrees.
  var step = 0.0
  /// After how many epochs the stream pauses, and for how many seconds.
  var pause = (every: 50, seconds: 20.0)

  var testDescription: String {
    "\(rate) Hz, \(receivers) receivers, \(clock), \(epochs) epochs, seed \(seed)"
  }

  /// Returns the updates with their moments, as an iterator of `LocationUpdates` returns them.
  func updates() -> [(update: LocationUpdate, moment: Moment)] {
    var random = SeededRandom(seed: seed)
    var machine = LinkMachine(staleAfter: nil)
    var queue = UpdateQueue()
    var updates: [(LocationUpdate, Moment)] = []
    var second = 1000.0
    func at(_ second: Double) -> Moment {
      Moment(
        uptime: .seconds(second),
        wall: Timestamp(secondsSince1970: 1_795_158_000).advanced(by: .seconds(second)))
    }
    func collect() {
      while let (update, moment) = queue.take() {
        updates.append((update, moment))
      }
    }
    func handle(_ event: LocationEvent, after delay: Double) {
      machine.handle(event, at: at(second + delay), into: &queue)
      collect()
    }
    machine.start(at: at(second), into: &queue)
    let paths = (0..<receivers).map { "/dev/ttyACM\($0)" }
    handle(.receivers(paths.map { Receiver(path: $0, driver: "u-blox") }), after: 0.1)
    for epoch in 0..<epochs {
      second += 1 / rate
      if random.oneIn(pause.every) { second += pause.seconds }
      var delay = 0.0
      for (number, path) in paths.enumerated() {
        let time = time(of: epoch, at: second, &random)
        // Satellites before, between and after the reports of an epoch.
        let skies = Int.random(in: 0..<4, using: &random)
        for part in 0..<Int.random(in: 1...3, using: &random) {
          delay += Double.random(in: 0..<0.06, using: &random) / max(rate, 1)
          if skies == part { handle(.sky(Self.sky(of: path, epoch, &random)), after: delay) }
          delay += Double.random(in: 0..<0.06, using: &random) / max(rate, 1)
          if random.oneIn(40) {
            handle(
              .noFix(NoFix(device: path, time: time, isStated: random.oneIn(2))), after: delay)
          } else {
            handle(.fix(fix(of: path, number, epoch, time, &random)), after: delay)
          }
        }
        if skies == 3 { handle(.sky(Self.sky(of: path, epoch, &random)), after: delay + 0.01) }
        if random.oneIn(60) { handle(.removed(path: path), after: delay + 0.01) }
      }
      second += delay
      if random.oneIn(80) {
        machine.fail(
          LocationError(.disconnected, "closed by gpsd"), retryIn: .seconds(1), at: at(second),
          into: &queue)
        collect()
        second += 3
        handle(.service(LocationService(name: "gpsd")), after: 0)
      }
      machine.expire(at: at(second), into: &queue)
      collect()
    }
    machine.finish(at: at(second + 1), into: &queue)
    collect()
    return updates
  }

  private func time(
    of epoch: Int, at second: Double, _ random: inout SeededRandom
  ) -> Timestamp? {
    let right = Timestamp(secondsSince1970: 1_795_158_000).advanced(by: .seconds(second))
    let first = Timestamp(nanosecondsSince1970: .min + 1)
    switch clock {
    case .right: return right
    case .none: return nil
    case .earliest: return first.advanced(by: .seconds(second - 1000))
    case .latest:
      return Timestamp(nanosecondsSince1970: .max).advanced(by: .seconds(second - 1030))
    case .alternating:
      return epoch.isMultiple(of: 2) ? right : right.advanced(by: .seconds(-619_315_200))
    case .jumping:
      let ends = [first, Timestamp(nanosecondsSince1970: .max), Timestamp(secondsSince1970: 0)]
      return random.oneIn(9) ? ends.randomElement(using: &random) : right
    }
  }

  private func fix(
    of path: String, _ number: Int, _ epoch: Int, _ time: Timestamp?,
    _ random: inout SeededRandom
  ) -> LocationFix {
    let noise = 0.00002
    var fix = LocationFix(
      coordinate: Coordinate(
        latitude: (48 + Double(number) + step * Double(epoch)
          + .random(in: -noise...noise, using: &random)).remainder(dividingBy: 180),
        longitude: (179.999 + 2 * step * Double(epoch)
          + .random(in: -noise...noise, using: &random)).remainder(dividingBy: 360)) ?? .nullIsland,
      mode: random.oneIn(8) ? .fix2D : .fix3D, device: path, time: time)
    // A report that says less than usual is held.
    guard !random.oneIn(4) else { return fix }
    fix.ellipsoidalAltitude = .random(in: 495...505, using: &random)
    fix.altitude = fix.ellipsoidalAltitude.map { $0 - 47 }
    fix.speed = step * 111_000 * rate
    fix.course = 26.6
    fix.climbRate = 0
    fix[.eph] = .random(in: 1...20, using: &random)
    fix.verticalError = .random(in: 1...30, using: &random)
    fix.quality = [nil, .dgps, .rtkFixed, .rtkFloat].randomElement(using: &random) ?? nil
    return fix
  }

  private static func sky(
    of path: String, _ epoch: Int, _ random: inout SeededRandom
  ) -> SkyView {
    SkyView(
      device: path,
      satellites: random.oneIn(5)
        ? nil
        : (1...12).map {
          Satellite(
            prn: $0, gnssID: $0 % 8, svID: $0, elevation: Double(epoch % 91),
            azimuth: .random(in: 0...360, using: &random),
            signalStrength: random.oneIn(5) ? nil : .random(in: 0...55, using: &random),
            isUsed: random.oneIn(2))
        }, hdop: .random(in: 0.5...99.99, using: &random), pdop: 1.5)
  }
}

extension SeededRandom {
  /// Returns `true` once in a given number of times.
  fileprivate mutating func oneIn(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &self) == 0
  }
}
