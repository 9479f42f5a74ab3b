/// Elements that are taken in the order in which they came.
///
/// The queue reuses the memory of taken elements, even if it is never empty.
struct Queue<Element> {
  private var elements: [Element] = []
  private var taken = 0

  var isEmpty: Bool { elements.isEmpty }
  var count: Int { elements.count - taken }
  /// The number of elements for which there is memory.
  var capacity: Int { elements.capacity }
  /// The next element; `nil` if there is none.
  var first: Element? { elements.isEmpty ? nil : elements[taken] }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func take() -> Element? {
    guard count > 1 else { return takeLast() }
    let first = elements[taken]
    taken += 1
    // Each element is moved at most once for each that was taken.
    if taken >= count {
      elements.removeFirst(taken)
      taken = 0
    }
    return first
  }

  private mutating func takeLast() -> Element? {
    let last = elements.popLast()
    if taken > 0 { elements.removeAll(keepingCapacity: true) }
    taken = 0
    return last
  }
}

extension Queue: Sendable where Element: Sendable {}
