import LocationCore
import LocationTestKit
import Testing
import VirtualTimeTesting

@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `The events of a monitor` {
  /// Counts fixes, and says so for each and at the end.
  private struct Counter: LocationMonitor {
    var count = 0
    mutating func handle(_ fix: LocationFix, at moment: Moment) -> [String] {
      count += 1
      return ["\(count)", "\(count) again"]
    }
    mutating func finish() -> [String] { ["\(count) in all", "over"] }
  }

  /// Reports the text of each `ATT`.
  private struct Listener: LocationMonitor {
    var reports: Set<ServiceReport.Kind> { [ServiceReport.Kind(rawValue: "ATT")] }
    mutating func handle(_ fix: LocationFix, at moment: Moment) -> [String] { [] }
    mutating func handle(_ report: ServiceReport, at moment: Moment) -> [String] { [report.text] }
  }

  private static let fixes = [LocationScriptStep](
    repeating: .event(.fix(.at(latitude: 1, longitude: 2))), count: 2)
  private static let heard = ["1", "1 again", "2", "2 again"]

  /// Returns the events of an iteration and how they end, and iterates once more after that.
  private func events(of script: [LocationScriptStep]) async -> [String] {
    let clock = ManualClock()
    let source = ScriptedLocationSource(clock: clock, scripts: script)
    return await clock.whileAdvancing {
      var events: [String] = []
      var iterator = source.events(of: Counter(), retries: .never).makeAsyncIterator()
      for _ in 0..<2 {
        do throws(LocationError) {
          while let event = try await iterator.next() { events.append(event) }
          events.append("nil")
        } catch {
          events.append(error.detail)
        }
      }
      return events
    }
  }

  /// Says when a second has passed without a fix.
  private struct Alarm: LocationMonitor {
    var deadline: Moment?
    mutating func handle(_ fix: LocationFix, at moment: Moment) -> [String] {
      deadline = moment.advanced(by: .seconds(1))
      return ["fix at \(moment.uptime)"]
    }
    mutating func expire(at moment: Moment) -> [String] {
      deadline = nil
      return ["alarm at \(moment.uptime)"]
    }
  }

  @Test func `report what is due at the moment of a fix before it`() async throws {
    let clock = ManualClock()
    let source = ScriptedLocationSource(
      clock: clock,
      scripts: [.event(Reports.fix(0)), .wait(.seconds(1)), .event(Reports.fix(1))])
    let events = try await clock.whileAdvancing {
      var iterator = source.events(of: Alarm(), retries: .never).makeAsyncIterator()
      var events: [String] = []
      while let event = try await iterator.next() { events.append(event) }
      return events
    }
    #expect(events == ["fix at 0.0 seconds", "alarm at 1.0 seconds", "fix at 1.0 seconds"])
  }

  @Test func `end with what follows from the end of the updates, once`() async {
    let expected = Self.heard + ["2 in all", "over"]
    #expect(await events(of: Self.fixes) == expected + ["nil", "nil"])
    let failure = LocationError(.disconnected, "gone")
    #expect(await events(of: Self.fixes + [.fail(failure)]) == expected + ["gone", "nil"])
  }

  @Test func `follow from the reports that the monitor requests`() async throws {
    let kind = ServiceReport.Kind(rawValue: "ATT")
    let report = ServiceReport(kind, text: #"{"class":"ATT","heading":90}"#)
    let source = ScriptedLocationSource(
      clock: ManualClock(), scripts: [.event(.other(report))])
    var events = source.events(of: Listener(), retries: .never).makeAsyncIterator()
    #expect(try await events.next() == report.text)
    #expect(source.calls == [.connect(LocationRequest(reports: [kind]))])
  }

  @Test func `end at once if the task is cancelled`() async {
    let clock = ManualClock()
    let source = ScriptedLocationSource(clock: clock, scripts: Self.fixes + [.stayOpen])
    let (heard, events) = AsyncStream.makeStream(of: String.self)
    let task = Task {
      for try await event in source.events(of: Counter(), retries: .never) { events.yield(event) }
      events.finish()
    }
    var all: [String] = []
    for await event in heard {
      all.append(event)
      if event == "2 again" { task.cancel() }
    }
    #expect(all == Self.heard)
  }
}
