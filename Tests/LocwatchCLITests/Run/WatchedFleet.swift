import GPSDLocation
import LocationCore
import LocationTestKit
import Testing

@testable import LocwatchCLI
@testable import LocwatchReceivers
@testable import LocwatchRecordings
@testable import LocwatchSystem

/// A fleet whose news a test brings.
final class WatchedFleet {
  let clock = ManualClock()
  let updates = FleetUpdates()
  let newSources: NewSources
  let presenter = RecordingPresenter()
  let messages: PipeEnds
  let log: Log
  let calls = Collector<String>()
  let options: Options
  let recording: PipeEnds?
  var watch: Watch

  init(_ arguments: String..., isRecorded: Bool = false) throws {
    options = try Options(arguments: arguments + ["a=h1", "b=h2"], environment: [:])
    newSources = NewSources(of: updates)
    let messages = try PipeEnds()
    self.messages = messages
    log = Log(options, to: messages.descriptor)
    recording = isRecorded ? try PipeEnds() : nil
    watch = Watch(
      newSources: newSources,
      output: WatchOutput(
        presenter: presenter, recorder: recording.map { Recorder($0.descriptor) }),
      isTimed: options.sourcePlan().isTimed
    ) { [log] source, number in
      SourceWatch(number, source.plan, log: log.named(source.name))
    }
  }

  /// A source that says nothing by itself.
  func source(_ name: String) -> WatchedSource {
    let provider = ScriptedLocationSource(clock: clock, scripts: [.stayOpen])
    let target = NamedTarget(name, .gpsd(GPSDEndpoint(host: name), device: nil))
    return WatchedSource(
      options.member(target), updates: provider.updates(), clock: provider.clock,
      didEnd: { [calls] in calls.add("end \(name)") })
  }

  /// Adds sources to the watch. Returns whether the run is over.
  @discardableResult
  func add(_ names: String..., at second: Double = 0) throws -> Bool {
    newSources.add(names.map(source))
    return try handle(.interrupted, at: second)
  }

  func moment(_ second: Double) -> Moment {
    Moment(uptime: .milliseconds(Int64((second * 1000).rounded())))
  }

  func fix(_ member: Int, at second: Double) throws -> Bool {
    try handle(.update(.fix(.scripted(second)), of: member), at: second)
  }

  func end(_ member: Int, _ code: LocationError.Code? = nil, at second: Double = 0) throws -> Bool {
    let error = code.map { LocationError($0, "it is \($0)") }
    return try handle(.ended(error, of: member), at: second)
  }

  /// Returns whether the run is over, and says why as the run of the command does.
  func handle(_ news: FleetNews, at second: Double) throws -> Bool {
    isOver(try watch.handle(news, at: moment(second)))
  }

  /// Returns whether the run is over.
  func expire(at second: Double) throws -> Bool { isOver(try watch.expire(at: moment(second))) }

  private func isOver(_ result: RunResult?) -> Bool {
    if let message = result?.message { watch.lastLog?.error(message) }
    return result != nil
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
