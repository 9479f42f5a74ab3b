/// A sample of any number of elements, evenly spaced among those that were added.
struct EvenSample<Element: Sendable>: Sendable {
  /// The maximum number of elements that are kept. It is even.
  private let limit: Int
  private(set) var elements: [Element] = []
  private var total = 0
  private var step = 1

  init(limit: Int = 128) { self.limit = limit }

  /// Adds an element, and returns whether it is kept.
  mutating func add(_ element: Element) -> Bool {
    defer { total &+= 1 }
    guard total & (step - 1) == 0 else { return false }
    if elements.count == limit {
      elements = stride(from: 0, to: limit, by: 2).map { elements[$0] }
      step *= 2
      guard total & (step - 1) == 0 else { return false }
    }
    elements.append(element)
    return true
  }

  /// Removes elements.
  mutating func removeAll(where isUnwanted: (Element) -> Bool) {
    elements.removeAll(where: isUnwanted)
    if elements.isEmpty { (total, step) = (0, 1) }
  }
}
