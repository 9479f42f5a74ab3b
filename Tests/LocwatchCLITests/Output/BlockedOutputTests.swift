import Foundation
import Glibc
import LocationCore
import LocationTestKit
import Synchronization
import Testing

@testable import GPSDLocation
@testable import LocationFormats
@testable import LocationText
@testable import LocwatchCLI
@testable import LocwatchRecordings
@testable import LocwatchSystem
@testable import LocwatchTerminal

/// Fault 24, on a pipe of the test's own: as many seconds as are wanted, in no time.
/// Fault 79.
@Suite struct `Output that nobody reads` {
  private func moment(_ tenths: Int) -> Moment {
    Moment(
      uptime: .milliseconds(100 * tenths),
      wall: Samples.time(0, 0).advanced(by: .milliseconds(100 * tenths)))
  }

  private func fix(_ tenths: Int) -> LocationUpdate {
    var fix = Samples.fix
    fix.time = moment(tenths).wall
    fix.received = moment(tenths).wall
    return .fix(fix)
  }

  /// Presents as the run does: what has no room is dropped and counted.
  private func present(
    _ updates: [(LocationUpdate, Int)], on presenter: inout some Presenter
  ) throws -> Int {
    var drops = 0
    for (update, tenths) in updates {
      if presenter.hasRoom(for: update) {
        presenter.present(update, at: moment(tenths))
      } else {
        drops += 1
      }
      try presenter.flush(at: moment(tenths))
    }
    return drops
  }

  private func records(_ bytes: [UInt8]) throws -> [JSONValue] {
    try bytes.split(separator: 0x0A).map {
      try JSONDecoder().decode(JSONValue.self, from: Data($0))
    }
  }

  @Test func `24: after 60 s at 10 Hz everything is there, and old fixes are not current`() throws {
    let pipe = try PipeEnds()
    var presenter = StreamPresenter(
      JSONRenderer(), to: OutputSink(pipe.descriptor, waitsForReader: false), stale: nil)
    let drops = try present((0..<600).map { (fix($0), $0) }, on: &presenter)
    #expect(drops == 0)
    #expect(presenter.hasPending)
    var records = try records(pipe.readAll())
    // These went into the pipe at once, and cannot be retracted.
    let inPipe = records.count
    #expect(inPipe < 250)
    #expect(records.allSatisfy { $0["current"] == nil })
    try presenter.flush(at: moment(600))
    records = try self.records(pipe.readAll())
    while presenter.hasPending {
      try presenter.flush(at: moment(600))
      records += try self.records(pipe.readAll())
    }
    #expect(inPipe + records.count == 600)
    // 5 s at 10 Hz; a record that was cut in two by the end of the pipe counts as written.
    #expect(records.filter { $0["current"] == nil }.count <= 50 + 2)
    #expect(records.dropLast(51).dropFirst(1).allSatisfy { $0["current"] == .bool(false) })
  }

  @Test func `24: an hour drops fixes and counts them, and drops no transition`() throws {
    let pipe = try PipeEnds()
    var presenter = StreamPresenter(
      TextRenderer(), to: OutputSink(pipe.descriptor, waitsForReader: false), stale: .seconds(2))
    var updates: [(LocationUpdate, Int)] = []
    for second in 0..<36_000 {
      updates.append((fix(second), second))
      if second.isMultiple(of: 1000) { updates.append((.state(Samples.lost), second)) }
    }
    let drops = try present(updates, on: &presenter)
    #expect(drops > 30_000)
    var text = ""
    repeat {
      text += String(decoding: pipe.readAll(), as: UTF8.self)
      try presenter.flush(at: moment(36_000))
    } while presenter.hasPending
    text += String(decoding: pipe.readAll(), as: UTF8.self)
    let lines = text.split(separator: "\n")
    #expect(lines.count { $0.contains("lost") } == 36)
    #expect(lines.count { $0.contains("fix-3d") } + drops == 36_000)
    #expect(lines.count { $0.contains("(not current)") } > 1000)
    // The reader is back, and so is what comes now.
    _ = try present([(fix(36_001), 36_001)], on: &presenter)
    let last = String(decoding: pipe.readAll(), as: UTF8.self)
    #expect(last.hasPrefix("2026-11-20T08:00:00.100Z fix-3d") && !last.contains("not current"))
  }

