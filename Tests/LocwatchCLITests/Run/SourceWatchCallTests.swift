import GPSDLocation
import LocationCore
import LocationTestKit
import Testing

@testable import LocwatchCLI
@testable import LocwatchRecordings
@testable import LocwatchSystem
@testable import LocwatchTerminal

/// What is asked of the watch of a source, and what it asks of the output, in order.
@Suite struct SourceWatchCallTests {
  /// The watch of a source and what it was seen to do.
  private struct Scene {
    let calls = Collector<String>()
    let messages: PipeEnds
    let recording: PipeEnds?
    let recorder: Recorder?
    var watch: Watch

    init(_ arguments: String..., isRecorded: Bool = false) throws {
      try self.init(arguments, isRecorded: isRecorded)
    }

    init(_ arguments: [String], isRecorded: Bool = false) throws {
      let options = try Options(arguments: arguments, environment: [:])
      messages = try PipeEnds()
      recording = isRecorded ? try PipeEnds() : nil
      recorder = recording.map { Recorder($0.descriptor) }
      let clock = ManualClock().locationClock
      let presenter = SpyPresenter(calls: calls)
      watch = Watch(
        output: WatchOutput(presenter: presenter, recorder: recorder),
        isTimed: options.sourcePlan().isTimed
      ) { [messages] source, number in
        SourceWatch(number, source.plan, log: Log(options, to: messages.descriptor))
      }
      let source = ScriptedLocationSource(clock: ManualClock(), scripts: [.stayOpen])
      watch.add(WatchedSource(options.sourcePlan(), updates: source.updates(), clock: clock))
    }

    static func moment(_ second: Double) -> Moment {
      Moment(uptime: .milliseconds(Int64((second * 1000).rounded())))
    }

    func wake() -> Double? { watch.wake(after: Scene.moment(0))?.uptime.inSeconds }

    /// Returns whether the source has done its part.
    mutating func take(_ update: LocationUpdate, at second: Double) throws(OutputError) -> Bool {
      try watch.handle(.update(update, of: 0), at: Scene.moment(second)) != nil
    }

    var said: String { String(decoding: messages.readAll(), as: UTF8.self) }
  }

  // When it is called again

  @Test(
    arguments: [
      ([], nil), (["-t", "5"], 7), (["--duration", "3"], 5), (["--duration", "3", "-t", "5"], 5),
      (["--duration", "9", "-t", "5"], 7),
    ] as [([String], Double?)])
  func `has the earlier of its two deadlines`(arguments: [String], deadline: Double?) throws {
    let options = try Options(arguments: arguments, environment: [:])
    var watch = SourceWatch(0, options.sourcePlan(), log: Log(options))
    var wake = watch.wake
    #expect(wake == nil)
    watch.begin(at: Scene.moment(2))
    wake = watch.wake
    #expect(wake?.uptime.inSeconds == deadline)
    // From the start of the program, if that is known.
    watch = SourceWatch(0, options.sourcePlan(), log: Log(options), startedAt: Scene.moment(1))
    watch.begin(at: Scene.moment(2))
    wake = watch.wake
    #expect(wake?.uptime.inSeconds == deadline.map { $0 - 1 })
  }

  // What it asks of the output

  @Test(arguments: [
    ([], []), (["--report", "/tmp/none.html"], []),
    (["-j", "--class", "toff"], ["report 1.0"]),
    (["-j", "--class", "PPS"], ["report 2.0", "change 3.0"]),
    (["--view"], ["report 1.0", "report 2.0", "change 3.0"]),
  ])
  func `presents reports of times only if they are requested`(
    arguments: [String], calls: [String]
  ) throws {
    var scene = try Scene(arguments)
    for (second, kind) in [(1.0, "TOFF"), (2, "PPS")] {
      let report = ServiceReport(ServiceReport.Kind(rawValue: kind), text: "{}")
      #expect(try scene.take(.event(.other(report)), at: second) == false)
    }
    let change = ReceiverChange(.pulses(.lost, previous: .present), at: Scene.moment(3))
    #expect(try scene.take(.change(change), at: 3) == false)
    #expect(scene.calls.values == calls)
  }

  @Test func `requests reports of times if a report or a view uses them`() throws {
    func kinds(_ arguments: String...) throws -> [String] {
      try Options(arguments: arguments).sourcePlan().reading.kinds.map(\.rawValue).sorted()
    }
    #expect(try kinds("-j") == [])
    #expect(try kinds("-j", "--class", "ATT") == ["ATT"])
    #expect(try kinds("-j", "--class", "ATT", "--report", "a.html") == ["ATT", "PPS", "TOFF"])
    #expect(try kinds("--report", "-") == ["PPS", "TOFF"])
    #expect(try kinds("--view") == ["PPS", "TOFF"])
  }

