/// A sample of any number of elements, evenly spaced among those that were added.
struct EvenSample<Element: Sendable>: Sendable {
  /// The maximum number of elements that are kept. It is even.
  let limit: Int
  private(set) var elements: [Element] = []
  /// The number of elements so far, and how many there were for each element that is kept.
  private(set) var (total, step) = (0, 1)

  init(limit: Int = 128) { self.limit = limit }

  /// Adds an element, and returns whether it is kept. If it is not, the element is not computed.
  mutating func add(_ element: @autoclosure () -> Element) -> Bool {
    defer { total &+= 1 }
    guard total & (step - 1) == 0 else { return false }
    if elements.count == limit {
      elements = stride(from: 0, to: limit, by: 2).map { elements[$0] }
      step *= 2
      guard total & (step - 1) == 0 else { return false }
    }
    elements.append(element())
    return true
  }

  /// Removes elements.
  mutating func removeAll(where isUnwanted: (Element) -> Bool) {
    elements.removeAll(where: isUnwanted)
    if elements.isEmpty { (total, step) = (0, 1) }
  }
}
