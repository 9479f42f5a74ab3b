import GPSDLocation
import LocationCore
import LocationTestKit
import Testing

@testable import LocwatchCLI
@testable import LocwatchReceivers
@testable import LocwatchSystem
@testable import LocwatchTerminal

/// Fault 84.
@Suite struct `The sources of a run` {
  private let clock = ManualClock()
  private var sources = RunSources(
    isOfSeveral: true, output: SharedOutput(presenter: NoPresenter(), recorder: nil)
  ) {
    SourceParts($1, $0.options, log: Log(isVerbose: false, isQuiet: true).muted())
  }

  /// Adds two sources that say nothing by themselves.
  init() throws {
    let options = try Options(arguments: ["a=h1", "b=h2"])
    for (number, target) in options.fleet.enumerated() {
      let provider = ScriptedLocationSource(clock: clock, scripts: [])
      sources.add(
        RunSource(
          options.member(target), updates: provider.updates(), clock: provider.clock), as: number)
    }
  }

  /// Returns whether the run is over.
  private mutating func handle(_ news: SourceNews, at second: Int = 0) throws -> Bool {
    try sources.handle(news, at: Moment(uptime: .seconds(second))) != nil
  }

  private mutating func fix() throws {
    #expect(try !handle(.update(.fix(.scripted(1)), of: 0), at: 1))
  }

  private mutating func end(_ source: Int, _ code: LocationError.Code?) throws -> Bool {
    try handle(.ended(code.map { LocationError($0) }, of: source))
  }

  @Test(
    arguments: [
      ([nil, .unreachable], true), ([.unreachable, nil], true), ([.timedOut, .unreachable], false),
    ] as [([LocationError.Code?], Bool)])
  func `has a good end if any of its sources has one`(
    codes: [LocationError.Code?], isGood: Bool
  ) throws {
    var test = self
    #expect(!test.sources.hasGoodEnd)
    #expect(try !test.end(0, codes[0]))
    #expect(test.sources.hasGoodEnd == (codes[0] == nil))
    #expect(try test.end(1, codes[1]))
    #expect(test.sources.hasGoodEnd == isGood)
  }

  @Test func `ends with its last source, whose time and log it has`() throws {
    var test = self
    try test.fix()
    #expect(try !test.end(0, .cannotOpen))
    #expect(test.sources.end == nil && test.sources.lastLog == nil)
    clock.jump(by: .seconds(3))
    #expect(try test.end(1, nil))
    #expect(test.sources.end?.uptime == .seconds(3) && test.sources.lastLog != nil)
    #expect(test.sources.status == .noInput && test.sources.hasGoodEnd)
    #expect(test.sources.sourceCount == 2 && test.sources.counts.fixes == 1)
  }
}
