import EventLoop
import GPSDLocation
import LocationCore
import LocationTestKit
import Testing

@testable import LocwatchCLI

@Suite(.timeLimit(.minutes(5))) struct WatchTests {
  /// A fleet whose news a test brings.
  private final class Fleet {
    let clock = ManualClock()
    let updates = FleetUpdates()
    let changes: SourceChanges
    let presenter = RecordingPresenter()
    let messages: PipeEnds
    let log: Log
    let calls = Collector<String>()
    let options: Options
    let recording: PipeEnds?
    var watch: Watch

    init(_ arguments: String..., isRecorded: Bool = false) throws {
      options = try Options(arguments: arguments + ["a=h1", "b=h2"], environment: [:])
      changes = SourceChanges(of: updates)
      let messages = try PipeEnds()
      self.messages = messages
      log = Log(options, to: messages.descriptor)
      recording = isRecorded ? try PipeEnds() : nil
      watch = Watch(
        changes: changes,
        output: WatchOutput(
          presenter: presenter, recorder: recording.map { Recorder($0.descriptor) }),
        options: options
      ) { [log] source, number in
        SourceWatch(number, options: source.options, log: log.named(source.name))
      }
    }

    /// A source that says nothing by itself.
    func source(_ name: String) -> WatchedSource {
      let provider = ScriptedLocationSource(clock: clock, scripts: [.stayOpen])
      let target = NamedTarget(name, .gpsd(GPSDEndpoint(host: name), device: nil))
      return WatchedSource(
        options: options.member(target), updates: provider.updates(), clock: provider.clock,
        retry: { [calls] in calls.add("retry \(name)") },
        didEnd: { [calls] in calls.add("end \(name)") })
    }

    func request(_ changes: SourceChanges.Change...) { self.changes.request(changes) }

    /// Has the watch make the changes that were asked for. Returns whether the run is over.
    @discardableResult
    func change(_ changes: SourceChanges.Change..., at second: Double = 0) throws -> Bool {
      self.changes.request(changes)
      return try handle(.interrupted, at: second)
    }

    func moment(_ second: Double) -> Moment {
      Moment(uptime: .milliseconds(Int64((second * 1000).rounded())))
    }

    func fix(_ member: Int, at second: Double) throws -> Bool {
      try handle(.update(.fix(.scripted(second)), of: member), at: second)
    }

    func end(_ member: Int, _ code: LocationError.Code? = nil, at second: Double = 0) throws -> Bool
    {
      let error = code.map { LocationError($0, "it is \($0)") }
      return try handle(.ended(error, of: member), at: second)
    }

    /// Returns whether the run is over, and says why as the run of the command does.
    func handle(_ news: FleetNews, at second: Double) throws -> Bool {
      isOver(try watch.handle(news, at: moment(second)))
    }

    /// Returns whether the run is over.
    func expire(at second: Double) throws -> Bool { isOver(try watch.expire(at: moment(second))) }

    private func isOver(_ ending: Ending?) -> Bool {
      if let message = ending?.message { watch.lastLog?.say(message) }
      return ending != nil
    }

    var said: [String] {
      String(decoding: messages.readAll(), as: UTF8.self).split(separator: "\n").map {
        String($0.trimmingPrefix("locwatch: "))
      }
    }

    func wake(_ second: Double = 0) -> Double? {
      watch.wake(after: moment(second))?.uptime.inSeconds
    }
  }

  // Sources come and go

  @Test func `shows each source by its number, and those that were added while it runs`() throws {
    let fleet = try Fleet()
    fleet.watch.begin(at: fleet.moment(0))
    #expect(try fleet.change(.add(fleet.source("a")), .add(fleet.source("b"))) == false)
    #expect(try fleet.fix(1, at: 1) == false)
    #expect(try fleet.fix(0, at: 2) == false)
    try fleet.change(.add(fleet.source("c")), at: 3)
    #expect(try fleet.fix(2, at: 4) == false)
    #expect(
      fleet.presenter.takeCalls() == [
        "begin 0.0", "add a as 0", "add b as 1", "1 fix 1.0", "0 fix 2.0", "add c as 2",
        "2 fix 4.0",
      ])
    #expect(fleet.watch.sourceCount == 3)
    #expect(fleet.watch.counts.fixes == 3)
  }

  @Test func `takes a source that is removed out of the output, and uses its number again`() throws
  {
    let fleet = try Fleet()
    try fleet.change(.add(fleet.source("a")), .add(fleet.source("b")))
    #expect(try fleet.fix(0, at: 1) == false)
    _ = fleet.presenter.takeCalls()
    #expect(try fleet.change(.remove("a"), at: 2) == false)
    #expect(fleet.presenter.takeCalls() == ["remove 0"])
    #expect(fleet.calls.values == ["end a"])
    // What it says late is not shown.
    #expect(try fleet.fix(0, at: 3) == false)
    #expect(try fleet.end(0, .unreachable, at: 3) == false)
    #expect(fleet.presenter.takeCalls() == [])
    #expect(fleet.watch.status == .success)
    try fleet.change(.add(fleet.source("c")), at: 4)
    #expect(try fleet.fix(0, at: 5) == false)
    #expect(fleet.presenter.takeCalls() == ["add c as 0", "0 fix 5.0"])
    #expect(fleet.watch.counts.fixes == 2)
    #expect(fleet.watch.sourceCount == 3)
    #expect(fleet.said == [])
  }

  @Test func `ends when the last of the sources that are left has ended`() throws {
    let fleet = try Fleet()
    try fleet.change(.add(fleet.source("a")), .add(fleet.source("b")))
    #expect(try fleet.end(0) == false)
    #expect(try fleet.change(.remove("b")) == true)
    #expect(fleet.calls.values == ["end a", "end b"])
    // Another one may have been asked for meanwhile.
    let other = try Fleet()
    try other.change(.add(other.source("a")))
    other.request(.add(other.source("b")))
    #expect(try other.end(0) == false)
    #expect(try other.change() == false)
    #expect(try other.end(0) == true)
  }

  @Test func `is not over before there was a source`() throws {
    let fleet = try Fleet()
    #expect(try fleet.change() == false)
    #expect(try fleet.expire(at: 1) == false)
  }

  @Test func `replaces a source by one of the same name`() throws {
    let fleet = try Fleet()
    try fleet.change(.add(fleet.source("a")), .add(fleet.source("b")))
    _ = fleet.presenter.takeCalls()
    try fleet.change(.remove("a"), .add(fleet.source("a")))
    #expect(fleet.presenter.takeCalls() == ["remove 0", "add a as 0"])
    // One that has ended is not the one of that name.
    #expect(try fleet.end(0) == false)
    try fleet.change(.add(fleet.source("a")))
    _ = fleet.presenter.takeCalls()
    try fleet.change(.remove("a"))
    #expect(fleet.presenter.takeCalls().count == 1)
    try fleet.change(.remove("nobody"))
    #expect(fleet.presenter.takeCalls() == [])
  }

  @Test func `follows the last of several lists`() throws {
    let fleet = try Fleet()
    func targets(_ names: String...) -> [NamedTarget] {
      names.map { NamedTarget($0, .gpsd(GPSDEndpoint(host: $0), device: nil)) }
    }
    let lists = [targets("a", "b"), targets("b", "c", "x"), targets("c", "a"), targets("c", "d")]
    for (old, new) in zip([[]] + lists, lists) {
      fleet.changes.request(TargetList.changes(from: old, to: new)) { fleet.source($0.name) }
    }
    // All at once, because the signals came in quick succession.
    try fleet.change()
    var running: [String] = []
    for call in fleet.presenter.takeCalls() {
      let words = call.split(separator: " ")
      guard let number = words.last.flatMap({ Int($0) }) else { continue }
      while running.count <= number { running.append("-") }
      running[number] = words[0] == "add" ? String(words[1]) : "-"
    }
    #expect(Set(running).subtracting(["-"]) == ["c", "d"])
    #expect(Set(fleet.calls.values.filter { $0.hasPrefix("end") }) == ["end a", "end b", "end x"])
  }

  @Test func `has sources look again for their receivers, but not those that have ended`() throws {
    let fleet = try Fleet()
    try fleet.change(.add(fleet.source("a")), .add(fleet.source("b")), .add(fleet.source("c")))
    #expect(try fleet.end(1) == false)
    try fleet.change(.retry)
    #expect(fleet.calls.values == ["end b", "retry a", "retry c"])
    // Those that are new begin with a look anyway.
    fleet.changes.request(TargetList.Changes(added: [NamedTarget("d", .tty("/dev/d"))])) { _ in
      fleet.source("d")
    }
    try fleet.change()
    #expect(fleet.calls.values.suffix(2) == ["retry a", "retry c"])
  }

  @Test func `knows whether changes wait`() throws {
    let fleet = try Fleet()
    #expect(fleet.changes.isEmpty)
    fleet.request(.retry)
    #expect(!fleet.changes.isEmpty)
    #expect(fleet.updates.nextQueued() != nil)
    #expect(try fleet.handle(.interrupted, at: 0) == false)
    #expect(fleet.changes.isEmpty)
  }

  // How it ends

  @Test(
    arguments: [
      ([nil, nil], .success), ([nil, .timedOut], .timedOut), ([.timedOut, nil], .timedOut),
      ([.timedOut, .unreachable], .unavailable), ([.unreachable, .timedOut], .unavailable),
      ([.unreachable, .cannotOpen], .noInput), ([.cannotOpen, .unreachable], .noInput),
      ([.cannotOpen, .timedOut], .noInput), ([nil, .unreachable], .unavailable),
      ([.locationUnknown, nil], .timedOut),
      // Of two that are as serious, the first.
      ([.cannotOpen, LocationError.Code(rawValue: "odd")], .noInput),
      ([LocationError.Code(rawValue: "odd"), .cannotOpen], .fault),
    ] as [([LocationError.Code?], LocwatchCLI.ExitStatus)])
  func `has the status of the source for which it went worst`(
    codes: [LocationError.Code?], status: LocwatchCLI.ExitStatus
  ) throws {
    let fleet = try Fleet()
    try fleet.change(.add(fleet.source("a")), .add(fleet.source("b")))
    #expect(try fleet.end(0, codes[0]) == false)
    #expect(try fleet.end(1, codes[1]) == true)
    #expect(fleet.watch.status == status)
    let names = zip(["a", "b"], codes).filter { $0.1 != nil }.map(\.0)
    #expect(Set(fleet.said.map { String($0.prefix(1)) }) == Set(names))
  }

  @Test func `names the source that has ended, and why`() throws {
    let fleet = try Fleet()
    try fleet.change(.add(fleet.source("a")), .add(fleet.source("b")))
    #expect(try fleet.end(1, .cannotOpen) == false)
    #expect(fleet.said == ["b: it is cannotOpen"])
    #expect(fleet.calls.values == ["end b"])
  }

  @Test func `is done with a source that has its fixes, and with the run when all have`() throws {
    let fleet = try Fleet("-n", "2")
    try fleet.change(.add(fleet.source("a")), .add(fleet.source("b")))
    #expect(try fleet.fix(0, at: 1) == false)
    #expect(try fleet.fix(0, at: 2) == false)
    #expect(fleet.calls.values == ["end a"])
    #expect(try fleet.fix(0, at: 3) == false)
    #expect(try fleet.fix(1, at: 3) == false)
    #expect(try fleet.fix(1, at: 4) == true)
    #expect(fleet.watch.status == .success)
    #expect(fleet.watch.counts.fixes == 4)
  }

  @Test func `is over with the first fix of any source, whatever happened to the others`() throws {
    let fleet = try Fleet("-1", "--any")
    try fleet.change(.add(fleet.source("a")), .add(fleet.source("b")), .add(fleet.source("c")))
    #expect(try fleet.end(0, .unreachable) == false)
    #expect(fleet.watch.status == .unavailable)
    #expect(try fleet.fix(1, at: 1) == true)
    #expect(fleet.watch.status == .success)
    // Without a fix of any, the worst counts.
    let none = try Fleet("-1", "--any")
    try none.change(.add(none.source("a")), .add(none.source("b")))
    #expect(try none.end(0, .unreachable) == false)
    #expect(try none.end(1) == true)
    #expect(none.watch.status == .unavailable)
  }

  @Test func `waits for every source without --any, and for the end of a source with it`() throws {
    let fleet = try Fleet("-1")
    try fleet.change(.add(fleet.source("a")), .add(fleet.source("b")))
    #expect(try fleet.fix(1, at: 1) == false)
    let any = try Fleet("-1", "--any")
    try any.change(.add(any.source("a")), .add(any.source("b")))
    #expect(try any.end(0, .timedOut) == false)
    #expect(any.watch.status == .timedOut)
  }

  @Test func `ends when the output fails, whichever source writes`() throws {
    let fleet = try Fleet("-v")
    try fleet.change(.add(fleet.source("a")), .add(fleet.source("b")))
    fleet.presenter.set(\.failure, to: .closed)
    do throws(Ending) {
      _ = try fleet.watch.handle(
        .update(.report(.service(LocationService(name: "gpsd 3.22"))), of: 1), at: fleet.moment(1))
      Issue.record("it goes on")
    } catch {
      guard case .output(.closed) = error else {
        Issue.record("\(error)")
        return
      }
    }
    #expect(fleet.calls.values == [])
  }

  // Time

  @Test func `gives each source its own time`() throws {
    let fleet = try Fleet("-t", "2")
    try fleet.change(.add(fleet.source("a")))
    #expect(fleet.wake() == 2)
    fleet.clock.advance(by: .seconds(1))
    try fleet.change(.add(fleet.source("b")), at: 1)
    #expect(fleet.wake() == 2)
    #expect(try fleet.expire(at: 1.999) == false)
    #expect(fleet.calls.values == [])
    #expect(try fleet.expire(at: 2) == false)
    #expect(fleet.calls.values == ["end a"])
    #expect(fleet.wake() == 3)
    #expect(try fleet.expire(at: 3) == true)
    #expect(fleet.wake() == nil)
    #expect(
      fleet.said.map { $0.prefix(23) }.filter { $0.contains("no fix") } == [
        "a: no fix within 2 s: a", "b: no fix within 2 s: b",
      ])
    #expect(fleet.watch.status == .unavailable)
  }

  @Test func `begins the time of a source again with a fix, and forgets that of one that ended`()
    throws
  {
    let fleet = try Fleet("-t", "2")
    try fleet.change(.add(fleet.source("a")), .add(fleet.source("b")))
    #expect(try fleet.fix(0, at: 1) == false)
    #expect(fleet.wake() == 2)
    #expect(try fleet.end(1, at: 1.5) == false)
    #expect(fleet.wake() == 3)
    try fleet.change(.remove("a"))
    #expect(fleet.wake() == nil)
  }

  @Test func `has followed the time before it takes what came later`() throws {
    // A replay does not wake up for the time alone.
    let fleet = try Fleet("-t", "2")
    try fleet.change(.add(fleet.source("a")), .add(fleet.source("b")))
    #expect(try fleet.fix(1, at: 1) == false)
    #expect(try fleet.fix(1, at: 2.5) == false)
    #expect(fleet.calls.values == ["end a"])
    #expect(try fleet.end(1, at: 4.5) == true)
    // It had no fix for two seconds before it ended.
    #expect(fleet.watch.status == .unavailable)
    #expect(fleet.calls.values == ["end a", "end b"])
  }

  @Test func `counts each source's own time with --duration`() throws {
    let fleet = try Fleet("--duration", "5")
    try fleet.change(.add(fleet.source("a")), .add(fleet.source("b")))
    #expect(try fleet.expire(at: 5) == true)
    #expect(fleet.watch.status == .success)
    #expect(fleet.said == [])
  }

  @Test func `wakes for the table, too`() throws {
    let fleet = try Fleet("-t", "2")
    try fleet.change(.add(fleet.source("a")))
    fleet.presenter.set(\.status.nextTick, to: fleet.moment(1))
    #expect(fleet.wake() == 1)
    fleet.presenter.set(\.status.nextTick, to: fleet.moment(3))
    #expect(fleet.wake() == 2)
    #expect(fleet.watch.deadline == fleet.moment(2))
  }

  @Test func `wakes within a second to record what caused no update`() throws {
    let fleet = try Fleet(isRecorded: true)
    #expect(fleet.wake(5) == 6)
    let timed = try Fleet("-t", "2", isRecorded: true)
    try timed.change(.add(timed.source("a")))
    #expect(timed.wake(0) == 1)
    #expect(timed.wake(1.5) == 2)
  }

  @Test func `gives no advice`() throws {
    let fleet = try Fleet()
    try fleet.change(.add(fleet.source("a")))
    #expect(try fleet.expire(at: 10_000) == false)
    #expect(fleet.said == [])
    #expect(fleet.wake() == nil)
  }

  // The output

  @Test func `drops the fixes of a source for which there is no room, and counts them`() throws {
    let fleet = try Fleet()
    try fleet.change(.add(fleet.source("a")), .add(fleet.source("b")))
    fleet.presenter.set(\.full, to: [1])
    _ = fleet.presenter.takeCalls()
    for second in 1...3 {
      _ = try fleet.fix(0, at: Double(second))
      _ = try fleet.fix(1, at: Double(second))
    }
    #expect(fleet.presenter.takeCalls() == ["0 fix 1.0", "0 fix 2.0", "0 fix 3.0"])
    #expect(fleet.watch.counts.fixes == 3)
    #expect(fleet.watch.counts.drops == 3)
    try fleet.change(.remove("b"))
    #expect(fleet.watch.counts.drops == 3)
    #expect(try fleet.end(0) == true)
    #expect(fleet.watch.counts.fixes == 3)
  }

  @Test func `writes when it is asked to`() throws {
    let fleet = try Fleet()
    try fleet.change(.add(fleet.source("a")))
    _ = fleet.presenter.takeCalls()
    try fleet.watch.flush(at: fleet.moment(3))
    #expect(fleet.presenter.takeCalls() == ["flush 3.0"])
    #expect(!fleet.watch.output.status.hasPending)
    fleet.presenter.set(\.status.hasPending, to: true)
    #expect(fleet.watch.output.status.hasPending)
    #expect(fleet.watch.output.status.blocked == nil)
    let descriptor = fleet.messages.descriptor
    fleet.presenter.set(\.status.blocked, to: descriptor)
    #expect(fleet.watch.output.status.blocked === descriptor)
  }

  @Test func `waits for the reader at the end, but not with --duration`() throws {
    let fleet = try Fleet()
    try fleet.watch.finish(at: fleet.moment(1), waitsForReader: true)
    try fleet.watch.finish(at: fleet.moment(1), waitsForReader: false)
    #expect(fleet.presenter.takeCalls() == ["finish true", "finish false"])
    let timed = try Fleet("--duration", "5")
    try timed.watch.finish(at: timed.moment(1), waitsForReader: true)
    #expect(timed.presenter.takeCalls() == ["finish false"])
  }

  @Test func `writes the recording with the output, and to its end`() async throws {
    let fleet = try Fleet(isRecorded: true)
    try fleet.change(.add(fleet.source("a")))
    // The beginning of the source is recorded.
    while fleet.updates.nextQueued()?.isUpdate != true { await Task.yield() }
    #expect(fleet.watch.output.status.hasPending)
    try fleet.watch.flush(at: fleet.moment(1))
    #expect(!fleet.watch.output.status.hasPending)
    let recorded = String(decoding: try #require(fleet.recording).readAll(), as: UTF8.self)
    #expect(recorded.hasPrefix(#"{"class":"LOCWATCH","t":0.000,"#))
    #expect(recorded.contains(#""source":"a""#))
    #expect(recorded.split(separator: "\n").count == 1)
    try fleet.watch.finish(at: fleet.moment(1), waitsForReader: true)
    await fleet.updates.close()
  }

  // With the main loop

  @Test func `runs until all have ended, and closes them`() async throws {
    let clock = ManualClock()
    let options = try Options(arguments: ["-1", "-t", "5", "a=h1", "b=h2"], environment: [:])
    let updates = FleetUpdates()
    let changes = SourceChanges(of: updates)
    let presenter = RecordingPresenter()
    let pipe = try PipeEnds()
    let sources = [
      ScriptedLocationSource(
        clock: clock, scripts: [.wait(.seconds(1)), .event(.fix(.scripted(1))), .stayOpen]),
      ScriptedLocationSource(
        clock: clock,
        scripts: [.event(.service(LocationService(name: "gpsd 3.22"))), .stayOpen]),
    ]
    changes.request(
      zip(options.fleet, sources).map { target, source in
        let options = options.member(target)
        return .add(
          WatchedSource(
            options: options, updates: options.updates(of: source), clock: source.clock))
      })
    let log = Log(options, to: pipe.descriptor)
    let watch = Watch(
      changes: changes, output: WatchOutput(presenter: presenter, recorder: nil), options: options
    ) { source, number in
      SourceWatch(number, options: source.options, log: log.named(source.name))
    }
    var loop = WatchLoop(
      feed: FleetFeed(updates: updates, clock: clock.locationClock), clock: clock.locationClock,
      watch: watch, options: options, on: try #require(EventLoop.shared))
    let ending = await clock.whileAdvancing { await loop.run() }
    #expect(ending.exitStatus == .timedOut)
    #expect(loop.watch.status == .timedOut)
    loop.watch.lastLog?.say(ending.message ?? "")
    #expect(clock.locationClock.now.uptime == .seconds(5))
    #expect(
      presenter.takeCalls().filter { !$0.hasPrefix("flush") } == [
        "begin 0.0", "add a as 0", "add b as 1", "0 connecting 0.0", "1 connecting 0.0",
        "1 report 0.0", "0 fix-3d 1.0", "0 fix 1.0", "finish true",
      ])
    #expect(
      String(decoding: pipe.readAll(), as: UTF8.self)
        .hasPrefix("locwatch: b: no fix within 5 s: gpsd 3.22 answers"))
    for source in sources { #expect(source.calls.last == .close) }
  }
}

extension TimedRead<FleetNews> {
  fileprivate var isUpdate: Bool {
    if case .value(.update, _) = self { true } else { false }
  }
}
