import Glibc

/// The segments of shared memory in which gpsd gives the time to chrony and ntpd.
///
/// gpsd attaches all segments that it may, and writes to a few. Each write changes the count in the segment.
package struct TimeSegments: Equatable, Sendable {
  /// How many there are.
  static let count = 8
  /// The key of segment 0: `NTP0`.
  private static let firstKey: key_t = 0x4e54_5030

  /// The count of each segment; none for one that this process may not read.
  private(set) var counts: [Int: Int32] = [:]
  /// Those that exist, whether or not this process may read them.
  private(set) var present: Set<Int> = []

  package init(counts: [Int: Int32] = [:], present: Set<Int> = []) {
    self.counts = counts
    self.present = present.union(counts.keys)
  }

  /// The segments as they are now.
  static var current: TimeSegments {
    var segments = TimeSegments()
    for number in 0..<count {
      let segment = shmget(firstKey + key_t(number), 0, 0)
      guard segment >= 0 else {
        if errno != ENOENT { segments.present.insert(number) }
        continue
      }
      segments.present.insert(number)
      guard let memory = unsafe shmat(segment, nil, SHM_RDONLY),
        unsafe memory != UnsafeMutableRawPointer(bitPattern: -1)
      else { continue }
      // struct shmTime { int mode; int count; ... }
      segments.counts[number] = unsafe memory.load(fromByteOffset: 4, as: Int32.self)
      unsafe shmdt(memory)
    }
    return segments
  }
}

/// To which segments gpsd wrote while it was listened to.
struct SegmentWrites: Equatable, Sendable {
  /// Those that changed, and those that gpsd names in its reports.
  let written: Set<Int>
  private let hidden: Set<Int>

  /// - Parameters:
  ///   - before: The segments at the beginning.
  ///   - after: The segments at the end.
  ///   - named: What gpsd says that it writes to, such as `NTP0`.
  init(from before: TimeSegments, to after: TimeSegments, named: [String] = []) {
    let named = named.compactMap { $0.hasPrefix("NTP") ? Int($0.dropFirst(3)) : nil }
    let changed = after.counts.filter { number, count in before.counts[number, default: 0] != count
    }
    written = Set(named).union(changed.keys)
    hidden = named.isEmpty ? after.present.subtracting(after.counts.keys) : []
  }

  /// Whether gpsd wrote to a segment; `nil` if that cannot be seen.
  func isWritten(_ number: Int) -> Bool? {
    written.contains(number) ? true : hidden.contains(number) ? nil : false
  }
}
