package import LocationCore

extension LocationFix {
  /// Why the position may not be true, as people read it: `doubted: jump`; `nil` if nothing is doubted but what its
  /// quality says as well.
  package var doubtText: String? {
    let doubts = doubtSet.subtracting(.ofQuality)
    return doubts.isEmpty ? nil : "doubted: \(doubts.names(between: ", "))"
  }
}
