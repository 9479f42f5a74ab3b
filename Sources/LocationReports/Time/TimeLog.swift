package import LocationCore

/// A comparison of a machine's clock with a receiver's times: over the serial line, and by pulses.
package struct TimeLog: Sendable {
  /// The maximum number of gaps between pulses that are listed.
  private static let maximumGaps = 100
  /// The maximum number of steps of the clock that are listed.
  private static let maximumSteps = 100

  /// The moment of an event, and its duration or its size.
  private typealias Mark = (moment: Moment, length: Duration)

  package init() {}

  private(set) var serial = OffsetLog()
  private(set) var pulses = OffsetLog()
  private var segment: String?
  private var pulseCount = 0
  private var pulseSpan: (first: Moment, last: Moment)?
  private var gaps: [Mark] = []
  private var gapCount = 0
  private var steps: [Mark] = []

  /// How late the times over the serial line are; `nil` if they were never compared.
  package var lateness: ReceiverReport.ClockOffset? { serial.spread }

  /// Adds a report that compares the clocks.
  package mutating func add(_ report: ServiceReport, at moment: Moment) {
    if report.kind == .pps { addPulse(at: moment) }
    guard let offset = report.clockOffset?.inSeconds else { return }
    if report.kind == .pps {
      // The clock was set once, even if both report it.
      if let step = pulses.add(offset), serial.count == 0 { addStep(step, at: moment) }
    } else {
      segment = segment ?? report.sharedMemory
      if let step = serial.add(offset) { addStep(step, at: moment) }
    }
  }

  private mutating func addPulse(at moment: Moment) {
    pulseCount += 1
    guard let span = pulseSpan else { return pulseSpan = (moment, moment) }
    let passed = span.last.duration(to: moment)
    pulseSpan = (span.first, max(span.last, moment))
    guard passed >= .milliseconds(1500) else { return }
    gapCount += 1
    gaps.append((span.last, passed), keepingLongest: Self.maximumGaps) { $0.length }
  }

  private mutating func addStep(_ seconds: Double, at moment: Moment) {
    if steps.count < Self.maximumSteps { steps.append((moment, .seconds(seconds))) }
  }

  /// Returns the result; `nil` if the receiver's times were never compared.
  ///
  /// - Parameter time: The receiver's time at a moment; `nil` if it is unknown.
  func report(time: (Moment) -> Timestamp?) -> ReceiverReport.Timing? {
    guard serial.count > 0 || pulseCount > 0 else { return nil }
    func marks(_ marks: [Mark]) -> [ReceiverReport.TimeMark] {
      marks.map { ReceiverReport.TimeMark(time: time($0.moment), length: $0.length) }
    }
    var timing = ReceiverReport.Timing(serial: serial.spread, segment: segment)
    timing.steps = marks(steps)
    guard let span = pulseSpan else { return timing }
    let seconds = span.first.duration(to: span.last).inSeconds.rounded()
    timing.pulses = ReceiverReport.Pulses(
      count: pulseCount, expected: max(pulseCount, Int(seconds) + 1), offset: pulses.spread,
      gaps: marks(gaps), gapCount: gapCount)
    return timing
  }
}
