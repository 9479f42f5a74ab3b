import Testing

@testable import LocationTestKit

@Suite(.timeLimit(.minutes(5))) struct `Ready jobs` {
  private let clock = ManualClock()

  @Test func `a job is ready until a thread begins it`() async {
    #expect(ReadyJobs.areCounted)
    let total = ReadyJobs.total
    let jobs = (0..<100).map { number in Task.detached { number } }
    #expect(ReadyJobs.total >= total + 100)
    for (number, job) in jobs.enumerated() { #expect(await job.value == number) }
    #expect(await clock.settle())
  }

  @Test func `the first jobs have begun when none of them is ready`() {
    var ledger = ReadyJobs.Ledger()
    #expect(ledger.haveBegun(0) && ledger.count == 0 && ledger.total == 0)
    #expect([ledger.recordReady(), ledger.recordReady(), ledger.recordReady()] == [0, 1, 2])
    #expect(ledger.count == 3 && ledger.total == 3)
    ledger.recordBegin(of: 1)
    ledger.recordBegin(of: 0)
    #expect(ledger.count == 1 && ledger.total == 3)
    #expect((0...3).map(ledger.haveBegun) == [true, true, true, false])
    ledger.recordBegin(of: 2)
    #expect(ledger.haveBegun(3) && ledger.count == 0)
  }

  @Test(arguments: ["swift_task_enqueueGlobal_hook", "there_is_no_such_hook"])
  func `a hook that is missing or used already is left alone`(name: String) {
    #expect(!ReadyJobs.InstalledHook(name) { _, _ in }.isOurs)
    #expect(ReadyJobs.areCounted)
  }
}
