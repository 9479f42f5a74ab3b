import Testing

@testable import LocationTestKit

@Suite(.timeLimit(.minutes(5))) struct `Turns to settle` {
  private let turns = TurnsToSettle()

  @Test func `the turn goes to those that wait, in the order in which they asked`() async {
    #expect(await turns.take())
    #expect(turns.count == 0)
    let had = Collector<Int>()
    var waiting: [Task<Void, Never>] = []
    for number in 1...3 {
      waiting.append(
        Task {
          #expect(await turns.take())
          had.add(number)
        })
      while turns.count < number { await Task.yield() }
    }
    #expect(had.values == [])
    for number in 1...3 {
      turns.pass()
      #expect(await had.next(1) == [number])
    }
    #expect(turns.count == 0)
    turns.pass()
    #expect(await turns.take())
  }

  @Test(arguments: [0, 1, 100])
  func `who is cancelled while it waits has no turn`(yields: Int) async {
    #expect(await turns.take())
    let cancelled = Task { await turns.take() }
    for _ in 0..<yields { await Task.yield() }
    cancelled.cancel()
    #expect(await cancelled.value == false)
    turns.pass()
    #expect(await turns.take())
  }
}
