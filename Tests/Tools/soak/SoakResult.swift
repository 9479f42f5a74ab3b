/// One figure, and whether it is as it has to be.
struct SoakResult {
  var words: String
  var isGood: Bool

  init(_ words: String, isGood: Bool) {
    self.words = words
    self.isGood = isGood
  }
}

extension Int {
  /// A number of bytes in words: `1.3 MB`.
  var inMegabytes: String { "\((Double(self) / 100_000).rounded() / 10) MB" }
}
