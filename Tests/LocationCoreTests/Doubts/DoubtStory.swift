import LocationCore

/// Fixes of one receiver on a manual clock, and what becomes of its doubts: a line a change, with the
/// second.
struct DoubtStory {
  private var machine: DoubtMachine
  private(set) var told: [String] = []
  private let origin: Coordinate

  /// - Parameter clockError: By how many seconds the local clock can be wrong; `nil` if nobody keeps it
  ///   right.
  init(
    latitude: Double = 48, longitude: Double = 11.5,
    clockError: @escaping @Sendable () -> Double? = { nil }
  ) {
    machine = DoubtMachine(clockError: clockError)
    origin = Coordinate(latitude: latitude, longitude: longitude)!
  }

  /// Adds a fix: some metres east of the origin, of usual accuracy and at rest, unless it is changed.
  mutating func fix(
    _ second: Double, east: Double = 0, north: Double = 0, speed: Double? = 0,
    change: (inout LocationFix) -> Void = { _ in }
  ) {
    var fix = LocationFix(
      coordinate: origin.moved(by: east, bearing: 90).moved(by: north, bearing: 0),
      mode: .fix3D, device: "a", time: Reports.time(second), horizontalError: 4.5)
    fix.speed = speed
    change(&fix)
    let previous = machine.doubts
    guard machine.handle(fix, at: Reports.moment(second)) else { return }
    let names = machine.doubts.doubts.map(\.rawValue).joined(separator: ",")
    let detail = machine.detail(of: machine.doubts.subtracting(previous)).map { ": \($0)" } ?? ""
    told.append("\(second) \(names.isEmpty ? "none" : names)\(detail)")
  }

  /// Adds a fix each second.
  mutating func fixes(
    _ seconds: Range<Int>, every interval: Double = 1, _ place: (Double) -> Double = { _ in 0 },
    speed: (Double) -> Double? = { _ in 0 },
    change: (inout LocationFix, Double) -> Void = { _, _ in }
  ) {
    let count = Int((Double(seconds.count) / interval).rounded())
    for number in 0..<count {
      let second = Double(seconds.lowerBound) + Double(number) * interval
      fix(second, east: place(second), speed: speed(second)) { change(&$0, second) }
    }
  }

  /// Returns how large a number can be, to a hundredth, until a fix that is made of it changes a doubt.
  func limit(_ add: (inout DoubtStory, Double) -> Void) -> Double {
    var (below, above) = (0.0, 1e6)
    while above - below > 1e-4 {
      let middle = (below + above) / 2
      var story = self
      add(&story, middle)
      if story.told == told { below = middle } else { above = middle }
    }
    return (below * 100).rounded() / 100
  }

  mutating func sky(_ second: Double, _ satellites: [Satellite]) {
    machine.handle(SkyView(device: "a", satellites: satellites), at: Reports.moment(second))
  }
}
