import LocationCore
import Testing

@testable import GPSDLocation

@Suite struct `The detector of unplugged receivers` {
  private var watch = UnplugDetector(expectedSince: .at(0))
  private var node: DeviceNode? = DeviceNode(number: 1)

  private mutating func handle(at second: Double) {
    let node = node
    watch.handle(at: .at(second)) { node }
  }

  private mutating func look(at second: Double) -> UnplugDetector.Change? {
    let node = node
    return watch.look(at: .at(second)) { node }
  }

  @Test mutating func `it looks 2 s after the last report, and each second of the silence`() {
    #expect(watch.deadline == nil)
    handle(at: 1)
    #expect(watch.deadline == .at(3))
    handle(at: 2)
    #expect(look(at: 3.9) == nil)
    #expect(watch.deadline == .at(4))
    #expect(look(at: 4) == nil)
    #expect(watch.deadline == .at(5))
    handle(at: 4.5)
    #expect(watch.deadline == .at(6.5))
  }

  @Test mutating func `it looks once for a receiver that reports`() {
    var looks = 0
    for second in 0..<5 {
      watch.handle(at: .at(Double(second))) {
        looks += 1
        return DeviceNode(number: 1)
      }
    }
    #expect(looks == 1)
  }

  @Test mutating func `a missing device is reported once, and is back when it stays the same`() {
    handle(at: 0)
    node = nil
    #expect(look(at: 2) == .gone)
    #expect(watch.isAway)
    #expect(look(at: 3) == nil)
    node = DeviceNode(number: 2)
    #expect(look(at: 4) == nil)
    // udev gives it its owner.
    node = DeviceNode(number: 2, changed: 1)
    #expect(look(at: 5) == nil)
    #expect(watch.isAway)
    #expect(look(at: 6) == .back)
    #expect(!watch.isAway && watch.isReturned)
    #expect(look(at: 7) == nil)
    handle(at: 8)
    #expect(!watch.isReturned)
  }

  @Test mutating func `a device that disappears before it is ready is not reported`() {
    handle(at: 0)
    node = nil
    #expect(look(at: 2) == .gone)
    node = DeviceNode(number: 2)
    #expect(look(at: 3) == nil)
    node = nil
    #expect(look(at: 4) == nil)
    node = DeviceNode(number: 3)
    #expect(look(at: 5) == nil)
    #expect(look(at: 6) == .back)
    node = nil
    #expect(look(at: 7) == .gone)
  }

  @Test(arguments: [DeviceNode(number: 2), DeviceNode(number: 1, changed: 1)])
  mutating func `a device that was replaced unnoticed is back`(other: DeviceNode) {
    handle(at: 0)
    node = other
    #expect(look(at: 2) == nil)
    #expect(watch.isAway)
    #expect(look(at: 3) == .back)
  }

  @Test mutating func `a device whose owner changes before its first report is the same`() {
    watch = UnplugDetector(of: node, expectedSince: .at(0))
    node = DeviceNode(number: 1, changed: 1)
    #expect(look(at: 2) == nil)
    #expect(!watch.isAway)
    node = DeviceNode(number: 2)
    #expect(look(at: 3) == nil)
    #expect(watch.isAway)
  }

  @Test mutating func `a device that is not there at the beginning is awaited`() {
    node = nil
    watch = UnplugDetector(of: nil, expectedSince: .at(0))
    #expect(watch.isAway)
    #expect(look(at: 1) == nil)
    node = DeviceNode(number: 1)
    #expect(look(at: 2) == nil)
    #expect(look(at: 3) == .back)
  }

  @Test mutating func `a device that was never local has no effect`() {
    node = nil
    handle(at: 0)
    #expect(watch.deadline == nil)
    #expect(look(at: 60) == nil)
    #expect(!watch.isAway)
  }

  @Test mutating func `a receiver that reports without its device is on another computer`() {
    handle(at: 0)
    node = nil
    #expect(look(at: 2) == .gone)
    handle(at: 3)
    #expect(!watch.isAway)
    #expect(watch.deadline == nil)
    node = DeviceNode(number: 1)
    handle(at: 3.5)
    #expect(watch.deadline == nil)
    handle(at: 4)
    #expect(watch.deadline == .at(6))
  }
}