  private static func attitude(_ index: Int, size: Int = 0) -> LocationUpdate {
    let text = #"{"class":"ATT","n":\#(index),"x":"\#(String(repeating: "x", count: size))"}"#
    return .event(.other(ServiceReport(ServiceReport.Kind(rawValue: "ATT"), text: text)))
  }

  /// The numbers of reports, and `fix` or `lost` for what is none.
  private func kinds(_ bytes: [UInt8]) throws -> [String] {
    try records(bytes).map { record in
      if record["type"] == .string("fix") { return "fix" }
      guard case .number(let number)? = record["report"]?["n"] else { return "lost" }
      return "\(Int(number))"
    }
  }

  @Test func `24: passed-on reports wait for the reader in order, up to 256 updates`() throws {
    let pipe = try PipeEnds()
    var presenter = StreamPresenter(
      JSONRenderer(), to: OutputSink(pipe.descriptor, waitsForReader: false), stale: nil)
    // This fills the pipe, and the rest of it stays in the sink.
    #expect(try present([(Self.attitude(0, size: 100_000), 0)], on: &presenter) == 0)
    var updates = (1...300).map { (Self.attitude($0), 0) }
    updates.insert((fix(0), 0), at: 100)
    updates.insert((.state(Samples.lost), 0), at: 200)
    updates += [(fix(1), 1), (.state(Samples.lost), 1), (Self.attitude(301), 1)]
    #expect(try present(updates, on: &presenter) == 300 - 254 + 1)
    var bytes = pipe.readAll()
    while presenter.hasPending {
      try presenter.flush(at: moment(1))
      bytes += pipe.readAll()
    }
    var expected = (0...254).map { "\($0)" }
    expected.insert("fix", at: 101)
    expected.insert("lost", at: 201)
    #expect(try kinds(bytes) == expected + ["fix", "lost"])
    // With room again, a report is written at once.
    #expect(try present([(Self.attitude(302), 2)], on: &presenter) == 0)
    #expect(try kinds(pipe.readAll()) == ["302"])
  }

  @Test func `24: passed-on reports of several sources share their limit`() throws {
    let pipe = try PipeEnds()
    let options = try Options(arguments: ["-j", "--class", "ATT", "a=h1", "b=h2"])
    var stream = StreamPresenter(to: OutputSink(pipe.descriptor, waitsForReader: false))
    options.addFleet(to: &stream)
    stream.present(Self.attitude(0, size: 100_000), of: 0, at: moment(0))
    try stream.flush(at: moment(0))
    var accepted = [0, 0]
    for index in 1...600 where stream.hasRoom(for: Self.attitude(index), of: index % 2) {
      stream.present(Self.attitude(index), of: index % 2, at: moment(0))
      accepted[index % 2] += 1
    }
    #expect(accepted == [128, 128])
    #expect(stream.hasRoom(for: fix(0), of: 0) && stream.hasRoom(for: .state(Samples.lost), of: 1))
  }

  @Test func `24: a stopped terminal misses transitions, but no other updates`() throws {
    let pipe = try PipeEnds()
    var sink = OutputSink(pipe.descriptor, waitsForReader: false)
    let sky = LocationUpdate.event(.sky(Samples.sky))
    sink.text.append(text: String(repeating: "x", count: 1024 * 1024))
    #expect(sink.hasRoom(for: .state(Samples.lost)) && sink.hasRoom(for: sky))
    sink.text.append(character: "x")
    #expect(!sink.hasRoom(for: .state(Samples.lost)) && sink.hasRoom(for: sky))
    var replay = OutputSink(pipe.descriptor, waitsForReader: true)
    swap(&replay.text, &sink.text)
    #expect(replay.hasRoom(for: .state(Samples.lost)))
  }

