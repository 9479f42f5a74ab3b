import LocwatchSystem
import Testing

@testable import LocwatchReceivers

@Suite struct `Frames for a private gpsd` {
  private var feed = FrameFeed()

  private mutating func connect() throws -> Socket {
    let (source, gpsd) = try Socket.pair()
    feed.connect(source)
    return gpsd
  }

  private func received(by gpsd: Socket) -> [UInt8] {
    var bytes: [UInt8] = []
    while let arrived = gpsd.takeArrived(), !arrived.isEmpty { bytes += arrived }
    return bytes
  }

  @Test mutating func `begin with the first one twice`() throws {
    let gpsd = try connect()
    for frame in [[1, 1], [2, 2], [3, 3]] as [[UInt8]] { feed.add(frame) }
    feed.give()
    #expect(received(by: gpsd) == [1, 1, 1, 1, 2, 2, 3, 3])
    #expect(feed.givenCount == 3 && !feed.hasPending)
  }

  @Test mutating func `begin with a whole one when gpsd connects again within one`() throws {
    let gpsd = try connect()
    let frame = [UInt8](repeating: 1, count: 60_000)
    // Until gpsd has a part of one, because it does not read.
    while !feed.hasPending {
      feed.add(frame)
      feed.give()
    }
    let again = try connect()
    #expect(!feed.hasPending)
    feed.add([2, 2])
    feed.give()
    #expect(received(by: again) == [2, 2, 2, 2])
    _ = gpsd
  }

  @Test mutating func `are dropped from the oldest on if more than 64 KiB wait`() throws {
    for number in 0..<3 { feed.add([UInt8](repeating: UInt8(number), count: 32 * 1024)) }
    #expect(feed.droppedCount == 1)
    let gpsd = try connect()
    feed.give()
    #expect(feed.givenCount == 2)
    #expect(received(by: gpsd).first == 1)
  }

  @Test mutating func `make room for others once gpsd has them`() throws {
    let gpsd = try connect()
    for number in 1...4 {
      feed.add([UInt8](repeating: 1, count: 20 * 1024))
      feed.give()
      #expect(received(by: gpsd).count == (number == 1 ? 40 : 20) * 1024)
    }
    #expect(feed.givenCount == 4 && feed.droppedCount == 0 && !feed.hasPending)
  }

  @Test mutating func `are all kept if exactly 64 KiB wait`() {
    for _ in 0..<2 { feed.add([UInt8](repeating: 1, count: 32 * 1024)) }
    #expect(feed.droppedCount == 0)
    feed.add([1])
    #expect(feed.droppedCount == 1)
  }

  @Test mutating func `wait for the next connection once gpsd is gone`() throws {
    var gpsd: Socket? = try connect()
    feed.attend()
    #expect(feed.source != nil)
    gpsd = nil
    feed.attend()
    #expect(feed.source == nil && gpsd == nil)
    feed.add([1])
    feed.give()
    #expect(feed.hasPending && feed.givenCount == 0)
  }
}
