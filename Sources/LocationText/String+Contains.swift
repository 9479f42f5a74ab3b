// What the standard library has of this would link the regular expression library, which takes 1.3 MB.

extension StringProtocol {
  /// Whether another text is part of this one, byte for byte.
  package func contains(text: some StringProtocol) -> Bool {
    text.isEmpty || halves(around: text) != nil
  }

  /// The parts before and after another text, which is not empty; `nil` if it is no part of this one.
  package func halves(around text: some StringProtocol) -> (SubSequence, SubSequence)? {
    utf8.indices.first { utf8[$0...].starts(with: text.utf8) }
      .map { (self[..<$0], self[utf8.index($0, offsetBy: text.utf8.count)...]) }
  }
}
