import LocationCore
import LocationTestKit
import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem
@testable import LocwatchTerminal

@Suite struct `Following a source, locwatch` {
  @Test func `leaves out a fix exactly at the minimum distance`() async throws {
    let fixes = [LocationFix.scripted(0), .scripted(1, north: 10)]
    let metres = fixes[0].coordinate.distance(to: fixes[1].coordinate)
    var criteria = FixCriteria()
    criteria.minMove = metres
    var filter = FixFilter(criteria)
    filter.recordTaken(fixes[0], at: .start)
    #expect(filter.judge(fixes[1], at: .start) == .leftOut)
    criteria.minMove = metres.nextDown
    filter = FixFilter(criteria)
    filter.recordTaken(fixes[0], at: .start)
    #expect(filter.judge(fixes[1], at: .start) == .wanted)
  }

  @Test func `passes on the position of each fix, whether or not it counts`() throws {
    let passed = Collector<LocationFix>()
    var output = WatchOutput(presenter: NoPresenter(), recorder: nil)
    var watch = SourceWatch(
      0, try Options(arguments: ["--accuracy", "4"]), log: Log(Options()),
      didFix: { passed.add($0) })
    let fixes = [LocationFix.scripted(0, accuracy: 3), .scripted(1, accuracy: 5)]
    for update in [.fix(fixes[0]), .answer, .fix(fixes[1])] as [LocationUpdate] {
      let result = try watch.handle(update, at: .start, on: &output)
      if let result { Issue.record("\(result)") }
    }
    #expect(passed.values == fixes)
  }
}
