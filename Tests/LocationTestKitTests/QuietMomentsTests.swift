import Testing

@testable import LocationTestKit

@Suite struct `A watch for quiet moments` {
  private let clock = ManualClock()
  private var watch: QuietMoments.Watch

  init() { watch = QuietMoments.Watch(clock) }

  @Test mutating func `counts whole turns in which the clock was not used`() {
    for turns in 1...3 {
      watch.noteTurn(isWhole: true)
      #expect(watch.quietTurns == turns)
    }
    watch.noteTurn(isWhole: false)
    #expect(watch.quietTurns == 0)
    watch.noteTurn(isWhole: true)
    _ = clock.now
    watch.noteTurn(isWhole: true)
    #expect(watch.quietTurns == 0)
  }

  @Test mutating func `takes threads for others' that computed 20 ms since the clock was used`() {
    let looks: [([Int32: Int64], Bool)] = [
      ([:], false), ([1: 5, 2: 7], false), ([1: 20_000_004], false), ([1: 20_000_005], true),
      ([1: 20_000_005, 2: 20_000_006], false), ([1: 20_000_005, 2: 20_000_007], true),
      ([1: 30_000_000, 3: 30_000_000], false),
    ]
    var answers = looks.map { watch.areOfOthers($0.0) }
    #expect(answers == looks.map(\.1))
    watch.noticeUses()
    let stillOthers = watch.areOfOthers([1: 30_000_000])
    #expect(stillOthers)
    _ = clock.now
    watch.noticeUses()
    answers = [30_000_000, 49_999_999, 50_000_000].map { watch.areOfOthers([1: $0]) }
    #expect(answers == [false, false, true])
  }
}