  @Test func `24: a recording into a pipe waits for nobody, and has only whole lines`() throws {
    let pipe = try PipeEnds()
    let recorder = Recorder(pipe.descriptor)
    let line = Array((String(repeating: "x", count: 998) + "\r\n").utf8)
    for index in 0..<6000 {
      recorder.keep(GPSDLines(bytes: line[...], received: moment(index)))
      try recorder.flush()
    }
    #expect(recorder.drops > 1000)
    #expect(recorder.hasPending)
    var bytes: [UInt8] = []
    repeat {
      bytes += pipe.readAll()
      try recorder.flush()
    } while recorder.hasPending
    bytes += pipe.readAll()
    let lines = bytes.split(separator: 0x0A)
    let kept = lines.filter { $0.first == UInt8(ascii: "x") }
    #expect(kept.allSatisfy { $0.count == 999 })
    #expect(kept.count + recorder.drops == 6000)
    #expect(lines.count == 2 * kept.count)
  }
}

/// What is not written at the end of a run, on a pipe whose reader stays away.
@Suite struct `Records that are not written at the end` {
  private let moment = Moment(uptime: .seconds(1))

  /// How many whole lines are in a pipe.
  private func lines(_ pipe: PipeEnds) -> Int {
    pipe.readAll().count { $0 == UInt8(ascii: "\n") }
  }

  private func watch(
    _ options: Options, _ output: WatchOutput, _ newSources: NewSources? = nil
  ) -> Watch {
    Watch(
      newSources: newSources, output: output,
      isTimed: options.sourcePlan().isTimed
    ) { source, number in
      SourceWatch(number, source.plan, log: Log(options))
    }
  }

  /// A source that says nothing by itself.
  private func source(_ plan: SourcePlan) -> WatchedSource {
    let provider = ScriptedLocationSource(clock: ManualClock(), scripts: [.stayOpen])
    return WatchedSource(plan, updates: provider.updates(), clock: provider.clock)
  }

  @Test func `are counted, with those that wait and the one that is cut`() throws {
    let pipe = try PipeEnds()
    let options = try Options(arguments: ["--json"])
    let recording = try PipeEnds()
    let recorder = Recorder(recording.descriptor)
    let presenter = StreamPresenter(to: OutputSink(pipe.descriptor, waitsForReader: false))
    var watch = watch(options, WatchOutput(presenter: presenter, recorder: recorder))
    watch.begin(at: moment)
    watch.add(source(options.sourcePlan()))
    for _ in 0..<600 {
      let ending = try watch.handle(.update(.fix(Samples.fix), of: 0), at: moment)
      if let ending { Issue.record("\(ending)") }
      try watch.flush(at: moment)
    }
    let received = Moment(uptime: .seconds(1))
    recorder.keep(GPSDLines(bytes: Array("a\r\n".utf8)[...], received: received))
    try watch.finish(at: moment.advanced(by: .seconds(2)), waitsForReader: false)
    let written = lines(pipe)
    #expect(written > 0)
    #expect(watch.counts.unwritten == 600 - written)
    #expect(watch.counts.drops == 0)
    // The recording beside it has its end.
    let text = String(decoding: recording.readAll(), as: UTF8.self)
    #expect(text.hasSuffix("\r\na\r\n{\"class\":\"LOCWATCH\",\"t\":2.000}\r\n"))
    #expect(recorder.drops == 0)
  }

  @Test func `are none if the reader has taken all`() throws {
    let pipe = try PipeEnds()
    var presenter = StreamPresenter(
      JSONRenderer(), to: OutputSink(pipe.descriptor, waitsForReader: false), stale: nil)
    presenter.begin(at: moment)
    presenter.present(.fix(Samples.fix), at: moment)
    #expect(presenter.unwrittenRecords == 1)
    try presenter.finish(waitsForReader: false)
    #expect(presenter.unwrittenRecords == 0)
    #expect(lines(pipe) == 1)
  }

