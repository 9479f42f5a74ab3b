import LocationCore
import LocationTestKit

/// The times that a receiver reports: the right ones, or those of a receiver whose clock is wrong.
struct ReceiverClock {
  enum Habit: CaseIterable {
    /// As it should be.
    case right
    /// It reports no time, or none at the beginning.
    case silent, late
    /// It stops for a while.
    case stopping
    /// It is in one of two years, which change often.
    case alternating
    /// It jumps, mostly by 1,024 weeks.
    case jumping
    /// It begins just before a time at which receivers go wrong.
    case rollingOver
    /// It begins near the first or the last time that 64 bits can count.
    case atAnEnd
    /// It runs backwards.
    case backwards
    /// It reports anything.
    case odd
  }

  private static let second: Int64 = 1_000_000_000
  private static let rollover = 1024 * 7 * 86_400 * second

  /// Texts that are no times, or that are none which a receiver can know.
  private static let oddities = [
    "0000-00-00T00:00:00.000Z", "0001-01-01T00:00:00.000Z", "1677-09-21T00:12:43.145Z",
    "1677-09-21T00:12:43.146Z", "1969-12-31T23:59:59.999Z", "2016-12-31T23:59:60.000Z",
    "2038-01-19T03:14:08.000Z", "2262-04-11T23:47:16.854Z", "2262-04-11T23:47:16.855Z",
    "9999-12-31T23:59:59.999Z", "2026-02-30T12:00:00.000Z", "2026-11-22", "now", "",
  ]

  /// Just before the weeks, the seconds or the years of receivers roll over, in seconds since 1970.
  private static let rollovers: [Int64] = [
    935_280_000, 1_554_595_200, 2_147_483_648, 2_173_910_400, 1_483_228_800, 4_294_967_296,
    946_684_800, 0, 315_964_800,
  ]

  private let habit: Habit
  private var now: Timestamp
  /// The other time of a clock that alternates.
  private var other: Timestamp
  /// Whether the clock stands, or is not yet known.
  private var isStopped: Bool

  /// - Parameter start: The right time at the beginning.
  init(_ habit: Habit, from start: Timestamp, _ random: inout SeededRandom) {
    self.habit = habit
    isStopped = habit == .late
    now = start
    other = now.later(by: Nanoseconds(-Self.rollover))
    switch habit {
    case .rollingOver:
      let place = random.pick(Self.rollovers)
      let seconds = place - .random(in: 0...20, using: &random)
      now = Timestamp(nanosecondsSince1970: seconds * Self.second)
    case .atAnEnd:
      let distance = Int64.random(in: 0...30 * Self.second, using: &random)
      let isLast = random.happens(onceIn: 2)
      now = Timestamp(nanosecondsSince1970: isLast ? .max - distance : .min + distance)
    case .alternating:
      if random.happens(onceIn: 2) { other = Self.anyTime(&random) }
    default: break
    }
  }

  /// Returns the time of the next report in gpsd's form; `nil` if it has none.
  mutating func next(after step: Duration, _ random: inout SeededRandom) -> String? {
    let step = habit == .backwards ? .zero - Nanoseconds(step) : Nanoseconds(step)
    if habit == .stopping, random.happens(onceIn: 20) { isStopped.toggle() }
    if habit != .stopping || !isStopped { now = now.later(by: step) }
    other = other.later(by: step)
    switch habit {
    case .right, .stopping, .atAnEnd, .backwards: break
    case .silent: return nil
    case .late:
      if isStopped, random.happens(onceIn: 30) { isStopped = false }
      if isStopped { return nil }
    case .alternating: if random.happens(onceIn: 5) { swap(&now, &other) }
    case .jumping:
      if random.happens(onceIn: 20) {
        let jump = Nanoseconds(random.happens(onceIn: 2) ? Self.rollover : -Self.rollover)
        now = random.happens(onceIn: 4) ? Self.anyTime(&random) : now.later(by: jump)
      }
    case .rollingOver:
      if random.happens(onceIn: 15) { now = now.later(by: Nanoseconds(-Self.rollover)) }
    case .odd: if random.happens(onceIn: 2) { return random.pick(Self.oddities) }
    }
    return now.description
  }

  /// Returns a time between 2020 and 2033, at a whole second or at a tenth of one.
  static func ordinaryTime(_ random: inout SeededRandom) -> Timestamp {
    let tenths = Int64.random(in: 15_778_368_000...19_883_000_000, using: &random)
    return Timestamp(nanosecondsSince1970: tenths * (second / 10))
  }

  private static func anyTime(_ random: inout SeededRandom) -> Timestamp {
    Timestamp(nanosecondsSince1970: Int64(bitPattern: random.next()))
  }
}
