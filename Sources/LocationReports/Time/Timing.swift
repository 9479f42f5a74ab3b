package import LocationCore

extension ReceiverReport {
  /// How far a machine's clock is ahead of a receiver's.
  package struct ClockOffset: Hashable, Sendable {
    /// How often the clocks were compared.
    package var count: Int
    /// Half of the offsets are at most this; negative if the machine's clock is behind.
    package var median: Duration
    /// 95 % of the offsets differ from the median by at most this; `nil` for fewer than 20.
    package var within95: Duration?
  }

  /// A gap or a step in the times of a receiver.
  package struct TimeMark: Hashable, Sendable {
    /// When it began, by the receiver's clock; `nil` if the time is unknown.
    package var time: Timestamp?
    /// How long it lasted, or how far the machine's clock was set: forward if it is positive.
    package var length: Duration
  }

  /// The pulses per second of a receiver.
  package struct Pulses: Hashable, Sendable {
    /// The number of pulses.
    package var count: Int
    /// The number of seconds from the first pulse to the last, both included.
    package var expected: Int
    /// The offset of the clock at the pulses; `nil` if gpsd did not report it.
    package var offset: ClockOffset?
    /// The gaps between pulses, each from the last pulse to the next; the longest ones if there are more than
    /// 100.
    package var gaps: [TimeMark]
    /// How often pulses were missing.
    package var gapCount: Int
  }

  /// How a receiver's times compare with the clock of gpsd's machine.
  package struct Timing: Hashable, Sendable {
    /// The offset of the times over the serial line, which arrive late; `nil` if there were none.
    package var serial: ClockOffset?
    /// The segment of shared memory from which NTP reads them, such as `NTP0`; `nil` if it is unknown.
    package var segment: String?
    /// The pulses; `nil` if there were none.
    package var pulses: Pulses?
    /// When the machine's clock was set by half a second or more; the first steps if there are more than 100.
    /// Only offsets after the last step count.
    package var steps: [TimeMark] = []

    init(serial: ClockOffset?, segment: String?) {
      self.serial = serial
      self.segment = segment
    }
  }
}
