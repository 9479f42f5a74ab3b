import LocationCore
import LocationTestKit
import Testing

@testable import LocwatchCLI

@Suite struct `Watching regions, locwatch` {
  private let home = "--region=home=48,11,100,0s"

  private func regionWatch(_ argument: String) throws -> RegionWatch {
    RegionWatch(try Options(arguments: [argument]).sourcePlan())
  }

  @Test func `writes no time if the receiver has reported none`() throws {
    var watch = try regionWatch(home)
    var fix = LocationFix.scripted(0)
    fix.time = nil
    #expect(watch.handle(fix, at: Moment(uptime: .zero)).map(\.time) == [nil])
    let end = Moment(uptime: .seconds(65))
    #expect(watch.expire(at: end).map(\.time) == [nil])
    // The time continues from the last fix that had one, whether it counts or not.
    _ = watch.handle(.scripted(69), at: Moment(uptime: .seconds(70)))
    _ = watch.handle(.scripted(70), at: Moment(uptime: .seconds(71)))
    fix.isCurrent = false
    _ = watch.handle(fix, at: Moment(uptime: .seconds(72)))
    #expect(
      watch.expire(at: Moment(uptime: .seconds(101))).map(\.time) == [
        LocationFix.origin.advanced(by: .seconds(100))
      ])
  }

  @Test func `knows when the first of several receivers has been without a fix too long`() throws {
    var watch = try regionWatch(home)
    #expect(watch.deadline == nil)
    func handle(_ device: String, _ second: Int) {
      _ = watch.handle(
        .scripted(Double(second), device: device), at: Moment(uptime: .seconds(second)))
    }
    handle("/dev/a", 0)
    #expect(watch.deadline == Moment(uptime: .seconds(65)))
    for second in [1, 2, 3] { handle("/dev/\(second < 2 ? "a" : "b")", second) }
    #expect(watch.deadline == Moment(uptime: .seconds(31)))
    handle("/dev/a", 5)
    #expect(watch.deadline == Moment(uptime: .seconds(33)))
    #expect(watch.expire(at: Moment(uptime: .seconds(32))) == [])
    // In the order of time.
    let changes = watch.expire(at: Moment(uptime: .seconds(40)))
    #expect(changes.map(\.device) == ["/dev/b", "/dev/a"])
    #expect(changes.map(\.moment.uptime) == [.seconds(33), .seconds(35)])
    #expect(watch.deadline == nil)
    handle("/dev/a", 41)
    #expect(watch.deadline == Moment(uptime: .seconds(71)))
  }
}
