import LocationCore
import LocwatchRecordings
import LocwatchSystem
import LocwatchTerminal

/// Handles the news of one or several sources, and decides when the run is done, which is when every source
/// is done. The end of one source does not affect the others. It never waits.
struct RunSources {
  /// It is a class, because an array of a thousand structs reserves memory for two thousand while it grows.
  private final class Member {
    let name: String
    var source: SourceFollower
    var isOver = false
    let clock: LocationClock
    let didEnd: @Sendable () -> Void

    init(_ source: RunSource, _ parts: SourceParts) {
      name = source.name
      self.source = SourceFollower(source, parts)
      clock = source.clock
      didEnd = source.didEnd
    }
  }

  /// The maximum time until a line is recorded.
  private static let maximumRecordingDelay = Duration.seconds(1)

  private let isTimed: Bool
  private let isOfSeveral: Bool
  /// The names of the sources of which a single one is the best.
  private let candidates: [String]
  private let mayGrow: (@Sendable () -> Bool)?
  private let makeSource: @Sendable (RunSource, Int) -> SourceParts
  private(set) var output: SharedOutput
  /// The sources by their numbers, including those that have ended.
  private var members: [Member] = []
  /// The number of sources that have not ended.
  private var runningCount = 0
  /// When each source has to be called without news, in nanoseconds of uptime; `Int64.max` for never.
  private var wakes: [Int64] = []
  /// When the last source ended.
  private var latestEnd: Moment?
  /// The most serious status of a source that has ended.
  private(set) var status = ExitStatus.success
  /// Whether a source has ended successfully.
  private(set) var hasGoodEnd = false
  /// The log of the source that ended the run; `nil` before that.
  private(set) var lastLog: Log?
  /// The number of sources so far.
  private(set) var sourceCount = 0
  /// The numbers of the sources that have ended since they were taken.
  private var ended: [Int] = []
  /// The counts of sources that have ended.
  private var endedCounts = SourceCounts()

  /// - Parameters:
  ///   - isOfSeveral: Whether the run has several sources, which have names.
  ///   - candidates: The names of the sources of which a single one is the best.
  ///   - isTimed: Whether only the time ends the run, so that it waits for no reader.
  ///   - mayGrow: Returns whether sources may still appear, so that the run continues even without a source.
  ///     `nil` if the run waits only for the first source.
  ///   - makeSource: Returns the parts of a source with a number.
  init(
    isOfSeveral: Bool = false, output: SharedOutput, candidates: [String] = [],
    isTimed: Bool = false, mayGrow: (@Sendable () -> Bool)? = nil,
    makeSource: @escaping @Sendable (RunSource, Int) -> SourceParts
  ) {
    self.isOfSeveral = isOfSeveral
    self.output = output
    self.isTimed = isTimed
    self.candidates = candidates
    self.mayGrow = mayGrow
    self.makeSource = makeSource
  }

  /// The counts of all sources.
  var counts: SourceCounts {
    var counts = endedCounts
    for member in members where !member.isOver { counts.add(member.source.parts.counts) }
    counts.unwritten = output.presenter.unwrittenRecords
    return counts
  }

  /// When the run ended with its last source; `nil` if it ended in another way, or continues.
  var end: Moment? { isOver ? latestEnd : nil }

  /// When to call ``expire(at:)``; `nil` if the passage of time has no effect.
  var deadline: Moment? {
    guard let earliest = wakes.min(), earliest < .max else { return nil }
    return Moment(uptimeNanoseconds: earliest, wall: nil)
  }

  /// Returns when to stop waiting for news, by the status of the output.
  func wake(after now: Moment, _ status: OutputStatus) -> Moment? {
    var wake = deadline
    if let tick = status.nextTick { wake = tick.earlier(of: wake) }
    guard output.recorder != nil else { return wake }
    // Reports that cause no update must also be recorded.
    return now.advanced(by: Self.maximumRecordingDelay).earlier(of: wake)
  }

  mutating func begin(at moment: Moment) { output.presenter.begin(at: moment) }

  /// Handles news. Returns how the run ends; `nil` if it continues.
  mutating func handle(_ news: SourceNews, at moment: Moment) throws(OutputError) -> RunResult? {
    switch news {
    case .update(let update, let number):
      // What is due at this moment comes first. Several sources are not woken for it in a replay.
      if let result = try expire(at: moment) { return result }
      return try perform(number) { source, output throws(OutputError) in
        try source.handle(update, at: moment, on: &output)
      }
    case .ended(let error, let number):
      if isOfSeveral, let result = try expire(at: moment) { return result }
      return try perform(number) { source, output throws(OutputError) in
        try source.end(error, at: moment, on: &output)
      }
    }
  }

