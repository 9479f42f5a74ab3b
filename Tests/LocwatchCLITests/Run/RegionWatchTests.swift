import LocationCore
import LocationTestKit
import Testing

@testable import LocwatchCLI

@Suite struct `Watching regions, locwatch` {
  private let home = "--region=home=48,11,100,0s"

  /// What was shown, fixes by their seconds.
  private func story(_ run: WatchRun) -> [String] {
    run.shown.compactMap {
      switch $0.update {
      case .change(let change): "\(change)".prefix { $0 != "(" }.description
      case .fix(let fix): fix.time.map { "\(LocationFix.origin.duration(to: $0).inSeconds)" }
      case .state(let change): change.state.rawValue
      default: nil
      }
    }
  }

  /// Fault 133.
  @Test(arguments: [true, false])
  func `ignores doubted fixes if that is requested`(
    believed: Bool
  ) async throws {
    let steps = [LocationScriptStep].fixes(
      (0..<100).map(Double.init).map { ($0, .scripted($0, north: $0 < 80 ? 0 : 5000)) })
    let run = try await WatchRun([home] + (believed ? ["--believed"] : []), steps)
    #expect(
      story(run).filter { $0.contains("region") } == [
        "/dev/a region home unknown > inside at 0.0 seconds "
      ] + (believed ? [] : ["/dev/a region home inside > outside at 80.0 seconds "]))
    #expect(run.fixes.count == (believed ? 80 : 100))
  }

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
