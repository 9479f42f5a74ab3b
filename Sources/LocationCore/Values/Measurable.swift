extension Double {
  /// The number; `nil` if its magnitude is 1e15 or more, or it is NaN.
  ///
  /// No quantity in gpsd's units comes near this. Squares, sums and conversions of the others are
  /// finite, so that nothing that is computed of a fix can be infinite.
  package var ifMeasurable: Double? { magnitude < 1e15 ? self : nil }
}
