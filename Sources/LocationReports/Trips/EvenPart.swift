/// The most elements of an ``EvenPart``.
private let maximumCount = 128

/// Up to 128 of any number of elements, evenly spread over them.
struct EvenPart<Element: Sendable>: Sendable {
  private(set) var elements: [Element] = []
  private var total = 0
  private var step = 1

  /// Adds an element, and returns whether it is kept.
  mutating func add(_ element: Element) -> Bool {
    defer { total &+= 1 }
    guard total & (step - 1) == 0 else { return false }
    if elements.count == maximumCount {
      elements = stride(from: 0, to: maximumCount, by: 2).map { elements[$0] }
      step *= 2
      guard total & (step - 1) == 0 else { return false }
    }
    elements.append(element)
    return true
  }
}
