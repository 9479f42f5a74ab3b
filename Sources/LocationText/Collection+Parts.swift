// What the standard library has of this would link the regular expression library, which takes 1.3 MB.

extension Collection where Element: Equatable {
  /// Where another collection, which is not empty, begins in this one; `nil` if it is no part of it.
  package func firstIndex(ofPart part: some Collection<Element>) -> Index? {
    indices.first { self[$0...].starts(with: part) }
  }

  /// Whether another collection is part of this one.
  package func contains(part: some Collection<Element>) -> Bool {
    part.isEmpty || firstIndex(ofPart: part) != nil
  }
}

extension StringProtocol {
  /// Whether another text is part of this one, byte for byte.
  package func contains(text: some StringProtocol) -> Bool { utf8.contains(part: text.utf8) }
}
