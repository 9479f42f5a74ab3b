import LocationCore
import LocationTestKit
import Testing
import VirtualTimeTesting

@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `Location updates` {
  private let clock = ManualClock()

  private func updates(
    _ steps: ScriptedLocationSource.Step..., retries: RetryPolicy = .never
  ) -> LocationUpdates {
    ScriptedLocationSource(clock: clock, scripts: steps).updates(retries: retries)
  }

  @Test func `reports states before fixes, and ends with its provider`() async {
    let story = await Story.of(
      updates(
        .event(Reports.noFix(0)), .event(Reports.fix(1)), .event(Reports.fix(2, .fix2D)), .end))
    #expect(
      story.lines == [
        "0.0 connecting", "0.0 a connecting > searching", "0.0 a searching > fix-3d",
        "0.0 a 3d 1.0",
        "0.0 a fix-3d > fix-2d", "0.0 a 2d 2.0",
      ])
    #expect(story.error == nil)
  }

  @Test func `passes on what is no fix and no state`() async throws {
    let service = LocationEvent.service(LocationService(name: "gpsd 3.22"))
    var reported: [LocationUpdate] = []
    for try await update in updates(.event(service), .event(.notice("hello")), .end) {
      reported.append(update)
    }
    #expect(reported.dropFirst() == [.event(service), .event(.notice("hello"))])
  }

  @Test func `a fix is stale without a report to say so`() async {
    let sequence = updates(.event(Reports.fix(0)))
    async let story = Story.of(sequence, limit: 4)
    await clock.waitForSleepers()
    clock.jump(by: .seconds(65))
    #expect(
      await story.lines == [
        "0.0 connecting", "0.0 a connecting > fix-3d", "0.0 a 3d 0.0",
        "65.0 a fix-3d > lost: silence",
      ])
  }

  @Test func `the end writes what an epoch held`() async {
    let story = await Story.of(updates(.event(Reports.fix(0, isThin: true)), .end))
    #expect(story.lines.dropFirst() == ["0.0 a connecting > fix-3d", "0.0 a 3d 0.0"])
  }

  @Test func `leaves out fixes that are too near or not accurate enough`() async {
    var near = Reports.locationFix(1)
    near.coordinate = Coordinate(latitude: 47.37001, longitude: 8.54)!
    var vague = Reports.locationFix(2)
    vague[.eph] = 25
    var far = Reports.locationFix(3)
    far.coordinate = Coordinate(latitude: 47.372, longitude: 8.54)!
    let steps = [Reports.locationFix(0), near, vague, far].map {
      ScriptedLocationSource.Step.event(.fix($0))
    }
    let source = ScriptedLocationSource(clock: clock, scripts: steps + [.end])
    let story = await Story.of(
      source.updates(LocationRequest(desiredAccuracy: 20, distanceFilter: 100)))
    #expect(
      story.lines.dropFirst() == ["0.0 a connecting > fix-3d", "0.0 a 3d 0.0", "0.0 a 3d 3.0"])
  }

  @Test func `cancelled while it waits for a report, it ends`() async {
    let sequence = updates(.event(Reports.fix(0)))
    let task = Task { await Story.of(sequence) }
    await clock.waitForSleepers()
    task.cancel()
    let story = await task.value
    #expect(story.lines.last == "0.0 a 3d 0.0")
    #expect(story.error == nil)
  }

  @Test func `cancelled while it waits to connect again, it ends`() async {
    let sequence = updates(.fail(.gone), retries: RetryPolicy())
    let task = Task { await Story.of(sequence) }
    await clock.waitForSleepers()
    task.cancel()
    #expect(
      await task.value == Story(lines: ["0.0 connecting", "0.0 connecting > no-daemon: gone"]))
  }

  @Test func `after its end it says nothing`() async throws {
    var iterator = updates(.fail(.gone)).makeAsyncIterator()
    _ = try await iterator.next()
    _ = try await iterator.next()
    await #expect(throws: LocationError.gone) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }

  @Test func `after close it says nothing`() async throws {
    var iterator = updates(.event(Reports.fix(0))).makeAsyncIterator()
    _ = try await iterator.next()
    _ = try await iterator.next()
    iterator.close()
    #expect(try await iterator.next(until: nil) == .ended)
  }
}
