extension Double {
  /// The number; `nil` if it is 1e9 or more in SI units, which no receiver near the Earth or the Moon measures.
  var ifPlausible: Double? { magnitude < 1e9 ? self : nil }
}
