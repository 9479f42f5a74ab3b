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

  @Test func `writes each arrival and departure before the fix that shows it`() async throws {
    let run = try await WatchRun(
      [home], .fixes(.scripted(0), .scripted(1, north: 104), .scripted(2, north: 106)))
    #expect(
      story(run) == [
        "connecting", "fix-3d", "/dev/a region home unknown > inside at 0.0 seconds ", "0.0", "1.0",
        "/dev/a region home inside > outside at 2.0 seconds ", "2.0",
      ])
    let times: [Timestamp?] = run.shown.compactMap {
      if case .change(let change) = $0.update { change } else { nil as ReceiverChange? }
    }.map(\.time)
    #expect(times == [LocationFix.origin, LocationFix.origin.advanced(by: .seconds(2))])
  }

  @Test func `uses fixes that are not written, but none that do not count`() async throws {
    let fixes = [LocationScriptStep].fixes(
      .scripted(0, north: 500), .scripted(1, north: 0, accuracy: 9),
      .scripted(2, north: 0, accuracy: 7), .scripted(3, north: 500, mode: .fix2D))
    let run = try await WatchRun(
      [home, "--fix=3d", "--accuracy=8", "--interval=1m", "--min-move=10000"], fixes)
    #expect(
      story(run).filter { $0.contains("region") } == [
        "/dev/a region home unknown > outside at 0.0 seconds ",
        "/dev/a region home outside > inside at 2.0 seconds ",
      ])
    #expect(run.fixes.count == 1)
  }

  @Test(arguments: [(3, 2), (500, 200)])
  func `uses a fix of the requested accuracy`(requested: Int, accuracy: Double) async throws {
    let run = try await WatchRun(
      [home, "--accuracy=\(requested)"], .fixes(.scripted(0, accuracy: accuracy)))
    #expect(
      story(run).filter { $0.contains("region") } == [
        "/dev/a region home unknown > inside at 0.0 seconds "
      ])
  }

  @Test func `no longer knows the place of a receiver without a fix for 30 s`() async throws {
    let steps = [LocationScriptStep].fixes(.scripted(0), .scripted(40))
    let run = try await WatchRun([home, "--stale=5s"], steps)
    #expect(
      story(run) == [
        "connecting", "fix-3d", "/dev/a region home unknown > inside at 0.0 seconds ", "0.0",
        "lost",
        "/dev/a region home inside > unknown at 30.0 seconds ", "fix-3d",
        "/dev/a region home unknown > inside at 40.0 seconds ", "40.0",
      ])
    let changes: [ReceiverChange] = run.shown.compactMap {
      if case .change(let change) = $0.update { change } else { nil }
    }
    #expect(
      changes.map { $0.time.map { LocationFix.origin.duration(to: $0) } } == [
        .zero, .seconds(30), .seconds(40),
      ])
    #expect(changes.map { $0.coordinate == nil } == [false, true, false])
    #expect(changes[0].coordinate == Coordinate(latitude: 48, longitude: 11))
  }

  @Test func `waits 5 s, or as long as requested, for fixes beyond the edge`()
    async throws
  {
    let steps = [LocationScriptStep].fixes(
      .scripted(0), .scripted(1, north: 500), .scripted(2), .scripted(3, north: 500),
      .scripted(7, north: 500), .scripted(8, north: 500), .scripted(9, north: 500))
    let run = try await WatchRun(
      ["--region=home=48,11,100", "--region=slow=48,11,100,6s", "--region=at once=48,11,100,0s"],
      steps)
    #expect(
      story(run).filter { $0.contains("> outside") } == [
        "/dev/a region at once inside > outside at 1.0 seconds ",
        "/dev/a region at once inside > outside at 3.0 seconds ",
        "/dev/a region home inside > outside at 8.0 seconds ",
        "/dev/a region slow inside > outside at 9.0 seconds ",
      ])
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

  @Test func `writes the state and place of the fix that shows a change, if there is a fix`() throws
  {
    var watch = try regionWatch(home)
    let inside = watch.handle(.scripted(0, mode: .fix2D), at: Moment(uptime: .zero))
    let outside = watch.handle(.scripted(1, north: 500), at: Moment(uptime: .seconds(1)))
    let unknown = watch.expire(at: Moment(uptime: .seconds(31)))
    #expect((inside + outside + unknown).map(\.state) == [.fix2D, .fix3D, nil])
    #expect(outside.map(\.coordinate) == [LocationFix.scripted(1, north: 500).coordinate])
  }

  @Test(arguments: [(100, 1), (100.5, 0)])
  func `uses fixes of up to 100 m by default`(
    accuracy: Double, count: Int
  ) throws {
    var watch = try regionWatch("--region=home=48,11,1000")
    #expect(watch.handle(.scripted(0, accuracy: accuracy), at: .start).count == count)
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

  @Test func `tracks each receiver separately`() async throws {
    let run = try await WatchRun(
      [home, "--region=far=48.01,10.99:48.01,11.01:48.03,11.01:48.03,10.99"],
      .fixes(.scripted(0), .scripted(1, north: 2000, device: "/dev/b")))
    #expect(
      story(run).filter { $0.contains("region") } == [
        "/dev/a region home unknown > inside at 0.0 seconds ",
        "/dev/a region far unknown > outside at 0.0 seconds ",
        "/dev/b region home unknown > outside at 1.0 seconds ",
        "/dev/b region far unknown > inside at 1.0 seconds ",
      ])
  }
}
