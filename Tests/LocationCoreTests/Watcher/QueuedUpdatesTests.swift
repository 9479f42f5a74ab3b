import LocationCore
import LocationTestKit
import Testing

/// `poll(until:)`: the updates that came with the last one.
@Suite(.timeLimit(.minutes(5))) struct `Queued updates` {
  private func updates(_ batches: [(Double, LocationEvent)]...) -> LocationUpdates.AsyncIterator {
    BatchSource(batches: batches).updates().makeAsyncIterator()
  }

  @Test func `are those that came with the last one`() async throws {
    var updates = updates(
      [(0, Reports.fix(0)), (0, Reports.fix(1))], [(2, Reports.fix(2))])
    var told: [[String?]] = []
    for _ in 0..<4 {
      told.append([Watch.line(try await updates.next(until: nil))])
      while let read = updates.poll(until: nil) { told[told.count - 1].append(Watch.line(read)) }
    }
    #expect(
      told == [
        ["0.0 connecting"], ["0.0 a connecting > fix-3d", "0.0 a 3d 0.0", "0.0 a 3d 1.0"],
        ["2.0 a 3d 2.0"], ["ended"],
      ])
  }

  @Test func `wait for what is due before them`() async throws {
    var updates = updates([(0, Reports.fix(0)), (70, Reports.fix(70))])
    for _ in 0..<3 { _ = try await updates.next(until: nil) }
    let deadline = Reports.moment(67)
    #expect(Watch.line(updates.poll(until: deadline)) == "65.0 a fix-3d > lost: silence")
    #expect(Watch.line(updates.poll(until: deadline)) == "67.0 seconds timed out")
    #expect(Watch.line(updates.poll(until: nil)) == "70.0 a lost > fix-3d")
    #expect(Watch.line(updates.poll(until: nil)) == "70.0 a 3d 70.0")
    #expect(Watch.line(updates.poll(until: nil)) == nil)
  }

  @Test func `wait for what is due at the deadline`() async throws {
    var updates = updates([(0, Reports.fix(0)), (70, Reports.fix(70))])
    for _ in 0..<3 { _ = try await updates.next(until: nil) }
    let deadline = Reports.moment(65)
    #expect(Watch.line(updates.poll(until: deadline)) == "65.0 a fix-3d > lost: silence")
    #expect(Watch.line(updates.poll(until: deadline)) == "65.0 seconds timed out")
    #expect(Watch.line(updates.poll(until: nil)) == "70.0 a lost > fix-3d")
  }

  @Test func `are none for a task that was cancelled, nor are those that were not taken`() async {
    let told = await Task {
      var updates = updates(
        [(0, Reports.fix(0)), (0, Reports.fix(1)), (0, Reports.fix(2))], [(3, Reports.fix(3))])
      var told: [String?] = []
      for _ in 0..<2 { told.append(Watch.line(try? await updates.next(until: nil))) }
      withUnsafeCurrentTask { $0?.cancel() }
      told.append(Watch.line(updates.poll(until: nil)))
      for _ in 0..<2 { told.append(Watch.line(try? await updates.next(until: nil))) }
      return told
    }.value
    #expect(told == ["0.0 connecting", "0.0 a connecting > fix-3d", nil, "ended", "ended"])
  }

  @Test func `are none after the iterator was closed`() async throws {
    var updates = updates([(0, Reports.fix(0))])
    for _ in 0..<2 { _ = try await updates.next(until: nil) }
    await updates.close()
    #expect(Watch.line(updates.poll(until: nil)) == nil)
    #expect(Watch.line(try await updates.next(until: nil)) == "ended")
  }

  @Test func `are none before the first wait and after the end`() async throws {
    var updates = updates([])
    #expect(Watch.line(updates.poll(until: nil)) == nil)
    #expect(Watch.line(try await updates.next(until: nil)) == "0.0 connecting")
    #expect(Watch.line(updates.poll(until: nil)) == nil)
    #expect(Watch.line(try await updates.next(until: nil)) == "ended")
    #expect(Watch.line(updates.poll(until: nil)) == nil)
  }
}
