/// The times of the last epochs that were written, so that none is written twice.
///
/// Receivers repeat themselves: some send two epochs in turn, and a replayed log goes back. Sixty-four
/// epochs cover every recording seen; a clock set back by more is a new life of the same hour.
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
    // Time mostly moves on, and then there is nothing to look up.
    guard time <= latest else { return false }
    for index in times.indices where times[index] == time { return true }
    return false
  }
}
