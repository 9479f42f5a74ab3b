import Testing

@testable import LocationCore

@Suite struct `A queue` {
  @Test func `has the rest of its elements, and takes more, wherever it stands`() {
    for taken in 0...6 {
      var queue = Queue<Int>()
      for number in 0..<6 { queue.append(number) }
      for number in 0..<taken { #expect(queue.take() == (number < 6 ? number : nil)) }
      let rest = Array(taken..<6)
      #expect(queue.count == rest.count)
      #expect(queue.isEmpty == rest.isEmpty)
      #expect(queue.first == rest.first)
      queue.append(9)
      var numbers: [Int] = []
      while let number = queue.take() { numbers.append(number) }
      #expect(numbers == rest + [9])
      #expect(queue.first == nil)
    }
  }

  @Test func `gives each element once, in order, however many wait`() {
    for waiting in 1...9 {
      var queue = Queue<Int>()
      var next = 0
      for number in 0..<100 {
        queue.append(number)
        #expect(queue.first == next)
        guard queue.count == waiting else { continue }
        #expect(queue.take() == next)
        next += 1
        #expect(queue.count == waiting - 1 && queue.isEmpty == (waiting == 1))
      }
      while let number = queue.take() {
        #expect(number == next)
        next += 1
      }
      #expect(next == 100 && queue.isEmpty && queue.capacity < 32)
    }
  }
}
