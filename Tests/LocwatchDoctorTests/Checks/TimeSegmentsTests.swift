import Glibc
import Testing

@testable import LocwatchDoctor

@Suite struct TimeSegmentsTests {
  private static let before = TimeSegments(counts: [0: 4, 1: 0, 2: 7], present: [3])

  @Test func `gpsd writes to those whose count changes`() {
    let after = TimeSegments(counts: [0: 6, 1: 0, 2: 7, 4: 2], present: [3])
    let writes = SegmentWrites(from: Self.before, to: after)
    #expect(writes.written == [0, 4])
    #expect(
      [0, 1, 2, 3, 4, 5].map(writes.isWritten) == [true, false, false, nil, true, false])
    // One that is made meanwhile, and not written
    #expect(
      SegmentWrites(from: TimeSegments(), to: TimeSegments(counts: [2: 0])).isWritten(2) == false)
  }

  @Test func `gpsd may name those to which it writes`() {
    let writes = SegmentWrites(
      from: Self.before, to: Self.before,
      named: ["NTP3", "NTPx", "0", "", "NTP99999999999999999999"])
    #expect(writes.written == [3])
    #expect(writes.isWritten(3) == true && writes.isWritten(0) == false)
  }

  @Test func `Those of the local machine can be read`() {
    let segments = TimeSegments.current
    #expect(segments.present.isSuperset(of: segments.counts.keys))
    #expect(segments.present.isSubset(of: 0..<TimeSegments.count))
  }
}
