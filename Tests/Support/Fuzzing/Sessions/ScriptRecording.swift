import GPSDLocation
import LocationCore
import LocationTestKit

extension FuzzScript {
  /// Returns the script as a recording: by gpspipe, without the times at which lines came, or by
  /// locwatch, with them.
  func recording(isStamped: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    var elapsed = Duration.zero
    var start: Timestamp? = Timestamp(secondsSince1970: 1_700_000_000)
    var isDue = isStamped
    for step in steps {
      switch step {
      case .wait(let pause):
        elapsed += pause
        isDue = isStamped
      case .setClock(let change):
        start = Timestamp(secondsSince1970: 1_700_000_000).advanced(by: change)
        isDue = isStamped
      case .hangUp, .refuse: break
      case .line(let line):
        if isDue {
          RecordingTimestamp(elapsed: elapsed, start: start).append(to: &bytes)
          start = nil
          isDue = false
        }
        bytes += line.utf8
        bytes += "\r\n".utf8
      }
    }
    return bytes
  }
}
