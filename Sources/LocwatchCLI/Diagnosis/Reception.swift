import LocationCore

/// How many satellites there are, and how strong.
struct Reception: Equatable {
  private(set) var seen: Int?
  private(set) var used: Int?
  /// The signal of the strongest one, in dBHz.
  private(set) var strongest: Double?

  /// A report that leaves something out says nothing of it.
  mutating func note(_ sky: SkyView) {
    seen = sky.seen ?? seen
    used = sky.used ?? used
    strongest = sky.strongest ?? strongest
  }

  /// `5 satellites seen`, `0 used`, `the strongest at 22 dBHz`, as far as it is known.
  ///
  /// - Parameter withStrength: Whether to tell how strong they are even where some are used.
  func words(withStrength: Bool) -> [String] {
    var words: [String] = []
    if let seen { words.append("\(seen) satellite\(seen == 1 ? "" : "s") seen") }
    if let used { words.append("\(used) used") }
    if let strongest, withStrength || used == 0 {
      words.append("the strongest at \(Text.rounded(strongest, places: 0)) dBHz")
    }
    return words
  }
}
