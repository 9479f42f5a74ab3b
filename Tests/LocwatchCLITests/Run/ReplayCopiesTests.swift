import EventLoop
import Foundation
import GPSDLocation
import LocationCore
import LocationTestKit
import LocwatchDoctor
import Synchronization
import TestSupport
import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem
@testable import LocwatchTerminal

/// What a view shows after it went back, from copies of the replay and from the beginning of the recording.
/// Fault 107.
@Suite(.timeLimit(.minutes(5))) struct `A replay that goes back` {
  private static let fixtures = URL(filePath: #filePath)
    .appending(path: "../../../../Fixtures").standardized
  private static let names =
    ((try? FileManager.default.contentsOfDirectory(atPath: fixtures.path)) ?? [])
    .filter { $0.hasSuffix(".jsonl") && $0 != "hour.jsonl" }.sorted()

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func bytes(of name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: Self.fixtures.appending(path: name)))
  }

  /// Replays files in a view to their end, and from there goes forward and back.
  ///
  /// - Parameters:
  ///   - maximumCount: How many copies there are at most.
  ///   - skips: By how many seconds it goes each time.
  /// - Returns: The whole screen after each of them.
  private func frames(
    of files: [String], _ options: [String] = [], keeping maximumCount: Int,
    every interval: Int = 7,
    after skips: [Int]
  ) async throws -> [String] {
    try await ViewedReplay(skips: skips).frames(
      of: files, options, ReplayCopySize(maximumCount: maximumCount, interval: interval))
  }

  /// Many moments: back in small steps and large ones, with steps forward in between, to the beginning.
  private static let skips = [
    -1, -2, 1, -4, -3, -10, 5, -20, 12, -60, 30, -10, -600, 45, 600, 3000, -1800, -60, 7, -3600, 20,
    4000, -2,
  ]

  @Test(arguments: names) func `shows the same as from the beginning`(name: String) async throws {
    let file = folder.path("a.jsonl").description
    try Data(bytes(of: name)).write(to: URL(filePath: file))
    let expected = try await frames(of: [file], keeping: 0, after: Self.skips)
    for count in [3, 64] {
      let found = try await frames(of: [file], keeping: count, after: Self.skips)
      #expect(found == expected)
    }
    #expect(name == "no-receiver.jsonl" || Set(expected).count > 3)
  }

  @Test func `shows the same of several files, compressed or not, through a filter`() async throws {
    let files = try ["hour.jsonl", "two-receivers.jsonl", "tunnel.jsonl"].enumerated().map {
      let path = folder.path("\($0).jsonl").description
      let bytes = try bytes(of: $1)
      try Data($0 == 1 ? gzip(bytes) : bytes).write(to: URL(filePath: path))
      return path
    }
    let options = ["--min-move", "1"]
    let expected = try await frames(of: files, options, keeping: 0, after: Self.skips)
    let found = try await frames(of: files, options, keeping: 20, every: 1, after: Self.skips)
    #expect(found == expected && Set(expected).count > 10)
  }
}

/// A replay in a view, which goes to the next moment whenever it has reached one.
private final class ViewedReplay: Sendable {
  private let screen: ScriptedScreen
  private let control = PlaybackControl(speed: .maximum, clock: ManualClock().locationClock)
  private let view: View
  private let loop: EventLoop
  private let skips: Mutex<[Int]>
  private let frames = Collector<String>()

  /// - Parameter skips: By how many seconds it goes each time.
  init(skips: [Int]) throws {
    (screen, loop) = (try ScriptedScreen(), try #require(EventLoop()))
    screen.size = (80, 30)
    view = View(
      on: screen, style: TerminalStyle(), colors: .none, control: control, loop: loop,
      clock: ManualClock().locationClock, quit: {})
    self.skips = Mutex(skips)
    control.watch { [weak self] in
      self?.look()
      self?.skip()
    }
  }

  private func look() {
    screen.press("\u{c}")
    _ = view.takeKeys()
    _ = view.drawIfDue()
    frames.add(screen.takeText())
  }

  /// Returns `false` if it was at the last moment.
  @discardableResult
  private func skip() -> Bool {
    guard let seconds = skips.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
      return false
    }
    control.handle(.skip(.seconds(seconds)))
    return true
  }

