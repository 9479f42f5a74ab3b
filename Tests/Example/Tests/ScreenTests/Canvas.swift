import Screen

/// Keeps what was drawn, in its order. A test waits for the next drawing as for an expectation.
@MainActor
final class Canvas {
  private let drawn: AsyncStream<WhereAmI.Content>

  init(_ screen: WhereAmI) {
    let (drawn, continuation) = AsyncStream.makeStream(of: WhereAmI.Content.self)
    self.drawn = drawn
    screen.draw = { continuation.yield($0) }
  }

  func next(_ count: Int = 1) async -> [WhereAmI.Content] {
    var contents: [WhereAmI.Content] = []
    var iterator = drawn.makeAsyncIterator()
    while contents.count < count, let content = await iterator.next(isolation: #isolation) {
      contents.append(content)
    }
    return contents
  }
}
