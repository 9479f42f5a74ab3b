extension Array {
  /// Appends an element. If there are more than a maximum then, the first of the shortest elements is removed.
  mutating func append(
    _ element: Element, keepingLongest maximum: Int, by duration: (Element) -> Duration
  ) {
    append(element)
    guard count > maximum,
      let shortest = indices.min(by: { duration(self[$0]) < duration(self[$1]) })
    else { return }
    remove(at: shortest)
  }
}
