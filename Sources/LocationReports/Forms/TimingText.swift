import LocationCore
import LocationText

/// Texts about the times of a receiver, for people.
package enum TimingText {
  /// The maximum lateness of times over a serial line. If they are later, the machine's clock is not set.
  private static let latest = Duration.milliseconds(1500)

  /// Sentences about the serial line, its line for chrony, the pulses, and the steps of the clock.
  static func sentences(about timing: ReceiverReport.Timing) -> [String] {
    [
      timing.serial.map(serial), timing.serial.flatMap { chrony($0, timing.segment) },
      timing.pulses.map(pulses), steps(timing.steps),
    ].compactMap(\.self)
  }

  /// `0.154 s late`; `nil` if the clock is not set.
  package static func lateness(_ offset: ReceiverReport.ClockOffset) -> String? {
    guard offset.median >= .zero, offset.median < latest else { return nil }
    return "\(Text.rounded(offset.median.inSeconds, places: 3)) s late"
  }

  private static func serial(_ offset: ReceiverReport.ClockOffset) -> String {
    if let lateness = lateness(offset) { return "Serial time: \(lateness)\(certainty(offset))." }
    return "Serial time: the clock of gpsd's machine is "
      + "\(Text.rounded(abs(offset.median.inSeconds), places: 3)) s "
      + "\(offset.median < .zero ? "behind" : "ahead of") the receiver's\(certainty(offset)): it is not set."
  }

  /// The line for chrony.conf for the times over the serial line; `nil` if the clock is not set, if there are too
  /// few times, or if gpsd does not say where it writes them.
  static func chrony(_ offset: ReceiverReport.ClockOffset, _ segment: String?) -> String? {
    guard lateness(offset) != nil, let within = offset.within95,
      let segment, segment.hasPrefix("NTP"), let unit = UInt8(segment.dropFirst(3))
    else { return nil }
    let delay = max(2 * within.inSeconds, 0.001)
    return "chrony: refclock SHM \(unit) refid GPS "
      + "offset \(Text.rounded(offset.median.inSeconds, places: 3)) "
      + "delay \(Text.rounded(delay, places: 3)) noselect"
  }

  private static func pulses(_ pulses: ReceiverReport.Pulses) -> String {
    var parts = ["Pulses: \(pulses.count) of \(pulses.expected) seconds"]
    if let offset = pulses.offset {
      parts.append(
        "the clock is \(short(offset.median, signed: true)) from them\(certainty(offset))")
    }
    if let longest = pulses.gaps.max(by: { $0.length < $1.length }) {
      let time = longest.time.map { " at \($0)" } ?? ""
      let gap = "no pulse for \(Text.duration(longest.length))\(time)"
      parts.append(pulses.gapCount == 1 ? gap : "\(pulses.gapCount) gaps, the longest: \(gap)")
    }
    return parts.joined(separator: "; ") + "."
  }

  private static func steps(_ steps: [ReceiverReport.TimeMark]) -> String? {
    guard let last = steps.last else { return nil }
    let time = last.time.map { " at \($0)" } ?? ""
    let often = steps.count == 1 ? "once" : "\(steps.count) times"
    return "The clock of gpsd's machine was set \(often), by "
      + "\(Text.rounded(last.length.inSeconds, places: 3)) s\(time)\(steps.count == 1 ? "" : " the last time"). "
      + "Times count from then on."
  }

  /// ` (median; 95 % within 2 ms)`
  private static func certainty(_ offset: ReceiverReport.ClockOffset) -> String {
    guard let within = offset.within95 else { return " (median of \(offset.count))" }
    return " (median; 95 % within \(short(within)))"
  }

  /// `2.1 ms`, `+38 ns`
  static func short(_ duration: Duration, signed: Bool = false) -> String {
    let seconds = duration.inSeconds
    let unit = TimeUnit(for: abs(seconds))
    let text = Text.rounded(seconds / unit.seconds, places: unit.places(of: abs(seconds)))
    return "\(signed && seconds > 0 ? "+" : "")\(text) \(unit.name)"
  }
}

/// A unit of short times.
struct TimeUnit {
  let name: String
  let seconds: Double

  /// The unit in which a number of seconds is at least 1, or the smallest unit.
  init(for seconds: Double) {
    let units = [("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)]
    (name, self.seconds) = units.first { seconds >= $0.1 } ?? ("ns", 1e-9)
  }

  /// The number of decimal places with which a number of seconds has at least two digits.
  func places(of seconds: Double) -> Int {
    name != "ns" && seconds / self.seconds < 10 ? 1 : 0
  }
}
