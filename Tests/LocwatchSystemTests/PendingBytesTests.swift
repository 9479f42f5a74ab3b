import Testing

@testable import LocwatchSystem

@Suite struct `Bytes that wait` {
  @Test func `are written in order, as many as there is room for`() {
    let all = (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }
    var pending = PendingBytes()
    var written: [UInt8] = []
    for start in stride(from: 0, to: all.count, by: 100) {
      pending.append(all[start..<(start + 100)])
      var room = 90
      #expect(
        pending.write { bytes in
          let count = min(room, bytes.count, 40)
          room -= count
          written += bytes.prefix(count)
          return count
        })
      #expect(written.count + pending.count == start + 100)
    }
    #expect(pending.count == 1000 && written + pending.all == all)
    #expect(pending.write { $0.count } && pending.isEmpty)
    #expect(pending.write { _ in nil })
  }

  @Test func `stay when their reader is gone`() {
    var pending = PendingBytes([1, 2, 3])
    #expect(!pending.write { $0.count == 3 ? 1 : nil })
    #expect(Array(pending.all) == [2, 3])
    pending.removeAll()
    #expect(pending.isEmpty)
  }
}
