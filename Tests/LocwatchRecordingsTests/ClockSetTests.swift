import GPSDLocation
import LocationCore
import Synchronization
import Testing

@testable import LocationFormats
@testable import LocwatchRecordings
@testable import LocwatchSystem

/// Fault 47: the wall clock is set while a recording is made.
@Suite struct `When the clock is set, a recording` {
  /// A machine whose clock is set at given times, and a gpsd that sends lines at given times.
  private final class Machine: GPSDSession {
    private struct State {
      var uptime: Int64
      /// None of them comes at a whole millisecond.
      var lines: [(due: Int64, text: String)]
    }

    /// From which millisecond on the clock is ahead of the uptime by so much.
    private let leads: [(milliseconds: Int64, Timestamp)]
    private let state: Mutex<State>

    init(_ lines: [(Int64, String)], clock leads: [(Int64, Timestamp)]) {
      self.leads = leads.map { (milliseconds: $0.0, $0.1) }
      state = Mutex(
        State(uptime: 0, lines: lines.map { (due: $0.0 * 1_000_000 + 321_000, text: $0.1) }))
    }

    private func moment(_ nanoseconds: Int64) -> Moment {
      let origin = leads.last { $0.milliseconds * 1_000_000 <= nanoseconds }?.1
      return Moment(
        uptime: .nanoseconds(nanoseconds), wall: origin?.advanced(by: .nanoseconds(nanoseconds)))
    }

    /// A clock that goes on to when somebody waits for, and a little further, which is no whole millisecond.
    var clock: LocationClock {
      LocationClock(
        now: { self.moment(self.state.withLock(\.uptime)) },
        sleepUntil: { moment in
          self.state.withLock { $0.uptime = max($0.uptime, moment.uptimeNanoseconds + 123_000) }
        })
    }

    func open(_ endpoint: GPSDEndpoint) {}
    func send(_ command: GPSDCommand) {}
    func close() {}

    func poll(at now: Moment) -> Polled<GPSDLines> {
      state.withLock { state in
        guard let line = state.lines.first else { return .ended }
        guard line.due <= state.uptime else { return .quiet(at: now) }
        state.lines.removeFirst()
        let bytes = Array("\(line.text)\r\n".utf8)
        return .received(GPSDLines(bytes: bytes[...], received: moment(line.due)))
      }
    }

    func wait() -> Wait {
      Wait(until: state.withLock { $0.lines.first.map { Moment(uptime: .nanoseconds($0.due)) } })
    }
  }

  private func records(
    of source: GPSDLocationSource, record: (StateChange) -> Void = { _ in }
  ) async throws -> [String] {
    var renderer = JSONRenderer()
    var records: [String] = []
    for try await update in source.updates(retries: .never) {
      switch update {
      case .fix(let fix): records.append(renderer.fix(fix))
      case .state(let change):
        record(change)
        records.append(renderer.state(change))
      case .change, .retry, .event: break
      }
    }
    return records
  }

  private static let boot = Timestamp(secondsSince1970: 7, nanoseconds: 0)
  private static let real = Timestamp(secondsSince1970: 1_795_158_290, nanoseconds: 120_000_000)

  private static let later = real.advanced(by: .milliseconds(250))
  private static let earlier = real.advanced(by: .seconds(-3600))

  private static let clocks: [[(Int64, Timestamp)]] = [
    // Before the first line, between two, and while nothing is received.
    [(0, boot), (500, real)], [(0, boot), (3500, real)], [(0, boot), (15_000, real)],
    // Back, by a little, and twice.
    [(0, real), (3500, boot)], [(0, real), (3500, later)],
    [(0, boot), (2500, real), (21_500, earlier)],
  ]

  @Test(arguments: clocks)
  func `47: gives the same times as live`(clock: [(Int64, Timestamp)]) async throws {
    func fix(_ second: Int) -> String {
      let text = second < 10 ? "0\(second)" : "\(second)"
      return
        #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"2026-11-20T07:05:\#(text).000Z","#
        + #""lat":48.118633333,"lon":11.517333333}"#
    }
    let seconds = [1, 2, 3, 4, 5, 6, 20, 21, 22, 23]
    var sent: [(Int64, String)] = [
      (900, #"{"class":"VERSION","release":"3.25","proto_major":3,"proto_minor":15}"#)
    ]
    for second in seconds { sent.append((Int64(second) * 1000, fix(second))) }
    let machine = Machine(sent, clock: clock)
    let pipe = try PipeEnds()
    let recorder = Recorder(pipe.descriptor)
    let time = RecordableTime()
    let live = GPSDLocationSource(clock: time.clock(machine.clock)) {
      RecordingSession(machine, time: time) { recorder.keep($0) }
    }
    let said = try await records(of: live) { recorder.record($0) }
    #expect(said.count { $0.contains(#""type":"fix""#) } == seconds.count)
    #expect(said.contains { $0.contains(#""state":"lost""#) })
    try recorder.flush()
    let lines = String(decoding: pipe.readAll(), as: UTF8.self).split(separator: "\r\n")
    #expect(lines.count { $0.contains(#","start":""#) } == clock.count)
    let session = RecordedSession(lines: lines.map(String.init))
    let replayed = try await records(of: GPSDLocationSource(replaying: session))
    #expect(replayed == said)
  }
}
