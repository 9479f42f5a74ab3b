import GPSDLocation
import LocationCore
import LocationTestKit
import Testing

@testable import LocwatchCLI
@testable import LocwatchReceivers
@testable import LocwatchRecordings
@testable import LocwatchSystem

/// Fault 84.
@Suite(.timeLimit(.minutes(5))) struct WatchTests {
  // Sources come and go

  @Test func `reuses the number of a source that has ended`() throws {
    let fleet = try WatchedFleet()
    try fleet.add("a", "b")
    #expect(try fleet.fix(0, at: 1) == false)
    _ = fleet.presenter.takeCalls()
    #expect(try fleet.end(0, at: 2) == false)
    #expect(fleet.calls.values == ["end a"])
    // What it says late is not shown.
    #expect(try fleet.fix(0, at: 3) == false)
    #expect(try fleet.end(0, .unreachable, at: 3) == false)
    #expect(fleet.presenter.takeCalls() == [])
    #expect(fleet.watch.status == .success)
    try fleet.add("c", at: 4)
    #expect(try fleet.fix(0, at: 5) == false)
    #expect(fleet.presenter.takeCalls() == ["add c as 0", "0 fix 5.0"])
    #expect(fleet.watch.counts.fixes == 2)
    #expect(fleet.watch.sourceCount == 3)
    #expect(fleet.said == [])
  }

  @Test func `wakes for the source that is first, whichever that is`() throws {
    let fleet = try WatchedFleet("-q", "--timeout=10s")
    try fleet.add("a")
    fleet.clock.jump(by: .seconds(3))
    try fleet.add("b")
    #expect(fleet.wake() == 10)
    // The first becomes the last, and again.
    #expect(try !fleet.fix(0, at: 4))
    #expect(fleet.wake() == 13)
    #expect(try !fleet.fix(1, at: 5))
    #expect(fleet.wake() == 14)
    #expect(try !fleet.fix(1, at: 6))
    #expect(fleet.wake() == 14)
    #expect(try !fleet.end(0, at: 7))
    #expect(fleet.wake() == 16)
    #expect(try fleet.end(1, at: 8))
    #expect(fleet.wake() == nil)
  }

  @Test func `reports to the output once that a source has ended`() throws {
    let fleet = try WatchedFleet()
    try fleet.add("a", "b", "c")
    #expect(try fleet.end(1) == false)
    #expect(fleet.presenter.ended == [1])
    #expect(try fleet.end(1) == false)
    #expect(fleet.presenter.ended == [1])
  }

  @Test func `ends when the last remaining source has ended`() throws {
    let fleet = try WatchedFleet()
    try fleet.add("a", "b")
    #expect(try fleet.end(0) == false)
    #expect(try fleet.end(1) == true)
    #expect(fleet.calls.values == ["end a", "end b"])
    // Another one may have appeared meanwhile.
    let other = try WatchedFleet()
    try other.add("a")
    other.newSources.add([other.source("b")])
    #expect(try other.end(0) == false)
    #expect(try other.add() == false)
    #expect(try other.end(0) == true)
  }

  @Test func `is not over before there was a source`() throws {
    let fleet = try WatchedFleet()
    #expect(try fleet.add() == false)
    #expect(try fleet.expire(at: 1) == false)
  }

  @Test func `records of each source of the best when the run ended`() throws {
    let recording = try PipeEnds()
    let recorder = Recorder(recording.descriptor)
    let log = Log(isVerbose: false, isQuiet: true)
    var watch = Watch(
      output: WatchOutput(presenter: RecordingPresenter(), recorder: recorder),
      candidates: ["a", "b"]
    ) { source, number in SourceWatch(number, source.plan, log: log) }
    let line = GPSDLines(bytes: Array("{}\n".utf8)[...], received: Moment(uptime: .seconds(1)))
    recorder.keep(line, of: "a")
    try watch.finish(at: Moment(uptime: .seconds(6)), waitsForReader: false)
    let text = String(decoding: recording.readAll(), as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline)
    #expect(
      lines.suffix(2) == [
        #"{"class":"LOCWATCH","t":5.000,"source":"a"}"#,
        #"{"class":"LOCWATCH","t":5.000,"source":"b"}"#,
      ])
  }

  @Test func `knows whether sources wait to be added`() throws {
    let fleet = try WatchedFleet()
    #expect(fleet.newSources.isEmpty)
    fleet.newSources.add([fleet.source("a")])
    #expect(!fleet.newSources.isEmpty)
    #expect(fleet.updates.nextQueued() != nil)
    #expect(try fleet.handle(.interrupted, at: 0) == false)
    #expect(fleet.newSources.isEmpty)
  }

  // How it ends

  @Test(
    arguments: [
      ([nil, nil], .success), ([nil, .timedOut], .timedOut), ([.timedOut, nil], .timedOut),
      ([.timedOut, .unreachable], .unavailable), ([.unreachable, .timedOut], .unavailable),
      ([.unreachable, .cannotOpen], .noInput), ([.cannotOpen, .unreachable], .noInput),
      ([.cannotOpen, .timedOut], .noInput), ([nil, .unreachable], .unavailable),
      ([.locationUnknown, nil], .timedOut),
      // If two are equally serious, the first.
      ([.cannotOpen, LocationError.Code(rawValue: "odd")], .noInput),
      ([LocationError.Code(rawValue: "odd"), .cannotOpen], .fault),
    ] as [([LocationError.Code?], LocwatchSystem.ExitStatus)])
  func `has the worst status of any source`(
    codes: [LocationError.Code?], status: LocwatchSystem.ExitStatus
  ) throws {
    let fleet = try WatchedFleet()
    try fleet.add("a", "b")
    #expect(try fleet.end(0, codes[0]) == false)
    #expect(try fleet.end(1, codes[1]) == true)
    #expect(fleet.watch.status == status)
    let names = zip(["a", "b"], codes).filter { $0.1 != nil }.map(\.0)
    #expect(Set(fleet.said.map { String($0.prefix(1)) }) == Set(names))
  }

  @Test(
    arguments: [
      ([nil, .unreachable], true), ([.unreachable, nil], true), ([.timedOut, .unreachable], false),
    ] as [([LocationError.Code?], Bool)])
  func `has a good end if any of its sources has one`(
    codes: [LocationError.Code?], isGood: Bool
  ) throws {
    let fleet = try WatchedFleet()
    try fleet.add("a", "b")
    #expect(!fleet.watch.hasGoodEnd)
    #expect(try fleet.end(0, codes[0]) == false)
    #expect(fleet.watch.hasGoodEnd == (codes[0] == nil))
    #expect(try fleet.end(1, codes[1]) == true)
    #expect(fleet.watch.hasGoodEnd == isGood)
  }

  @Test func `is copied with its sources, which stay as they were`() throws {
    let fleet = try WatchedFleet()
    let beginning = fleet.watch.copy()
    try fleet.add("a", "b")
    #expect(try !fleet.fix(0, at: 1))
    let middle = fleet.watch.copy()
    #expect(try !fleet.fix(0, at: 1))
    #expect(try !fleet.end(0, .cannotOpen, at: 2))
    #expect(fleet.watch.end == nil && fleet.watch.lastLog == nil)
    fleet.clock.jump(by: .seconds(3))
    #expect(try fleet.end(1, at: 3))
    #expect(fleet.watch.end?.uptime == .seconds(3) && fleet.watch.lastLog != nil)
    #expect(fleet.watch.status == .noInput && fleet.watch.hasGoodEnd)
    #expect(fleet.watch.sourceCount == 2 && fleet.watch.counts.fixes == 2)
    fleet.watch = middle.copy()
    #expect(fleet.watch.end == nil && fleet.watch.status == .success)
    #expect(fleet.watch.sourceCount == 2 && fleet.watch.counts.fixes == 1)
    #expect(try !fleet.fix(0, at: 1) && fleet.watch.counts.fixes == 2 && middle.counts.fixes == 1)
    fleet.watch = beginning
    #expect(fleet.watch.end == nil && fleet.watch.lastLog == nil)
    #expect(fleet.watch.status == .success && !fleet.watch.hasGoodEnd)
    #expect(fleet.watch.sourceCount == 0 && fleet.watch.counts.fixes == 0)
    #expect(fleet.watch.deadline == nil)
  }

  @Test func `ends when the output fails, whichever source writes`() throws {
    let fleet = try WatchedFleet("-v")
    try fleet.add("a", "b")
    fleet.presenter.set(\.failure, to: .closed)
    do throws(OutputError) {
      _ = try fleet.watch.handle(
        .update(.event(.service(LocationService(name: "gpsd 3.22"))), of: 1), at: fleet.moment(1))
      Issue.record("it goes on")
    } catch {
      #expect(error == .closed)
    }
    #expect(fleet.calls.values == [])
  }
}