  @Test func `of several sources are counted once, with those of a source that has ended`() throws {
    let pipe = try PipeEnds()
    let options = try Options(arguments: ["--json", "a=h1", "b=h2"])
    let presenter = StreamPresenter(to: OutputSink(pipe.descriptor, waitsForReader: false))
    let newSources = NewSources(of: FleetUpdates())
    var watch = watch(options, WatchOutput(presenter: presenter, recorder: nil), newSources)
    watch.begin(at: moment)
    newSources.add(options.fleet.map { source(options.member($0)) })
    _ = try watch.handle(.interrupted, at: moment)
    for index in 0..<600 {
      _ = try watch.handle(.update(.fix(Samples.fix), of: index % 2), at: moment)
      try watch.flush(at: moment)
    }
    _ = try watch.handle(.ended(nil, of: 1), at: moment)
    try watch.finish(at: moment, waitsForReader: false)
    #expect(watch.counts.unwritten == 600 - lines(pipe))
  }

  @Test func `are a line of --verbose, as those that a recording lacks are`() {
    var counts = SourceWatch.Counts(fixes: 7, drops: 6, unwritten: 5)
    counts.add(SourceWatch.Counts(fixes: 10, drops: 20, unwritten: 30))
    var reports = GPSDStatistics.Counts()
    reports.reports = ["TPV": 9, "SKY": 8]
    reports.badLines = 1
    reports.discards = 2
    reports.discardedBytes = 300
    reports.droppedElements = 4
    reports.impossibleNumbers = 8
    reports.connections = 5
    let all = RunCounts(
      reports: reports, sources: 3, output: counts,
      gaps: RecordingGaps(lostLines: 11))
    #expect(
      all.message == """
        SKY reports: 8
        TPV reports: 9
        fixes: 17
        bad lines: 1
        cut or too long: 2 (300 bytes)
        list elements left out: 4
        impossible numbers: 8
        records dropped for a slow reader: 26
        records not written at the end: 35
        lines missing from the recording: 11
        attempts to reconnect: 2
        """)
  }
}

/// Fault 51, on a pipe of the test's own.
@Suite struct `Messages that nobody reads` {
  private func lines(_ pipe: PipeEnds) -> [String] {
    String(decoding: pipe.readAll(), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test func `51: messages without room are dropped, and counted for the next reader`() throws {
    let pipe = try PipeEnds()
    let log = Log(try Options(arguments: ["--verbose"]), to: pipe.descriptor)
    let message = String(repeating: "x", count: 989)
    for _ in 0..<1000 { log.detail("\(message)") }
    let written = lines(pipe)
    #expect(written.count < 70)
    #expect(written.allSatisfy { $0 == "locwatch: \(message)" })
    log.detail("back")
    log.detail("again")
    #expect(
      lines(pipe) == [
        "locwatch: messages dropped because stderr was blocked: \(1000 - written.count)",
        "locwatch: back",
        "locwatch: again",
      ])
  }

  @Test func `51: the last message is not waited for without end`() throws {
    let pipe = try PipeEnds()
    let log = Log(try Options(arguments: ["--verbose"]), to: pipe.descriptor)
    for _ in 0..<1000 { log.detail("\(String(repeating: "x", count: 1000))") }
    log.error("no fix")
    #expect(!lines(pipe).contains("locwatch: no fix"))
    log.error("no fix")
    #expect(lines(pipe).last == "locwatch: no fix")
  }

  @Test(arguments: [
    (["-q"], ["wrong"]), ([], ["wrong", "advice"]), (["-v"], ["wrong", "note", "advice"]),
  ])
  func `a level leaves out all other messages`(
    arguments: [String], messages: [String]
  ) throws {
    let pipe = try PipeEnds()
    let log = Log(try Options(arguments: arguments), to: pipe.descriptor)
    log.error("wrong")
    log.detail("note")
    log.advise("advice")
    #expect(lines(pipe) == messages.map { "locwatch: \($0)" })
  }
}
