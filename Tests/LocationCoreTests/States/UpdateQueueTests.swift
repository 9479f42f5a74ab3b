import Testing

@testable import LocationCore

@Suite struct `The queue of updates` {
  private func update(_ number: Int) -> LocationUpdate { .event(.notice("\(number)")) }

  private func number(_ update: LocationUpdate?) -> Int? {
    guard case .event(.notice(let text)) = update else { return nil }
    return Int(text)
  }

  @Test(arguments: [1, 2, 63, 64, 65, 1000])
  func `39: needs no more memory if it is never empty`(waiting: Int) {
    var queue = UpdateQueue()
    for number in 0..<waiting { queue.append(update(number), at: Reports.moment(0)) }
    var capacity = 0
    for round in 0..<100_000 {
      if round == 10_000 { capacity = queue.capacity }
      queue.append(update(waiting + round), at: Reports.moment(Double(waiting + round)))
      let taken = number(queue.take()?.update)
      guard taken == round, queue.count == waiting else {
        Issue.record("\(taken ?? -1) was taken for \(round), and \(queue.count) wait")
        return
      }
    }
    #expect(queue.capacity == capacity)
    #expect(capacity <= 4 * (waiting + 64))
    #expect(queue.nextMoment == Reports.moment(100_000))
  }
}
