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

  @Test(arguments: ["swift_task_enqueueGlobal_hook", "there_is_no_such_hook"])
  func `a hook that is missing or used already is left alone`(name: String) {
    #expect(!ReadyJobs.InstalledHook(name) { _, _ in }.isOurs)
    #expect(ReadyJobs.areCounted)
  }
}
