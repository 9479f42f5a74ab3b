/// The times of the last 64 epochs that were written, so that none is written twice.
///
/// Some receivers alternate between two epochs, and a replayed log may go back. 64 epochs suffice
/// for every known recording; a clock that is set back further starts new epochs.
struct RecentTimes: Sendable {
  private var times = [Int64](repeating: .min, count: 64)
  private var next = 0
  private var latest = Int64.min

  mutating func insert(_ time: Timestamp) {
    times[next] = time.nanosecondsSince1970
    next = (next + 1) & 63
    latest = max(latest, time.nanosecondsSince1970)
  }

  func contains(_ time: Timestamp) -> Bool {
    let time = time.nanosecondsSince1970
    // A later time, the usual case, needs no search.
    guard time <= latest else { return false }
    for index in times.indices where times[index] == time { return true }
    return false
  }
}
