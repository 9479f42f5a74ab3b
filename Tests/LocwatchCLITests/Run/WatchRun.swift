import EventLoop
import LocationCore
import LocationTestKit
import Synchronization
import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem
@testable import LocwatchTerminal

/// What a watch made of a script: what it showed, what it said, how it ended and when.
struct WatchRun {
  let result: RunResult
  let shown: [UpdateKeeper.Shown]
  /// The averages that it showed.
  let means: [MeanPosition]
  /// The lines on standard error, without the command's name.
  let messages: [String]
  /// When it ended, since the beginning.
  let elapsed: Duration

  /// Runs a command line over a script. No wait takes any time: each moves the clock to its end.
  ///
  /// - Parameters:
  ///   - arguments: The command line.
  ///   - scripts: What each connection does, up to the fourth. The last one repeats.
  init(
    _ arguments: [String], _ scripts: [LocationScriptStep]..., machine: Machine = .empty
  ) async throws {
    let options = try Options(arguments: arguments, environment: [:])
    let clock = ManualClock()
    let start = clock.now
    func script(_ index: Int) -> [LocationScriptStep] { scripts[min(index, scripts.count - 1)] }
    let source = ScriptedLocationSource(
      clock: clock.skippingWaits, scripts: script(0), script(1), script(2), script(3))
    let presenter = UpdateKeeper()
    let pipe = try PipeEnds()
    let log = Log(options, to: pipe.descriptor)
    let plan = options.sourcePlan()
    let watched = WatchedSource(
      plan, updates: plan.updates(of: source), clock: source.clock)
    var watch = Watch(
      output: WatchOutput(presenter: presenter, recorder: nil),
      isTimed: options.sourcePlan().isTimed
    ) { source, number in
      SourceWatch(
        number, source.plan, log: log, on: machine)
    }
    watch.add(watched)
    var loop = WatchLoop(
      feed: SourceFeed(watched.updates, clock: source.clock), clock: source.clock, watch: watch,
      stale: options.stale, on: try #require(EventLoop()))
    result = await loop.run()
    shown = presenter.shown
    means = presenter.means
    elapsed = start.duration(to: clock.now)
    messages = String(decoding: pipe.readAll(), as: UTF8.self).split(separator: "\n").map {
      String($0.trimmingPrefix("locwatch: "))
    }
  }
}

/// Keeps the updates that it is given.
final class UpdateKeeper: Presenter {
  struct Shown: Sendable {
    var update: LocationUpdate
    var moment: Moment
  }

  private let state = Mutex<[Shown]>([])

  private let averages = Mutex<[MeanPosition]>([])

  var shown: [Shown] { state.withLock(\.self) }
  var means: [MeanPosition] { averages.withLock(\.self) }
  var status: OutputStatus { OutputStatus() }

  func flush(at now: Moment) {}
  func finish(waitsForReader: Bool) {}

  func present(_ update: LocationUpdate, of source: Int, at moment: Moment) {
    state.withLock { $0.append(Shown(update: update, moment: moment)) }
  }

  func present(_ mean: MeanPosition, of source: Int) { averages.withLock { $0.append(mean) } }
}

extension LocationFix {
  /// The receiver's time at second 0 of a script.
  static let origin = Timestamp(secondsSince1970: 1_795_158_000)

  /// A complete fix of a script.
  ///
  /// - Parameters:
  ///   - second: The receiver's time; `nil` where it knows none.
  ///   - north: How many metres to the north of where it began.
  static func scripted(
    _ second: Double?, north: Double = 0, accuracy: Double? = 5, mode: FixMode = .fix3D,
    device: String = "/dev/a"
  ) -> LocationFix {
    .at(
      latitude: 48 + north / 111_195, longitude: 11, horizontalError: accuracy, mode: mode,
      device: device,
      time: second.map { origin.advanced(by: .milliseconds(Int64(($0 * 1000).rounded()))) })
  }
}

extension [LocationScriptStep] {
  /// Fixes at the moments at which they arrive, in seconds.
  static func fixes(_ fixes: [(arrival: Double, fix: LocationFix)]) -> Self {
    var now = 0.0
    return fixes.flatMap { arrival, fix -> Self in
      defer { now = arrival }
      let pause = Duration.milliseconds(Int64(((arrival - now) * 1000).rounded()))
      return pause > .zero ? [.wait(pause), .event(.fix(fix))] : [.event(.fix(fix))]
    }
  }

  /// Fixes that arrive when they are.
  static func fixes(_ fixes: LocationFix...) -> Self {
    .fixes(fixes.map { (LocationFix.origin.duration(to: $0.time ?? .origin).inSeconds, $0) })
  }
}

extension Timestamp {
  fileprivate static let origin = LocationFix.origin
}
