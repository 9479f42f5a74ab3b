package import SimulatedReceiver

extension GPSDProcess {
  /// For how many seconds gpsd 3.22 does not look at a receiver again that hung up at `time`,
  /// whatever a client sends meanwhile. Afterwards it looks when a client next sends something.
  ///
  /// It means to wait for 10 ms, and reckons in single precision, in which today's times are 128 s
  /// apart: it waits until the multiple of 128 s that is nearest to the hang-up.
  package static func deafness(afterHangUpAt time: ReceiverTime) -> Int {
    let seconds = Int(time.millisecondsSince1970 / 1000)
    let wakesAfter = Int(Float(seconds) + 0.01)
    return max(0, wakesAfter - seconds + 1)
  }
}
