import Glibc

/// An instant in UTC, to the millisecond, as a receiver reports it.
package struct ReceiverTime: Hashable, Sendable {
  package var millisecondsSince1970: Int64

  package init(millisecondsSince1970: Int64) {
    self.millisecondsSince1970 = millisecondsSince1970
  }

  package init(
    year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0
  ) {
    var civil = tm()
    civil.tm_year = CInt(year - 1900)
    civil.tm_mon = CInt(month - 1)
    civil.tm_mday = CInt(day)
    civil.tm_hour = CInt(hour)
    civil.tm_min = CInt(minute)
    civil.tm_sec = CInt(second)
    millisecondsSince1970 = Int64(timegm(&civil)) * 1000
  }

  /// The time of the local clock.
  package static var now: ReceiverTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return ReceiverTime(
      millisecondsSince1970: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  package func advanced(byMilliseconds milliseconds: Int64) -> ReceiverTime {
    ReceiverTime(millisecondsSince1970: millisecondsSince1970 + milliseconds)
  }

  /// The latest multiple of `milliseconds` that is not after this instant.
  package func roundedDown(toMilliseconds milliseconds: Int64) -> ReceiverTime {
    advanced(byMilliseconds: -(millisecondsSince1970 % milliseconds))
  }

  /// `hhmmss.sss`
  var nmeaTime: String { clock.joined() + milliseconds }

  /// `ddmmyy`
  var nmeaDate: String {
    (calendar.reversed() + [padded(Int(civil.tm_year) % 100, to: 2)]).joined()
  }

  private var calendar: [String] {
    [Int(civil.tm_mon) + 1, Int(civil.tm_mday)].map { padded($0, to: 2) }
  }

  private var clock: [String] {
    [civil.tm_hour, civil.tm_min, civil.tm_sec].map { padded(Int($0), to: 2) }
  }

  private var milliseconds: String {
    "." + padded(Int(millisecondsSince1970 % 1000), to: 3)
  }

  private var civil: tm {
    var seconds = time_t(millisecondsSince1970 / 1000)
    var civil = tm()
    gmtime_r(&seconds, &civil)
    return civil
  }
}

extension ReceiverTime: CustomStringConvertible {
  /// ISO 8601, as gpsd writes it: `2026-11-20T07:05:00.000Z`
  package var description: String {
    let date = [String(civil.tm_year + 1900)] + calendar
    return date.joined(separator: "-") + "T" + clock.joined(separator: ":") + milliseconds + "Z"
  }
}
