import EventLoop
package import LocationCore
import Synchronization

/// A source of a fleet: its options, and its updates.
package struct FleetSource: Sendable {
  let options: Options
  let updates: LocationUpdates
  /// The clock of the updates.
  let clock: LocationClock
  /// Called when the user asks for another attempt.
  let retry: @Sendable () -> Void
  /// Called when the source has ended.
  let didEnd: @Sendable () -> Void

  package init(
    options: Options, updates: LocationUpdates, clock: LocationClock,
    retry: @escaping @Sendable () -> Void = {}, didEnd: @escaping @Sendable () -> Void = {}
  ) {
    self.options = options
    self.updates = updates
    self.clock = clock
    self.retry = retry
    self.didEnd = didEnd
  }

  var name: String { options.source ?? "" }
}

/// Sources that are to be added to a running fleet, or removed from it.
final class FleetChanges: Sendable {
  enum Change: Sendable {
    case add(FleetSource)
    case remove(String)
    /// Has sources that wait for their receivers look for them now.
    case retry
  }

  private let changes = Mutex<[Change]>([])
  private let updates: FleetUpdates

  init(of updates: FleetUpdates) { self.updates = updates }

  /// Asks for changes, which are made together. It may be called from any thread.
  func request(_ changes: [Change]) {
    self.changes.withLock { $0 += changes }
    updates.interrupt()
  }

  var isEmpty: Bool { changes.withLock(\.isEmpty) }

  fileprivate func takeAll() -> [Change] {
    changes.withLock { changes in
      defer { changes = [] }
      return changes
    }
  }
}

/// Handles the updates of several sources, each as a ``Follower`` would alone, and decides when the run
/// is done: when every source is. The end of one source leaves the others as they are.
struct FleetFollower: FeedFollower {
  /// A class, because an array of a thousand of them has room for twice as many while it grows.
  private final class Member {
    let name: String
    let log: Log
    var follower: Follower
    var isOver = false
    let retry: @Sendable () -> Void
    let didEnd: @Sendable () -> Void

    init(_ source: FleetSource, _ log: Log, _ follower: Follower) {
      name = source.name
      self.log = log
      self.follower = follower
      retry = source.retry
      didEnd = source.didEnd
    }
  }

  /// The longest time for which a line stays unrecorded.
  private static let maximumRecordingDelay = Duration.seconds(1)

  private let options: Options
  private let mayGrow: @Sendable () -> Bool
  private let updates: FleetUpdates
  private let changes: FleetChanges
  private var output: FleetOutput
  private let recorder: Recorder?
  private let log: Log
  private let actor: (any Actor)?
  private let makeFollower: @Sendable (FleetSource, any Presenter, Log) -> Follower
  /// The sources by their numbers, with those that have ended.
  private var members: [Member] = []
  /// When each member has to be asked, in nanoseconds of uptime.
  private var wakes: [Int64] = []
  private var earliest = Int64.max
  /// The most serious status of a source that has ended.
  private(set) var status = ExitStatus.success
  private var isEnough = false

  /// - Parameters:
  ///   - mayGrow: Returns whether sources may still appear, so that the run goes on without any. If that
  ///     changes, the updates have to be interrupted.
  ///   - actor: Where the sources run.
  ///   - makeFollower: Returns the follower of a source.
  init(
    _ updates: FleetUpdates, changes: FleetChanges, output: FleetOutput, recorder: Recorder?,
    log: Log, options: Options, mayGrow: @escaping @Sendable () -> Bool = { false },
    on actor: (any Actor)?,
    makeFollower: @escaping @Sendable (FleetSource, any Presenter, Log) -> Follower
  ) {
    self.updates = updates
    self.changes = changes
    self.output = output
    self.recorder = recorder
    self.log = log
    self.options = options
    self.mayGrow = mayGrow
    self.actor = actor
    self.makeFollower = makeFollower
  }

  /// The counts of all sources.
  var counts: Follower.Counts {
    var counts = endedCounts
    for member in members where !member.isOver { counts.add(member.follower.counts) }
    counts.unwritten = output.unwrittenRecords
    return counts
  }

  /// How many sources there were.
  private(set) var sourceCount = 0
  /// The counts of sources that have ended.
  private var endedCounts = Follower.Counts()

  var hasPending: Bool { output.hasPending || recorder?.hasPending == true }
  var blockedOutput: Descriptor? { output.blockedOutput ?? recorder?.blockedOutput }
  var deadline: Moment? { nil }

  mutating func begin(at moment: Moment) {
    // A message of any source is written in the place of the table.
    log.show { [output] _ in
      output.clearLiveLines()
      return false
    }
    output.begin(at: moment)
  }

  mutating func wake(after now: @autoclosure () -> Moment) -> Moment? {
    var wake = earliest == .max ? nil : Moment(uptimeNanoseconds: earliest, wall: nil)
    if recorder != nil { wake = now().advanced(by: Self.maximumRecordingDelay).earlier(of: wake) }
    if let tick = output.nextTick { wake = tick.earlier(of: wake) }
    return wake
  }

