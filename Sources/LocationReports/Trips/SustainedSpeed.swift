/// The highest speed that lasted 3 s, so that a single wrong speed does not count.
struct SustainedSpeed: Sendable {
  private static let seconds = 3.0
  /// Speeds that are closer together in time count as one, in seconds.
  private static let step = 0.1
  /// A tolerance for times that are not exact, in seconds.
  private static let slack = 0.01

  /// The speeds of the last 3 s, and the one before them.
  private var recent: [(seconds: Double, speed: Double)] = []
  /// In metres per second; `nil` until 3 s have passed.
  private(set) var highest: Double?

  mutating func add(_ speed: Double, at seconds: Double) {
    if let last = recent.last, seconds - last.seconds < Self.step - Self.slack {
      recent[recent.count - 1].speed = min(last.speed, speed)
    } else {
      recent.append((seconds, speed))
    }
    let start = seconds - Self.seconds + Self.slack
    recent.removeFirst(recent.lastIndex { $0.seconds <= start } ?? 0)
    guard recent[0].seconds <= start else { return }
    let lasting = recent.reduce(.infinity) { min($0, $1.speed) }
    highest = max(highest ?? 0, lasting)
  }
}
