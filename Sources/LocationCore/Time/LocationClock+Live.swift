import Glibc

extension LocationClock {
  /// The machine's own clocks. Uptime is CLOCK_BOOTTIME: a suspended machine does not stop it.
  public static let live = LocationClock(
    now: {
      Moment(
        uptimeNanoseconds: reading(of: CLOCK_BOOTTIME),
        wall: Timestamp(nanosecondsSince1970: reading(of: CLOCK_REALTIME)))
    },
    sleepUntil: { moment in
      let remaining = moment.uptime - .nanoseconds(reading(of: CLOCK_BOOTTIME))
      try await Task.sleep(for: remaining, clock: .continuous)
    })

  private static func reading(of clock: clockid_t) -> Int64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)  // Fails only for a clock that does not exist.
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
