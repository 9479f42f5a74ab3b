import LocationTestKit
import Testing
import VirtualTimeTesting

@testable import LocationCore

/// Fault 89.
@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `The best of several providers` {
  private static let gone = LocationError(.disconnected, "gone")

  private func fix(
    _ seconds: Double, _ quality: FixQuality? = nil, of device: String? = "/dev/ttyACM0",
    accuracy: Double? = 4.5
  ) -> ScriptedLocationSource.Step {
    var fix = Reports.locationFix(seconds, of: device)
    fix.quality = quality
    fix[.eph] = accuracy
    return .event(.fix(fix))
  }

  private func noFix(_ seconds: Double, of device: String = "/dev/ttyACM0")
    -> ScriptedLocationSource.Step
  {
    .event(Reports.noFix(seconds, of: device))
  }

  /// Returns what happens: states, selections, and fixes by their accuracy.
  private func story(
    of sources: [(String, [ScriptedLocationSource.Step])], retries: RetryPolicy = .never
  ) async -> [String] {
    let clock = ManualClock()
    let start = clock.locationClock.now
    let best = BestLocationProvider(
      sources.map { ($0.0, ScriptedLocationSource(clock: clock, scripts: $0.1 + [.end])) },
      retries: retries, clock: clock.locationClock)
    return await clock.whileAdvancing {
      var story: [String] = []
      do throws(LocationError) {
        var connection = best.connection()
        while case .value(let events, _) = try await connection.next(
          until: nil, by: clock.locationClock)
        {
          for event in events {
            let second = start.duration(to: event.moment).inSeconds
            switch event.event {
            case .fix(let fix):
              #expect(fix.device == nil)
              story.append("\(second) \(fix.horizontalError ?? 0)" + (fix.isCurrent ? "" : " late"))
            case .selected(let name, let previous):
              story.append("\(second) \(previous ?? "none") > \(name)")
            case .noFix: story.append("\(second) no fix")
            case .sky(let sky):
              #expect(sky.device == nil)
              story.append("\(second) sky \(sky.seen ?? 0)")
            case .service(let service): story.append("\(second) \(service.name)")
            default: story.append("\(second) other")
            }
          }
        }
        story.append("ended")
        guard case .ended = try await connection.next(until: nil, by: clock.locationClock) else {
          story.append("not ended")
          return story
        }
      } catch {
        story.append(error.description)
      }
      return story
    }
  }

  @Test func `has the clock of its members`() async {
    let clock = ManualClock()
    clock.jump(by: .seconds(77))
    let best = BestLocationProvider([("bow", ScriptedLocationSource(clock: clock))])
    #expect(best.clock.now.uptime == .seconds(77))
    let other = BestLocationProvider(
      [("bow", ScriptedLocationSource(clock: clock))], clock: ManualClock().locationClock)
    #expect(other.clock.now.uptime == .zero)
  }

  @Test func `has closed the connections to all providers when it is closed`() async {
    let clock = ManualClock()
    let sources = (0..<3).map { _ in
      ScriptedLocationSource(clock: clock, scripts: [fix(1)])
    }
    let best = BestLocationProvider(
      zip(["a", "b", "c"], sources).map { ($0, $1) }, retries: .never, clock: clock.locationClock)
    await clock.whileAdvancing {
      var connection = best.connection()
      _ = try? await connection.next(until: nil, by: clock.locationClock)
      connection.close()
      for source in sources {
        #expect(source.calls.count { $0 == .close } == source.connectionCount)
      }
    }
    #expect(sources.contains { $0.connectionCount > 0 })
  }

  @Test func `keeps the provider contract`() async {
    let clock = ManualClock()
    var expected = Reports.locationFix(1, of: nil)
    expected.quality = .dgps
    let source = ScriptedLocationSource(
      clock: clock, scripts: [fix(1, .dgps), .wait(.seconds(1)), .end])
    let best = BestLocationProvider(
      [("a", source)], retries: .never, clock: clock.locationClock)
    let events: [LocationEvent] = [.selected("a", previous: nil), .fix(expected), .noFix(NoFix())]
    let violations = await clock.whileAdvancing {
      // The end of a source has the moment at which the connection is polled.
      await best.contractViolations(reporting: events, excusing: [.momentsOfArrival])
    }
    #expect(violations == [])
  }

  @Test func `has one receiver, whose fixes continue when the source changes`() async throws {
    let clock = ManualClock()
    let steady = ScriptedLocationSource(
      clock: clock,
      scripts: (0...40).flatMap { second -> [ScriptedLocationSource.Step] in
        [fix(Double(second)), .wait(.seconds(1))]
      } + [.end])
    let exact = (0...20).flatMap { second -> [ScriptedLocationSource.Step] in
      [fix(Double(second) - 100, .rtkFixed), .wait(.seconds(1))]
    }
    let better = ScriptedLocationSource(
      clock: clock, scripts: [.wait(.milliseconds(500))] + exact + [noFix(-79), .end])
    let best = BestLocationProvider(
      [("steady", steady), ("better", better)], clock: clock.locationClock)
    let story = try await clock.whileAdvancing {
      var story: [String] = []
      for try await update in best.updates() {
        switch update {
        case .state(let change): story.append(change.state.rawValue)
        case .change(let change):
          if case .selected(let name, let previous) = change.kind {
            story.append("\(previous ?? "none") > \(name)")
          }
        case .fix, .retry, .event: break
        }
        if story.last == "better > steady" { break }
      }
      return story
    }
    #expect(
      story == [
        "connecting", "none > steady", "fix-3d", "steady > better", "better > steady",
      ])
  }

  @Test(arguments: [(1, nil), (10, nil), (1, .seconds(5))] as [(Int, Duration?)])
  func `is not lost when the selected source falls silent and another has a fix`(
    interval: Int, staleAfter: Duration?
  ) async throws {
    let clock = ManualClock()
    let silent = ScriptedLocationSource(
      clock: clock,
      scripts: (0...4).flatMap { [fix(Double($0)), .wait(.seconds(1))] }
        + [.wait(.seconds(30)), .end])
    // Of fixes with fewer values, the first is held for 150 ms. The limit has passed by then.
    let other = ScriptedLocationSource(
      clock: clock,
      scripts: [.wait(.milliseconds(400))]
        + (0...20).flatMap {
          [
            fix(Double($0 * interval), accuracy: staleAfter == nil ? 9 : nil),
            .wait(.seconds(interval)),
          ]
        } + [.end])
    let best = BestLocationProvider(
      [("silent", silent), ("other", other)], clock: clock.locationClock)
    let story = try await clock.whileAdvancing {
      var story: [String] = []
      for try await update in best.updates(staleAfter: staleAfter, retries: .never) {
        switch update {
        case .state(let change): story.append(change.state.rawValue)
        case .change(let change): story.append("\(change.kind.name)")
        case .fix, .retry, .event: break
        }
      }
      return story
    }
    #expect(story.prefix(5) == ["connecting", "selected", "fix-3d", "selected", "lost"])
    // At the end, when no source has a fix any more.
    #expect(!story.dropFirst(5).contains("fix-3d"))
  }

  /// For a recording, which would not know without them when a source had no fix.
  @Test func `reports what a line of no source shows`() async throws {
    let clock = ManualClock()
    let silent = ScriptedLocationSource(
      clock: clock, scripts: [.wait(.seconds(1)), fix(0), .wait(.seconds(99)), .end])
    let gone = ScriptedLocationSource(
      clock: clock, scripts: [.wait(.seconds(2)), .fail(Self.gone)])
    let calls = Collector<String>()
    var observers = BestLocationProvider.Observers()
    let start = clock.locationClock.now
    observers.timePassed = { calls.add("\($1) \(start.duration(to: $0).inSeconds)") }
    observers.linkFailed = { calls.add("\($1) \($0.state)") }
    observers.didChange = { calls.add("\($1): \($0.state)") }
    let best = BestLocationProvider(
      of: [
        ("silent", silent.updates(retries: .never)), ("gone", gone.updates(retries: .never)),
      ], clock: clock.locationClock, observers: observers)
    await clock.whileAdvancing {
      var connection = best.connection()
      while case .value = try? await connection.next(
        until: start.advanced(by: .seconds(90)), by: clock.locationClock)
      {}
      connection.close()
    }
    #expect(
      calls.values.filter { $0.hasPrefix("silent") } == [
        "silent 0.0", "silent: connecting", "silent: fix-3d", "silent 66.0", "silent: lost",
      ])
    #expect(
      calls.values.filter { $0.hasPrefix("gone") } == [
        "gone 0.0", "gone: connecting", "gone no-daemon", "gone: no-daemon",
      ])
  }

  @Test func `does not take a source whose fixes are late`() async {
    // The second source's fixes are as old as its connection takes to deliver the first of them.
    let late =
      [.wait(.milliseconds(1)), fix(0), .wait(.seconds(1)), noFix(1), .wait(.seconds(60))]
      + (2...13).flatMap { [fix(Double($0), .rtkFixed, accuracy: 1), .wait(.seconds(1))] }
    let steady = (0...95).flatMap { [fix(Double($0)), .wait(.seconds(1))] }
    let story = await story(of: [("steady", steady), ("late", late)])
    #expect(story.filter { $0.contains(">") } == ["0.0 none > steady"])
    #expect(!story.contains { $0.contains(" 1.0") })
  }

  @Test func `writes late fixes of the source that it has selected`() async {
    // Its times fall behind by 0.9 s a second.
    let steps = (0..<12).flatMap { [fix(Double($0) / 10, accuracy: 3), .wait(.seconds(1))] }
    let story = await story(of: [("a", steps)])
    #expect(story.prefix(3) == ["0.0 none > a", "0.0 3.0", "1.0 3.0"])
    let late = story.filter { $0.hasSuffix(" 3.0 late") }
    #expect(late.count > 2)
    #expect(late.count + story.count { $0.hasSuffix(" 3.0") } == 12)
  }

  @Test func `continues with a source's other receiver when one has no fix`() async {
    let steps: [ScriptedLocationSource.Step] = [
      fix(0, of: "/dev/a", accuracy: 3), fix(0, of: "/dev/b", accuracy: 8), .wait(.seconds(1)),
      fix(1, of: "/dev/a", accuracy: 3), noFix(1, of: "/dev/b"), .wait(.seconds(1)),
      fix(2, of: "/dev/a", accuracy: 3), fix(2, of: "/dev/b", accuracy: 7), .wait(.seconds(1)),
      noFix(3, of: "/dev/a"), fix(3, of: "/dev/b", accuracy: 7), .wait(.seconds(1)),
      noFix(4, of: "/dev/b"), .wait(.seconds(1)), fix(5, of: "/dev/b", accuracy: 6),
    ]
    let other: [ScriptedLocationSource.Step] = [
      .wait(.milliseconds(1)), fix(0, accuracy: 20), .wait(.seconds(1)), fix(1, accuracy: 20),
    ]
    let clock = ManualClock()
    let best = BestLocationProvider(
      [
        ("two", ScriptedLocationSource(clock: clock, scripts: steps)),
        ("other", ScriptedLocationSource(clock: clock, scripts: other)),
      ], clock: clock.locationClock)
    let story = await clock.whileAdvancing {
      var connection = best.connection()
      var story: [String] = []
      let end = clock.locationClock.now.advanced(by: .seconds(60))
      while !story.contains("other > two"),
        case .value(let events, _)? = try? await connection.next(
          until: end, by: clock.locationClock)
      {
        for event in events.map(\.event) {
          switch event {
          case .fix(let fix): story.append("\(fix.horizontalError ?? 0)")
          case .selected(let name, let previous): story.append("\(previous ?? "none") > \(name)")
          case .noFix: story.append("no fix")
          default: break
          }
        }
      }
      connection.close()
      return story
    }
    #expect(story.prefix(4) == ["none > two", "3.0", "3.0", "3.0"])
    // The first receiver has no fix from 3 s on, the second one from 4 s on.
    #expect(
      story.filter { $0.contains(">") } == ["none > two", "two > other", "other > two"])
    #expect(story.contains("7.0"))
    #expect(!story.contains("8.0"))
    #expect(!story.contains("no fix"))
  }

  @Test func `takes a better source whose second receiver is worse`() async {
    let steady = (0...30).flatMap { second -> [ScriptedLocationSource.Step] in
      [fix(Double(second), accuracy: 9), .wait(.seconds(1))]
    }
    let two = (0...30).flatMap { second -> [ScriptedLocationSource.Step] in
      let time = Double(second)
      let other =
        second % 3 == 2 ? noFix(time, of: "/dev/c") : fix(time, of: "/dev/c", accuracy: 30)
      return [fix(time, of: "/dev/b", accuracy: 3), other, .wait(.seconds(1))]
    }
    let story = await story(of: [("steady", steady), ("two", [.wait(.milliseconds(500))] + two)])
    #expect(
      story.filter { $0.contains(">") }.prefix(2) == ["0.0 none > steady", "10.5 steady > two"])
    #expect(story.filter { $0.hasSuffix("30.0") } == [])
    #expect(story.filter { $0.hasSuffix("no fix") }.count == 1)
  }

  @Test func `shows the satellites of the selected receiver`() async {
    func sky(of device: String?, _ seen: Int) -> ScriptedLocationSource.Step {
      .event(.sky(SkyView(device: device, seen: seen)))
    }
    let story = await story(of: [
      (
        "a",
        [
          sky(of: "/dev/a", 1), fix(0, of: "/dev/a"), sky(of: "/dev/a", 2), sky(of: "/dev/b", 3),
          sky(of: nil, 4), .wait(.seconds(2)),
        ]
      ),
      ("b", [.wait(.seconds(1)), fix(1, of: "/dev/a", accuracy: 99), sky(of: "/dev/a", 5)]),
    ])
    #expect(
      story.filter { $0.contains("sky") } == ["0.0 sky 2", "0.0 sky 4"])
  }

  @Test func `reports the service that answers first, and that it searches`() async {
    let service = LocationService(name: "gpsd 3.22")
    let story = await story(of: [
      ("a", [.event(.service(service)), noFix(0), .wait(.seconds(1)), .event(.service(service))]),
      ("b", [.wait(.milliseconds(1)), .event(.service(LocationService(name: "second")))]),
    ])
    #expect(story == ["0.0 gpsd 3.22", "0.0 no fix", "ended"])
  }

  @Test(arguments: [
    // One that ends without a failure has given all it had.
    (["fail", "fail"], "gone"), (["fail", "end"], "ended"), (["end", "fail"], "ended"),
    (["end", "end"], "ended"), (["fail"], "gone"), ([], "ended"),
  ])
  func `fails if all have failed`(ends: [String], expected: String) async {
    let sources = ends.enumerated().map { index, end -> (String, [ScriptedLocationSource.Step]) in
      ("\(index)", [.wait(.seconds(index)), fix(0)] + (end == "fail" ? [.fail(Self.gone)] : []))
    }
    #expect(await story(of: sources).last == expected)
  }

  @Test func `waits until its deadline`() async throws {
    let clock = ManualClock()
    let source = ScriptedLocationSource(clock: clock, scripts: [])
    let best = BestLocationProvider([("a", source)], clock: clock.locationClock)
    var connection = best.connection()
    let deadline = clock.locationClock.now.advanced(by: .seconds(3))
    let read = try await clock.whileAdvancing {
      try await connection.next(until: deadline, by: clock.locationClock)
    }
    guard case .timedOut(let moment) = read else {
      Issue.record("\(read)")
      return
    }
    #expect(moment == deadline)
    connection.close()
    guard case .ended = try await connection.next(until: nil, by: clock.locationClock) else {
      Issue.record("not ended")
      return
    }
    #expect(source.connectionCount == 1)
  }

  @Test func `leaves a source that ends or can no longer be reached`() async {
    let a = [fix(0, accuracy: 3), .wait(.seconds(1)), fix(1, accuracy: 3), .fail(Self.gone)]
    let b = (0...4).flatMap { [fix(Double($0), accuracy: 9), .wait(.seconds(1))] }
    let story = await story(of: [("a", a), ("b", [.wait(.milliseconds(100))] + b)])
    #expect(
      story == [
        "0.0 none > a", "0.0 3.0", "1.0 3.0", "1.0 a > b", "1.0 9.0", "1.1 9.0", "2.1 9.0",
        "3.1 9.0", "4.1 9.0", "5.1 no fix", "ended",
      ])
  }
}
