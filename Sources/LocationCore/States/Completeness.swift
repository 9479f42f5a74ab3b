/// How much the reports of an epoch give: the mode, and which quantities.
struct Completeness: Sendable {
  static let nothing = Completeness(mode: .unknown, known: 0)

  /// What a receiver is expected to give before its first epoch is over.
  static let full = Completeness(
    mode: .threeD,
    known: bits(of: [.altHAE, .altMSL, .speed, .track, .climb, .eph, .epv]))

  /// All but the dilutions of precision, which come with the satellites.
  private static let compared = ~bits(of: [.hdop, .vdop, .pdop])

  private static let eph = bits(of: [.eph])
  private static let epxAndEpy = bits(of: [.epx, .epy])

  private(set) var mode: FixMode
  private var known: UInt32

  private init(mode: FixMode, known: UInt32) {
    self.mode = mode
    self.known = known
  }

  mutating func add(_ fix: LocationFix) {
    mode = max(mode, fix.mode)
    known |= fix.known & Self.compared
  }

  mutating func add(_ other: Completeness) {
    mode = max(mode, other.mode)
    known |= other.known
  }

  /// Whether an accuracy can be given.
  var hasAccuracy: Bool {
    known & Self.eph != 0 || known & Self.epxAndEpy == Self.epxAndEpy
  }

  func covers(_ other: Completeness) -> Bool {
    mode >= other.mode && other.known & ~known == 0
  }

  private static func bits(of quantities: [LocationFix.Quantity]) -> UInt32 {
    quantities.reduce(0) { $0 | $1.bit }
  }
}

/// What the epochs of a receiver usually give, learned from its recent ones.
///
/// A quantity that comes only now and then, in a late report, is expected for 32 to 63 epochs after
/// it came.
struct UsualCompleteness: Sendable {
  private static let generation = 32

  private var last = Completeness.full
  private var recent = Completeness.nothing
  private var earlier = Completeness.nothing
  private var count = 0

  /// Learns what an epoch gave in all its reports.
  mutating func learn(_ epoch: Completeness) {
    // In another mode other quantities come.
    if epoch.mode != last.mode { forgetGenerations() }
    last = epoch
    recent.add(epoch)
    count += 1
    guard count == Self.generation else { return }
    earlier = recent
    recent = .nothing
    count = 0
  }

  /// What to wait for in the current epoch.
  var expected: Completeness {
    var expected = last
    expected.add(recent)
    expected.add(earlier)
    return expected
  }

  private mutating func forgetGenerations() {
    recent = .nothing
    earlier = .nothing
    count = 0
  }
}
