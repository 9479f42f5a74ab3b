import Foundation
import Glibc
import LocationCore
import Synchronization
import TestSupport
import Testing

@testable import LocationTestKit
@testable import LocwatchRecordings
@testable import LocwatchSystem

/// Fault 108.
@Suite(.timeLimit(.minutes(5))) final class RecorderWorkTests: FolderOfRecordings {
  private func entries() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).filter { $0 != ".locwatch.lock" }
      .sorted()
  }

  private func recorder(
    _ rotation: RecordingFolder.Rotation = .daily, _ limit: RecordingFolder.Limit?
  ) throws -> Recorder {
    let folder = try RecordingFolder(FilePath(path), rotation: rotation, limit: limit)
    let work = RecorderWork(disk: .atOnce, upkeep: .atOnce) { [removals] message in
      if message.hasPrefix("removed ") { removals.add(message) } else { Issue.record("\(message)") }
    }
    return Recorder(folder, work: work) { Issue.record("\($0)") }
  }

  private let removals = Collector<String>()

  private var size: Int {
    get throws {
      try entries().reduce(0) { sum, name in
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
        return sum + (attributes[.size] as? Int ?? 0)
      }
    }
  }

  /// Outside a release build, a line in 100 s.
  @Test func `Thirty days are kept, at a line a second, and no more`() throws {
    let recorder = try recorder(.daily, .age(.seconds(30 * 86_400)))
    let day = 86_400
    let hour = String(repeating: #"{"class":"TPV"}"# + "\r\n", count: isReleaseBuild ? 3600 : 36)
    for second in stride(from: 0, to: 40 * day, by: 3600) {
      keep(hour, at: second, in: recorder)
      if second % (7 * day) == 0 { try recorder.flush() }
    }
    try recorder.finish()
    // It begins at 07:00, and ends at 06:00 in the 41st file. What ended 30 days before that is gone.
    let names = try entries()
    #expect(names.count == 31)
    #expect(names.first?.hasPrefix("000011-2026-11-30T000000.000Z") == true)
    #expect(names.dropLast().allSatisfy { $0.hasSuffix(".jsonl.gz") })
    #expect(names.last == "000041-2026-12-30T000000.000Z.jsonl")
  }

  @Test func `A limit of size holds at all times`() throws {
    let limit = 800_000
    let recorder = try recorder(.daily, .size(limit))
    var generator = SystemRandomNumberGenerator()
    var largest = 0
    for second in 0..<20_000 {
      // It does not get much smaller.
      let text = (0..<8).map { _ in String(generator.next(), radix: 36) }.joined()
      keep(#"{"class":"TPV","x":"\#(text)"}"#, at: second * 60, in: recorder)
      if second % 50 == 0 {
        try recorder.flush()
        largest = max(largest, try size)
      }
    }
    try recorder.finish()
    #expect(try size <= limit && largest <= limit && largest > limit * 8 / 10)
    #expect(try entries().count > 8)
    #expect(try entries().first?.hasPrefix("000001") == false)
  }

  @Test(arguments: [
    (RecordingFolder.Limit.age(.seconds(80)), 10, 0, true), (.age(.seconds(80)), 9, 99_999, false),
    (.size(80_000), 0, 10_000, true), (.size(80_000), 9999, 9999, false),
  ])
  func `A file has at most an eighth of the limit`(
    limit: RecordingFolder.Limit, seconds: Int, size: Int, begins: Bool
  ) throws {
    let folder = try RecordingFolder(FilePath(path), rotation: .size(1_000_000), limit: limit)
    #expect(folder.beginsFile(at: moment(seconds), after: moment(0), size: size) == begins)
  }

  @Test func `The upkeep of a folder runs once an hour, or as it grows`() throws {
    func needs(_ limit: RecordingFolder.Limit?, _ growth: Int, _ seconds: Int) throws -> Bool {
      try RecordingFolder(FilePath(path), rotation: .daily, limit: limit)
        .needsUpkeep(after: growth, .seconds(seconds))
    }
    #expect(try !needs(nil, 1 << 40, 1 << 30))
    #expect(
      try needs(.age(.seconds(86_400)), 0, 3600) && !needs(.age(.seconds(86_400)), 1 << 40, 3599))
    #expect(try needs(.size(3200), 100, 0) && !needs(.size(3200), 99, 1 << 30))
  }

  @Test func `A recording is synced after 5 s, and at its end`() async throws {
    let clock = ManualClock()
    let syncs = Mutex(0)
    let work = RecorderWork(
      disk: BackgroundWork { body in
        syncs.withLock { $0 += 1 }
        body()
        return true
      }, upkeep: .never, report: { Issue.record("\($0)") })
    let folder = try RecordingFolder(FilePath(path), rotation: .daily)
    let recorder = Recorder(folder, clock: clock.locationClock, work: work) {
      Issue.record("\($0)")
    }
    try recorder.flush()
    var counts: [Int] = []
    for second in 0..<14 {
      if second < 8 { keep(#"{"class":"TPV"}"#, at: second, in: recorder) }
      try recorder.flush()
      counts.append(syncs.withLock(\.self))
      clock.jump(by: .seconds(1))
    }
    // At 5 s what was written from 0 s on, at 11 s what was written from 6 s on.
    #expect(counts == [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2])
    try recorder.finish()
    #expect(syncs.withLock(\.self) == 3)
    await recorder.waitForDisk(on: nil)
  }

  @Test func `A failed sync is reported once, and again after a successful one`() throws {
    let said = Collector<String>()
    let work = RecorderWork(disk: .atOnce, upkeep: .never) { said.add($0) }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let good = try Descriptor(appendingTo: FilePath("\(path)/good"))
    let bad = try Descriptor(appendingTo: FilePath("\(path)/bad"))
    // A descriptor that was opened with O_PATH cannot be synced.
    let O_PATH: CInt = 0o10000000
    let place = open("\(path)/bad", O_PATH)
    defer { close(place) }
    #expect(dup2(place, bad.number) == bad.number)
    for file in [bad, bad, good, bad] { work.sync(file, in: nil) }
    let reason = "cannot write to \(path)/bad: \(systemText(EBADF))"
    #expect(said.values == [reason, reason])
    work.finish(bad, at: nil, in: nil)
    work.finish(good, at: nil, in: nil)
    // It was closed.
    #expect(dup2(place, bad.number) == bad.number)
    work.finish(bad, at: nil, in: nil)
    #expect(said.values == [reason, reason, reason])
  }

  @Test func `A disk that takes nothing delays the end by 5 s`() async throws {
    let clock = ManualClock()
    let work = RecorderWork(disk: BackgroundWork { _ in true }, upkeep: .never) {
      Issue.record("\($0)")
    }
    let folder = try RecordingFolder(FilePath(path), rotation: .daily)
    let recorder = Recorder(folder, clock: clock.locationClock, work: work) {
      Issue.record("\($0)")
    }
    keep(#"{"class":"TPV"}"#, at: 0, in: recorder)
    try recorder.finish()
    let end = clock.now.advanced(by: .seconds(5))
    let wait = Task { await recorder.waitForDisk(on: nil) }
    await clock.waitForSleepers()
    #expect(clock.nextDeadline == end)
    clock.jump(by: .seconds(5))
    await wait.value
  }

  @Test func `The name of each new file is synced with its contents`() throws {
    let clock = ManualClock()
    let synced = Collector<String>()
    let work = RecorderWork(
      disk: .atOnce, upkeep: .never, syncFolder: { synced.add("\($0)") },
      report: { Issue.record("\($0)") })
    let folder = try RecordingFolder(FilePath(path), rotation: .every(.seconds(100)))
    let recorder = Recorder(folder, clock: clock.locationClock, work: work) { _ in }
    func record(_ second: Int) throws {
      keep(#"{"class":"TPV"}"#, at: second, in: recorder)
      try recorder.flush()
    }
    try record(0)
    clock.jump(by: .seconds(5))
    try record(5)
    #expect(synced.values == [path])
    // Its name is there.
    try record(10)
    clock.jump(by: .seconds(5))
    try record(15)
    #expect(synced.values.count == 1)
    // The first file is complete, and then the second has its name.
    try record(100)
    #expect(synced.values.count == 2)
    clock.jump(by: .seconds(5))
    try record(105)
    #expect(synced.values.count == 3)
    try FileManager.default.removeItem(atPath: path)
    try record(110)
    clock.jump(by: .seconds(5))
    try record(115)
    #expect(synced.values == [path, path, path, path])
  }

  @Test func `The upkeep runs as soon after a removed file as after any new one`() throws {
    let upkeeps = Mutex(0)
    let work = RecorderWork(
      disk: .atOnce,
      upkeep: BackgroundWork { _ in
        upkeeps.withLock { $0 += 1 }
        return false
      }, report: { Issue.record("\($0)") })
    let limit = RecordingFolder.Limit.size(80_000)
    let folder = try RecordingFolder(FilePath(path), rotation: .daily, limit: limit)
    let recorder = Recorder(folder, work: work) { _ in }
    let text = String(repeating: "x", count: 960)
    func record(_ seconds: Range<Int>) throws -> Int {
      let before = upkeeps.withLock(\.self)
      for second in seconds {
        keep(#"{"class":"TPV","x":"\#(text)"}"#, at: second, in: recorder)
        try recorder.flush()
      }
      return upkeeps.withLock(\.self) - before
    }
    #expect(try record(0..<3) == 0)
    #expect(try record(3..<8) == 2)
    try FileManager.default.removeItem(atPath: path)
    #expect(try record(8..<10) == 0)
    #expect(try record(10..<12) == 1)
  }

  @Test func `A failed upkeep is reported once, and again after a successful one`() throws {
    let said = Collector<String>()
    let work = RecorderWork(disk: .atOnce, upkeep: .atOnce) { said.add($0) }
    // /dev/null cannot be synchronized, which loses nothing.
    work.sync(try Descriptor(appendingTo: "/dev/null"), in: nil)
    #expect(said.values == [])
    let folder = try RecordingFolder(FilePath(path), rotation: .daily)
    try FileManager.default.removeItem(atPath: path)
    for _ in 0..<3 { work.keepUp(folder) }
    let message =
      "\(path)/.locwatch.lock: No such file or directory; it is unchanged, and locwatch tries again"
    #expect(said.values.count == 1 && said.values.first?.hasSuffix(message) == true)
    _ = try RecordingFolder(FilePath(path), rotation: .daily)
    work.keepUp(folder)
    try FileManager.default.removeItem(atPath: path)
    work.keepUp(folder)
    #expect(said.values.count == 2)
  }
}

@Suite(.timeLimit(.minutes(5))) struct `Work on another thread` {
  @Test func `is done in order, and waited for`() async {
    let work = BackgroundWork()
    let done = Collector<Int>()
    for number in 0..<100 { work.add { done.add(number) } }
    #expect(
      await work.finish(
        until: LocationClock.live.now.advanced(by: .seconds(300)), by: .live, on: nil))
    #expect(done.values == Array(0..<100) && !work.isBusy)
    #expect(await work.finish(until: .past, by: .live, on: nil))
  }

  @Test func `is not waited for after the deadline`() async {
    let bodies = Collector<@Sendable () -> Void>()
    let work = BackgroundWork {
      bodies.add($0); return true
    }
    work.add {}
    #expect(work.isBusy)
    #expect(await !work.finish(until: LocationClock.live.now, by: .live, on: nil))
    for body in bodies.values { body() }
    #expect(!work.isBusy)
  }

  @Test func `is done with the next if no thread can be started`() {
    let starts = Mutex(0)
    let done = Collector<Int>()
    let work = BackgroundWork { body in
      guard
        starts.withLock({
          $0 += 1; return $0 > 1
        })
      else { return false }
      body()
      return true
    }
    work.add { done.add(1) }
    #expect(!work.isBusy && done.values == [])
    work.add { done.add(2) }
    #expect(done.values == [1, 2])
  }
}

@Suite struct `The schedule of a recording's syncs` {
  private var schedule = SyncSchedule()

  private func isDue(_ milliseconds: Int) -> Bool {
    schedule.isDue(at: Moment(uptime: .milliseconds(milliseconds)))
  }

  @Test mutating func `has one 5 s after the first write that the last one did not have`() {
    #expect(!isDue(100_000))
    for second in [1, 4] { schedule.recordWrite(at: Moment(uptime: .seconds(second))) }
    #expect(!isDue(5999) && isDue(6000))
    schedule.recordSync()
    #expect(!isDue(100_000))
    schedule.recordWrite(at: Moment(uptime: .seconds(100)))
    #expect(!isDue(104_999) && isDue(105_000))
  }
}