  @Test func `writes what it has, and clears the line, before a message`() throws {
    var simulated = LocationFix.scripted(1)
    simulated.quality = .simulated
    var scene = try Scene()
    #expect(try scene.take(.fix(simulated), at: 1) == false)
    #expect(try scene.take(.fix(simulated), at: 2) == false)
    #expect(scene.calls.values == ["flush 1.0", "fix 1.0", "fix 2.0"])
    #expect(scene.said == "locwatch: SIMULATED: /dev/a reports a simulated position\n")
    var verbose = try Scene("-v")
    #expect(try verbose.take(.answer, at: 1) == false)
    #expect(verbose.calls.values == ["flush 1.0", "report 1.0"])
    #expect(verbose.said == "locwatch: gpsd 3.22 answers\n")
    #expect(try verbose.take(.fix(.scripted(2)), at: 2) == false)
    #expect(verbose.calls.values == ["flush 1.0", "report 1.0", "fix 2.0"])
    // The warning of a format that does not name the receivers, too.
    var mixed = try Scene("-f", "%lat %lon")
    #expect(try mixed.take(.fix(.scripted(1)), at: 1) == false)
    #expect(try mixed.take(.fix(.scripted(2, device: "/dev/b")), at: 2) == false)
    #expect(mixed.calls.values == ["fix 1.0", "flush 2.0", "fix 2.0"])
    #expect(mixed.said.hasPrefix("locwatch: /dev/a and /dev/b are mixed in the output"))
  }

  @Test func `wakes for a region's deadline, and reports it before what comes later`() throws {
    var scene = try Scene("--region=home=48,11,100")
    #expect(scene.wake() == nil)
    #expect(try scene.take(.fix(.scripted(1)), at: 1) == false)
    #expect(scene.wake() == 66)
    #expect(scene.calls.values == ["change 1.0", "fix 1.0"])
    #expect(try scene.take(.answer, at: 70) == false)
    #expect(scene.calls.values.dropFirst(2) == ["change 66.0", "report 70.0"])
    #expect(scene.wake() == nil)
    // A timeout that is earlier comes first.
    scene = try Scene("--region=home=48,11,100", "-t", "20")
    #expect(try scene.take(.fix(.scripted(1)), at: 1) == false)
    #expect(scene.wake() == 21)
  }

  @Test func `times out in a recording in which no gpsd has answered`() throws {
    var scene = try Scene("-t", "5", "--replay", "a.jsonl")
    let result = try scene.watch.expire(at: Scene.moment(5))
    #expect(result?.exitStatus == .timedOut)
  }

  /// The times in the recording of a source that was connecting at 0 s, and had a line at 0.25 s.
  private func times(
    _ watch: inout Watch, of source: String? = nil, in recording: PipeEnds?
  ) throws -> [String] {
    let change = StateChange(.connecting, at: Scene.moment(0))
    #expect(try watch.handle(.update(.state(change), of: 0), at: Scene.moment(0)) == nil)
    let lines = GPSDLines(bytes: Array("line\n".utf8)[...], received: Scene.moment(0.25))
    watch.output.recorder?.keep(lines, of: source)
    try watch.flush(at: Scene.moment(1))
    return try #require(recording).takeText().split(whereSeparator: \.isNewline).compactMap {
      $0.split(separator: #""t":"#).dropFirst().first.map { String($0.prefix(5)) }
    }
  }

  @Test func `records when the run begins to wait for the only source`() throws {
    var scene = try Scene(isRecorded: true)
    #expect(try times(&scene.watch, in: scene.recording) == ["0.000", "0.250"])
    // Of several, each begins for itself: at 0.1 s, in its task, which may be earlier or later than the line.
    let fleet = try WatchedFleet(isRecorded: true)
    fleet.clock.jump(by: .milliseconds(100))
    try fleet.add("a")
    let written = try times(&fleet.watch, of: "a", in: fleet.recording)
    #expect([["0.000"], ["0.000", "0.000"], ["0.000", "0.150"]].contains(written))
  }

  @Test func `records when the run ended, even after a silence`() throws {
    var scene = try Scene(isRecorded: true)
    let lines = GPSDLines(bytes: Array("line\n".utf8)[...], received: Scene.moment(1))
    scene.recorder?.keep(lines)
    try scene.watch.finish(at: Scene.moment(3), waitsForReader: true)
    #expect(
      scene.recording?.takeText().split(whereSeparator: \.isNewline) == [
        #"{"class":"LOCWATCH","t":0.000}"#, "line", #"{"class":"LOCWATCH","t":2.000}"#,
      ])
  }

  @Test func `waits for the reader of a replay with --duration, too`() throws {
    var scene = try Scene("--duration", "5", "--replay", "a.jsonl")
    try scene.watch.finish(at: Scene.moment(1), waitsForReader: true)
    #expect(scene.calls.values == ["finish true"])
  }

  @Test func `ends if gpsd refuses the receiver, unless it tries again`() throws {
    let refused = LocationUpdate.event(.refused(path: "/dev/x", reason: "is not there"))
    var scene = try Scene("--no-reconnect")
    let result = try scene.watch.handle(.update(refused, of: 0), at: Scene.moment(1))
    #expect(result?.exitStatus == .unavailable)
    #expect(result?.message?.text.contains("/dev/x") == true)
    #expect(scene.calls.values == [])
    scene = try Scene()
    #expect(try scene.take(refused, at: 1) == false)
    #expect(scene.calls.values == ["report 1.0"])
  }
}

/// Keeps what it is asked for.
private struct SpyPresenter: Presenter {
  let calls: Collector<String>
  var status: OutputStatus { OutputStatus() }

  func flush(at now: Moment) { calls.add("flush \(now.uptime.inSeconds)") }
  func finish(waitsForReader: Bool) { calls.add("finish \(waitsForReader)") }

  func present(_ update: LocationUpdate, of source: Int, at moment: Moment) {
    calls.add("\(update.kindName) \(moment.uptime.inSeconds)")
  }
}
