import EventLoop
import GPSDLocation
import Glibc
import LocationCore
import LocationTestKit
import Testing

@testable import LocwatchCLI
@testable import LocwatchRecordings
@testable import LocwatchSystem
@testable import LocwatchTerminal

@Suite(.timeLimit(.minutes(5))) struct `The time and the output of a watch` {
  // Time

  @Test func `wakes for the table, too`() throws {
    let fleet = try WatchedFleet("-t", "2")
    try fleet.add("a")
    fleet.presenter.set(\.status.nextTick, to: fleet.moment(1))
    #expect(fleet.wake() == 1)
    fleet.presenter.set(\.status.nextTick, to: fleet.moment(3))
    #expect(fleet.wake() == 2)
    #expect(fleet.watch.deadline == fleet.moment(2))
  }

  @Test func `wakes within a second to record what caused no update`() throws {
    let fleet = try WatchedFleet(isRecorded: true)
    #expect(fleet.wake(5) == 6)
    let timed = try WatchedFleet("-t", "2", isRecorded: true)
    try timed.add("a")
    #expect(timed.wake(0) == 1)
    #expect(timed.wake(1.5) == 2)
  }

  @Test func `gives no advice`() throws {
    let fleet = try WatchedFleet()
    try fleet.add("a")
    #expect(try fleet.expire(at: 10_000) == false)
    #expect(fleet.said == [])
    #expect(fleet.wake() == nil)
  }

  private func advice(in fleet: WatchedFleet) throws -> [String] {
    try fleet.add("a", "b")
    _ = try fleet.handle(.update(.answer, of: 1), at: 1)
    _ = try fleet.handle(.update(.event(.receivers([])), of: 1), at: 2)
    return fleet.presenter.takeCalls().filter { $0.hasSuffix("advise") }
  }

  @Test func `gives advice to the presenter and not to a log, if lines are redrawn`() throws {
    let fleet = try WatchedFleet()
    #expect(try advice(in: fleet) == ["1 advise"])
    #expect(fleet.said == [])
    #expect(try advice(in: WatchedFleet("-j")) == [])
    #expect(try advice(in: WatchedFleet("-n", "5")) == [])
  }

  // The output

  @Test func `records when a source ended, and for the others when the run ended`() async throws {
    let fleet = try WatchedFleet(isRecorded: true)
    for name in ["a", "b"] {
      try fleet.add(name)
      #expect(await comes { fleet.updates.nextQueued()?.isUpdate == true })
    }
    let recording = try #require(fleet.recording)
    try fleet.watch.flush(at: fleet.moment(0))
    #expect(recording.takeText().split(whereSeparator: \.isNewline).count == 2)
    #expect(try fleet.end(1, at: 2) == false)
    try fleet.watch.finish(at: fleet.moment(3), waitsForReader: true)
    #expect(
      recording.takeText().split(whereSeparator: \.isNewline) == [
        #"{"class":"LOCWATCH","t":0.000,"source":"b"}"#,
        #"{"class":"LOCWATCH","t":3.000,"source":"a"}"#,
      ])
    await fleet.updates.close()
  }

  @Test func `waits for the reader of the recording even if not for the output's`() throws {
    let (pipe, other) = (try PipeEnds(), try PipeEnds())
    let page = [UInt8](repeating: 0x2E, count: 4096)[...]
    while case .wrote = pipe.descriptor.write(page) {}
    let presenter = RecordingPresenter()
    var output = WatchOutput(presenter: presenter, recorder: Recorder(pipe.descriptor))
    let moment = Moment(uptime: .zero)
    output.recorder?.recordTime(moment, of: "a")
    #expect(output.status.hasPending && output.status.blocked == nil)
    try output.flush(at: moment)
    #expect(output.status.hasPending && output.status.blocked === pipe.descriptor)
    presenter.set(\.status.blocked, to: other.descriptor)
    #expect(output.status.blocked === other.descriptor)
  }

  @Test func `finishes both the output and the recording, and fails with either`() throws {
    for isClosed in [true, false] {
      let pipe = try PipeEnds()
      let presenter = RecordingPresenter()
      presenter.set(\.failure, to: isClosed ? nil : .closed)
      var output = WatchOutput(presenter: presenter, recorder: Recorder(pipe.descriptor))
      output.recorder?.recordTime(Moment(uptime: .zero), of: "a")
      if isClosed { pipe.closeReader() }
      #expect(throws: OutputError.closed) { try output.finish(waitsForReader: true) }
      #expect(presenter.takeCalls() == ["finish true"])
      #expect(isClosed || !pipe.readAll().isEmpty)
    }
  }

  @Test func `says that the recording lacks its end even if the output's reader is gone`() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/days"
    let recorder = Recorder(try RecordingFolder(FilePath(path), rotation: .daily)) { _ in }
    #expect(rmdir(path) == 0)
    try folder.write("a file", to: "days")
    let presenter = RecordingPresenter()
    presenter.set(\.failure, to: .closed)
    var output = WatchOutput(presenter: presenter, recorder: recorder)
    let moment = Moment(uptime: .seconds(1), wall: Samples.time(0, 0))
    recorder.keep(GPSDLines(bytes: Array("a\r\n".utf8)[...], received: moment))
    #expect(throws: OutputError.cannotCreate(path: path, reason: "Not a directory")) {
      try output.finish(waitsForReader: true)
    }
    #expect(presenter.takeCalls() == ["finish true"])
  }

  @Test func `writes on request`() throws {
    let fleet = try WatchedFleet()
    try fleet.add("a")
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
    let fleet = try WatchedFleet()
    try fleet.watch.finish(at: fleet.moment(1), waitsForReader: true)
    try fleet.watch.finish(at: fleet.moment(1), waitsForReader: false)
    #expect(fleet.presenter.takeCalls() == ["finish true", "finish false"])
    let timed = try WatchedFleet("--duration", "5")
    try timed.watch.finish(at: timed.moment(1), waitsForReader: true)
    #expect(timed.presenter.takeCalls() == ["finish false"])
  }

  @Test func `writes the recording with the output, and to its end`() async throws {
    let fleet = try WatchedFleet(isRecorded: true)
    try fleet.add("a")
    // The beginning of the source is recorded.
    #expect(await comes { fleet.updates.nextQueued()?.isUpdate == true })
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
}

extension TimedRead<FleetNews> {
  fileprivate var isUpdate: Bool {
    if case .value(.update, _) = self { true } else { false }
  }
}
