package import LocationCore

extension ReceiverReport {
  /// How far a machine's clock is ahead of a receiver's.
  package struct ClockOffset: Hashable, Sendable, Codable {
    /// How often the clocks were compared.
    package var count: Int
    /// Half of the offsets are at most this; negative if the machine's clock is behind.
    package var median: Duration
    /// 95 % of the offsets are no further than this from the median; `nil` for fewer than 20.
    package var within95: Duration?
  }

  /// Something that happened to the times of a receiver.
  package struct TimeMark: Hashable, Sendable, Codable {
    /// When it began, by the receiver's clock; `nil` if that is unknown.
    package var time: Timestamp?
    /// How long it lasted, or how far the machine's clock was set: forward if it is positive.
    package var length: Duration
  }

  /// The pulses per second of a receiver.
  package struct Pulses: Hashable, Sendable, Codable {
    /// The number of pulses.
    package var count: Int
    /// The number of seconds from the first pulse to the last, both included.
    package var expected: Int
    /// The clock at the pulses; `nil` if gpsd did not tell it.
    package var offset: ClockOffset?
    /// Where pulses are missing, from the last pulse to the next; of more than 100 the longest.
    package var gaps: [TimeMark]
    /// How often pulses were missing.
    package var gapCount: Int
  }

  /// How a receiver's times compare with the clock of gpsd's machine.
  package struct Timing: Hashable, Sendable, Codable {
    /// The times that come over the serial line, which are late; `nil` if there were none.
    package var serial: ClockOffset?
    /// The segment of shared memory by which NTP receives them, such as `NTP0`; `nil` if it is unknown.
    package var segment: String?
    /// The pulses; `nil` if there were none.
    package var pulses: Pulses?
    /// Where the machine's clock was set by half a second or more; of more than 100 the first. Offsets count
    /// from the last of them on.
    package var steps: [TimeMark] = []

    init(serial: ClockOffset?, segment: String?) {
      self.serial = serial
      self.segment = segment
    }
  }
}