  /// Makes the changes that only the passage of time causes. Returns how the run ends; `nil` if it continues.
  mutating func expire(at moment: Moment) throws(OutputError) -> RunResult? {
    // A loop over the indices would retain the array for each update.
    var number = 0
    while number < wakes.count {
      if wakes[number] <= moment.uptimeNanoseconds {
        let result = try perform(number) { source, output throws(OutputError) in
          try source.expire(at: moment, on: &output)
        }
        if let result { return result }
      }
      number += 1
    }
    return nil
  }

  mutating func flush(at moment: Moment) throws(OutputError) { try output.flush(at: moment) }

  /// Writes the rest of a run that ended at a moment.
  ///
  /// - Parameter waitsForReader: Whether to wait for a slow reader without a limit.
  mutating func finish(at moment: Moment, waitsForReader: Bool) throws(OutputError) {
    let running = members.filter { isOfSeveral && !$0.isOver }.map(\.name)
    for name in running + candidates { output.recorder?.recordTime(moment, of: name) }
    output.recorder?.recordEnd(at: moment)
    try output.finish(waitsForReader: waitsForReader && !isTimed)
  }
}

extension RunSources {
  /// Whether every source has ended, and no other can appear.
  var isOver: Bool { runningCount == 0 && (mayGrow.map { !$0() } ?? !members.isEmpty) }

  /// Returns what records the times and failures of one of several sources.
  func observer(of source: RunSource) -> PolledSources.Observer {
    guard isOfSeveral, let recorder = output.recorder else { return PolledSources.Observer() }
    let name = source.name
    return PolledSources.Observer(
      timePassed: { recorder.recordTime($0, of: name) },
      linkFailed: { recorder.recordFailure($0, of: name) })
  }

  /// Adds a source with a number. Its time begins now.
  mutating func add(_ source: RunSource, as number: Int) {
    sourceCount += 1
    output.add(source.options.style, as: number)
    let member = Member(source, makeSource(source, number))
    member.source.begin(at: source.clock.now)
    runningCount += 1
    if number < members.count {
      members[number] = member
    } else {
      members.append(member)
      wakes.append(.max)
    }
    wakes[number] = member.source.wake?.uptimeNanoseconds ?? .max
  }

  /// Performs an action of a source. Returns how the run ends, if it ends with the source.
  private mutating func perform(
    _ number: Int,
    _ body: (inout SourceFollower, inout SharedOutput) throws(OutputError) -> RunResult?
  ) throws(OutputError) -> RunResult? {
    let member = members[number]
    guard !member.isOver else { return nil }
    let result = try Self.perform(body, on: &member.source, &output, &wakes[number])
    guard let result else { return nil }
    end(number)
    hasGoodEnd = hasGoodEnd || result.isGood
    if result.exitStatus.seriousness > status.seriousness { status = result.exitStatus }
    if isOver {
      lastLog = member.source.parts.log
      return result
    }
    if let message = result.message { member.source.parts.log.error(message) }
    return nil
  }

  /// Performs an action of a source, and finds out when it has to be called again: in one access to the source, because
  /// each takes time.
  private static func perform(
    _ body: (inout SourceFollower, inout SharedOutput) throws(OutputError) -> RunResult?,
    on source: inout SourceFollower, _ output: inout SharedOutput, _ wake: inout Int64
  ) throws(OutputError) -> RunResult? {
    let result = try body(&source, &output)
    wake = source.wake?.uptimeNanoseconds ?? .max
    return result
  }

  private mutating func end(_ number: Int) {
    let member = members[number]
    guard !member.isOver else { return }
    endedCounts.add(member.source.parts.counts)
    member.isOver = true
    runningCount -= 1
    let moment = member.clock.now
    // Without this, a replay could not know how long the source was silent at its end.
    if isOfSeveral { output.recorder?.recordTime(moment, of: member.name) }
    member.source.parts.finish(at: moment, on: &output)
    latestEnd = moment
    member.didEnd()
    ended.append(number)
    wakes[number] = .max
  }

  /// Returns the number of a source that has ended, once; `nil` if there is none.
  mutating func takeEnded() -> Int? { ended.popLast() }
}

extension ExitStatus {
  /// The rank of a status among those of several sources.
  fileprivate var seriousness: Int {
    switch self {
    case .success: 0
    case .timedOut: 1
    case .unavailable: 2
    default: 3
    }
  }
}
