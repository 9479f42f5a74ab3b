import Glibc
import LocationCore
import LocationReports
import LocationText

extension PageZone {
  /// Returns the time of day of this machine, as it was at a moment; UTC if it is that, or unknown.
  static func ofMachine(at time: Timestamp) -> PageZone {
    var seconds = time_t(time.secondsSince1970)
    var parts = unsafe tm()
    tzset()
    guard unsafe localtime_r(&seconds, &parts) != nil, unsafe parts.tm_gmtoff != 0,
      let name = unsafe parts.tm_zone
    else { return .utc }
    return unsafe PageZone(name: String(cString: name), secondsFromUTC: parts.tm_gmtoff)
  }
}
