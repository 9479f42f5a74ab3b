import DaemonHarness
import Foundation
import Glibc
import SimulatedReceiver
import Testing

/// Faults of time, by their numbers in the fault matrix. Long ones have the same test without their
/// minute beside them.
@Suite(.serialized, .needsGPSD, .timeLimit(.minutes(5)))
struct `Of time` {
  private static func shifted(by seconds: Int64) -> Scenario {
    .quick(Phase(1, .threeDimensional, clock: .off(bySeconds: seconds)))
  }

  @Test func `22: stuck epoch`() async throws {
    let site = try await Site()
    let locwatch = try Locwatch.start("--json", site.address)
    var transcript = Transcript(of: locwatch)
    for _ in 0..<5 { try await transcript.fix() }
    site.receiver.change(to: .quick(Phase(1_000_000, .threeDimensional, clock: .stuck)))
    let lost = try await transcript.state("lost")
    #expect(lost.reason == "stuck" && lost.previous == "fix-3d")
    site.receiver.change(to: .standing)
    try await transcript.state("fix-3d")
    let times = try locwatch.output.records().filter(\.isFix).compactMap(\.time)
    #expect(Set(times).count == times.count)
  }

  @Test(arguments: [-3600, 7305 * 86_400] as [Int64])
  func `22: -1 h and +20 years`(seconds: Int64) async throws {
    let site = try await Site()
    let locwatch = try Locwatch.start("--json", site.address)
    var transcript = Transcript(of: locwatch)
    for _ in 0..<5 { try await transcript.fix() }
    site.receiver.change(to: Self.shifted(by: seconds))
    let jump = try await transcript.next { $0.timeJump != nil }
    #expect(abs(try #require(jump.timeJump) - Double(seconds)) < 2)
    #expect(jump.isFix && jump.current == nil)
    for _ in 0..<5 { #expect(try await transcript.fix().timeJump == nil) }
    let states = try locwatch.output.records().compactMap(\.state)
    #expect(states.last == "fix-3d" && !states.contains("lost"))
  }

  @Test func `24: stdout blocked for 3 s at 10 Hz`() async throws {
    try await blockOutput(for: .seconds(3))
  }

  /// What waited for over 5 s to be written is not current any more. It was when it arrived, so it is counted.
  @Test(.takesLong) func `24: stdout blocked for 60 s at 10 Hz`() async throws {
    #expect(try await blockOutput(for: .seconds(60)) > 100)
  }

  /// What the pipe and locwatch itself can hold, more than a thousand fixes, is not lost.
  ///
  /// - Returns: How many fixes are not current because locwatch could not write them in time.
  @discardableResult
  private func blockOutput(for duration: Duration) async throws -> Int {
    let site = try await Site()
    let locwatch = try Locwatch.start("--json", "-v", site.address)
    var transcript = Transcript(of: locwatch)
    for _ in 0..<5 { try await transcript.fix() }
    locwatch.output.pause()
    try await site.pass(duration)
    let resumed = Date.now
    locwatch.output.resume()
    try await transcript.next {
      try $0.isFix && $0.current == nil && Self.date($0.received) > resumed
    }
    locwatch.signal(SIGINT)
    #expect(try await locwatch.waitForExit() == .exited(130))
    #expect(locwatch.errors.lines.contains("locwatch: records dropped for a slow reader: 0"))
    let fixes = try locwatch.output.records().filter(\.isFix)
    let times = fixes.compactMap(\.time)
    #expect(Set(times).count == times.count && times == times.sorted())
    // However many of them a busy machine lets gpsd read. Those that it delays for 5 s are not counted.
    #expect(times.count > 5)
    let old = fixes.filter { $0.current != nil }
    let held = try old.filter { try Self.date($0.received) < resumed - 4.5 }.count
    let usual = try #require(fixes.filter { $0.time != nil }.map { try Self.age(of: $0) }.min())
    let delayed = try old.filter { try Self.age(of: $0) > usual + 4.5 }.count
    try #require(old.count <= held + delayed)
    let counted = (fixes.count - delayed)...(fixes.count - old.count + held)
    #expect(counted.contains { locwatch.errors.lines.contains("locwatch: fixes: \($0)") })
    return held
  }

  @Test func `25: SIGSTOP of locwatch for 6 s`() async throws {
    try await stop(for: .seconds(6))
  }

  @Test(.takesLong) func `25: SIGSTOP of locwatch for 60 s`() async throws {
    try await stop(for: .seconds(60))
  }

  /// Invariant 5.
  private func stop(for duration: Duration) async throws {
    let site = try await Site()
    let locwatch = try Locwatch.start("--json", "--stale", "2s", site.address)
    var transcript = Transcript(of: locwatch)
    // It is stopped once reports come in time, which on a busy machine the first ones do not.
    var (known, ages, usual) = (0, [Double](), Double.infinity)
    while ages.count < 10 || ages.suffix(10).contains(where: { $0 > usual + 0.5 }) {
      let fix = try await transcript.fix()
      known += 1
      // gpsd's first reports have no time.
      guard fix.time != nil else { continue }
      ages.append(try Self.age(of: fix))
      usual = min(usual, ages[ages.count - 1])
    }
    locwatch.signal(SIGSTOP)
    try await site.pass(duration)
    locwatch.signal(SIGCONT)
    let lost = try await transcript.state("lost")
    #expect(lost.reason == "silence")
    let old = try await transcript.next { $0.isFix && $0.current == false }
    #expect(old.time != nil)
    let back = try await transcript.state("fix-3d")
    #expect(back.previous == "lost")
    let fix = try await transcript.fix()
    #expect(fix.current == nil)
    // All between the two were written, in order, and as current only if they were hardly older than 2 s.
    let fixes = try locwatch.output.records().filter(\.isFix)
    let times = fixes.compactMap(\.time)
    #expect(Set(times).count == times.count && times == times.sorted())
    for fix in fixes.dropFirst(known) {
      let age = try Self.age(of: fix)
      guard abs(age - usual - 2) > 0.5 else { continue }
      #expect((fix.current == false) == (age > usual + 2), "\(fix), usually \(usual) s")
    }
    // However many of them a busy machine lets the receiver send.
    #expect(fixes.contains { $0.current == false })
  }

  private static func age(of fix: Record) throws -> Double {
    try date(fix.received).timeIntervalSince(date(fix.time))
  }

  private static func date(_ text: String?) throws -> Date {
    try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(#require(text))
  }

  @Test(.takesLong) func `8: killed, back after 30 s`() async throws {
    let site = try await Site()
    let locwatch = try Locwatch.start("--json", "--verbose", site.address)
    var transcript = Transcript(of: locwatch)
    try await transcript.fix()
    try await site.gpsd.kill()
    try await site.pass(.seconds(30))
    try await site.gpsd.restart()
    try await transcript.state("fix-3d", timeout: .seconds(40))
    try await transcript.fix()
    let records = try locwatch.output.records()
    // The first wait is in the record of the state, the others are in the log.
    let waits =
      records.compactMap(\.retryIn)
      + locwatch.errors.text.matches(of: #/retry in ([\d.]+) s/#).compactMap { Double($0.1) }
    for (wait, expected) in zip(waits, [1.0, 2, 4, 8, 16, 30]) {
      #expect(abs(wait / expected - 1) <= 0.2)
    }
    #expect(waits.count >= 4)
    let times = records.filter(\.isFix).compactMap(\.time)
    #expect(Set(times).count == times.count)
  }
}