  /// Returns the whole screen at each moment.
  func frames(of files: [String], _ options: [String], _ size: ReplayCopySize) async throws
    -> [String]
  {
    let options = try Options(
      arguments: ["--view"] + options + files.flatMap { ["--replay", $0] }, environment: [:])
    let plan = options.sourcePlan()
    let engine = ReplayEngine(
      try files.map { try RecordingFile(path: FilePath($0)) }, pace: .asFastAsPossible,
      realClock: ManualClock().locationClock, control: control)
    let statistics = RunStatistics()
    let provider = GPSDLocationSource(
      replaying: RecordedSession(engine), device: plan.question.device,
      kinds: plan.reading.kinds, satellites: plan.reading.satellites,
      statistics: statistics.ofSource(nil))
    let source = WatchedSource(plan, updates: plan.updates(of: provider), clock: provider.clock)
    let log = Log(options, to: .standardError)
    var watch = Watch(
      output: WatchOutput(presenter: ViewPresenter(view: view), recorder: nil)
    ) { source, number in SourceWatch(number, source.plan, log: log, on: .empty) }
    watch.add(source)
    var watchLoop = WatchLoop(
      feed: SourceFeed(source.updates, clock: source.clock), clock: source.clock, watch: watch,
      stale: nil, on: loop)
    let copies = ReplayCopies(of: watchLoop, by: control, size) { [view] in
      let restores = [engine.save(), statistics.save(), view.save()]
      return { for restore in restores { restore() } }
    }
    while true {
      _ = await watchLoop.run(keeping: copies)
      if !control.needsPass { control.endPass() }
      while !control.needsPass {
        guard skip() else { return frames.values }
        if !control.needsPass { look() }
      }
      _ = copies.restore(&watchLoop, on: nil)
    }
  }
}

@Suite struct `Copies of a state` {
  private func copies(_ size: ReplayCopySize, upTo end: Int) -> SparseCopies<Int> {
    var copies = SparseCopies<Int>(size)
    for position in 1...end where copies.isDue(at: position) { copies.add(position, at: position) }
    return copies
  }

  @Test func `are made at an interval, and not without room for any`() {
    #expect(
      copies(ReplayCopySize(maximumCount: 4, interval: 10), upTo: 39).positions == [10, 20, 30])
    #expect(copies(ReplayCopySize(maximumCount: 0, interval: 10), upTo: 39).positions == [])
    #expect(copies(ReplayCopySize(maximumCount: 1, interval: 10), upTo: 39).positions == [30])
  }

  @Test func `are the farther apart the older they are`() {
    #expect(
      copies(ReplayCopySize(maximumCount: 6, interval: 1), upTo: 40).positions
        == [16, 24, 32, 37, 39, 40])
    // Two days at 1 Hz, and two months.
    for (end, largest, latest) in [(345_600, 8000, 1000), (10_368_000, 320_000, 11_000)] {
      let positions = copies(ReplayCopySize(), upTo: end).positions
      #expect(positions.count == 64)
      let gaps = zip([0] + positions, positions).map { $1 - $0 }
      #expect(gaps.max() == largest && gaps.suffix(3).max() == latest)
    }
  }

  @Test func `are removed from the last one on as long as they are too late`() {
    var copies = copies(ReplayCopySize(maximumCount: 4, interval: 10), upTo: 40)
    copies.removeLast { $0 > 20 }
    #expect(copies.positions == [10, 20] && copies.last?.value == 20)
    #expect(!copies.isDue(at: 29) && copies.isDue(at: 30))
    copies.removeLast { $0 > 5 }
    #expect(copies.last == nil && !copies.isDue(at: 9) && copies.isDue(at: 10))
  }
}
