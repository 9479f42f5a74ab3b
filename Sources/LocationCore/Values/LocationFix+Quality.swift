extension LocationFix {
  /// Whether the fix is good enough. One whose accuracy is unknown is not known to be.
  ///
  /// - Parameter accuracy: In metres; `nil` asks for none.
  package func isAtLeast(_ weakest: FixMode, within accuracy: Double?) -> Bool {
    guard mode >= weakest else { return false }
    guard let accuracy else { return true }
    return self.accuracy.map { $0 <= accuracy } ?? false
  }
}