  mutating func take(_ news: FleetNews, at moment: Moment) throws(Ending) -> Bool {
    switch news {
    case .interrupted:
      for change in changes.takeAll() {
        switch change {
        case .add(let source): add(source)
        case .remove(let name): remove(name)
        case .retry: for member in members where !member.isOver { member.retry() }
        }
      }
      return isOver
    case .update(let update, let member):
      try catchUp(to: moment)
      guard !members[member].isOver else { return isOver }
      return try perform(member) { (follower: inout Follower) throws(Ending) in
        try follower.take(update, at: moment) ? .done : nil
      }
    case .ended(let error, let member):
      try catchUp(to: moment)
      return try perform(member) { (follower: inout Follower) throws(Ending) in
        if let error { throw follower.ending(error) }
        return try follower.end()
      }
    }
  }

  /// Gives no advice: the table or the records say which sources have no fix.
  func advise(at moment: Moment) {}

  mutating func expire(at moment: Moment) throws(Ending) -> Bool {
    try catchUp(to: moment)
    return isOver
  }

  /// Has each member do what follows from the time alone. A replay does not wake up for it.
  private mutating func catchUp(to moment: Moment) throws(Ending) {
    guard earliest <= moment.uptimeNanoseconds else { return }
    for member in members.indices where wakes[member] <= moment.uptimeNanoseconds {
      _ = try perform(member) { (follower: inout Follower) throws(Ending) in
        try follower.expire(at: moment) ? .done : nil
      }
    }
  }

  func end() throws(Ending) -> Ending { .ended }

  func ending(_ error: LocationError) -> Ending { .failed(error, error.description) }

  mutating func flushIfWorthwhile(at moment: Moment) throws(Ending) {
    if output.isWorthFlushing { try flush(at: moment) }
  }

  mutating func flush(at moment: Moment) throws(Ending) {
    try output.flush(at: moment, and: recorder)
  }

  mutating func finish(at moment: Moment, waitsForReader: Bool) throws(OutputError) {
    for member in members where !member.isOver { recorder?.noteTime(moment, of: member.name) }
    recorder?.noteEnd(at: moment)
    try output.finish(and: recorder, options, waitsForReader: waitsForReader)
  }
}

extension FleetFollower {
  /// Whether every source has ended, or one was enough.
  private var isOver: Bool {
    isEnough || !mayGrow() && changes.isEmpty && members.allSatisfy(\.isOver) && !members.isEmpty
  }

  private mutating func add(_ source: FleetSource) {
    sourceCount += 1
    let name = source.name
    var timePassed: (@Sendable (Moment) -> Void)?
    if let recorder { timePassed = { recorder.noteTime($0, of: name) } }
    let member = updates.add(source.updates, on: actor, timePassed: timePassed)
    output.add(source.options, as: member)
    let log = source.options.source.map(log.named) ?? log
    let new = Member(source, log, makeFollower(source, output.part(of: member), log))
    new.follower.begin(at: source.clock.now)
    if member < members.count {
      members[member] = new
    } else {
      members.append(new)
      wakes.append(.max)
    }
    noteWake(of: member)
  }

  private mutating func remove(_ name: String) {
    guard let member = members.firstIndex(where: { $0.name == name && !$0.isOver }) else { return }
    end(member)
    output.remove(member)
  }

  /// Has a member do something, and notes its ending if there is one.
  ///
  /// - Returns: Whether the run is over.
  private mutating func perform(
    _ member: Int, _ body: (inout Follower) throws(Ending) -> Ending?
  ) throws(Ending) -> Bool {
    guard !members[member].isOver else { return isOver }
    let ending: Ending?
    do throws(Ending) {
      ending = try body(&members[member].follower)
    } catch {
      ending = error
    }
    noteWake(of: member)
    guard let ending else { return false }
    if case .output = ending { throw ending }
    end(member)
    if let message = ending.message { members[member].log.say(message) }
    if ending.exitStatus.seriousness > status.seriousness { status = ending.exitStatus }
    if case .done = ending, options.takesAny {
      status = .success
      isEnough = true
    }
    return isOver
  }

  private mutating func end(_ member: Int) {
    guard !members[member].isOver else { return }
    endedCounts.add(members[member].follower.counts)
    members[member].isOver = true
    members[member].didEnd()
    updates.remove(member)
    noteWake(of: member)
  }

  private mutating func noteWake(of member: Int) {
    var wake = Int64.max
    if !members[member].isOver, let moment = members[member].follower.wake(after: .past) {
      wake = moment.uptimeNanoseconds
    }
    guard wake != wakes[member] else { return }
    wakes[member] = wake
    earliest = wakes.min() ?? .max
  }
}

extension ExitStatus {
  /// The order of the statuses of several sources.
  fileprivate var seriousness: Int {
    switch self {
    case .success: 0
    case .timedOut: 1
    case .unavailable: 2
    default: 3
    }
  }
}

/// The news of a fleet.
struct FleetFeed: UpdateFeed {
  let updates: FleetUpdates
  let clock: LocationClock

  mutating func next(until deadline: Moment?) async throws(LocationError) -> TimedRead<FleetNews> {
    await updates.next(until: deadline, by: clock)
  }

  mutating func nextQueued(until deadline: Moment?) -> TimedRead<FleetNews>? {
    updates.nextQueued()
  }

  mutating func close() async { await updates.close() }
}
