/// Returns the lowest product of a step and a power of ten that is not below a value.
///
/// - Parameters:
///   - value: More than zero, and finite.
///   - steps: Numbers from 1 to below 10, in ascending order, beginning with 1.
package func roundNumber(notBelow value: Double, steps: [Double]) -> Double {
  let power = powerOfTen(notAbove: value)
  // Products of decimal fractions are not exact.
  return steps.map { $0 * power }.first { $0 >= value * (1 - 1e-9) } ?? 10 * power
}

/// Returns the highest product of a step and a power of ten that is not above a value.
///
/// - Parameters:
///   - value: More than zero, and finite.
///   - steps: Numbers from 1 to below 10, in ascending order, beginning with 1.
package func roundNumber(notAbove value: Double, steps: [Double]) -> Double {
  let power = powerOfTen(notAbove: value)
  return steps.map { $0 * power }.last { $0 <= value } ?? power
}

private func powerOfTen(notAbove value: Double) -> Double {
  var power = 1.0
  // For zero and infinity, the search would not end.
  guard value > 0, value.isFinite else { return power }
  while power * 10 <= value { power *= 10 }
  while power > value { power /= 10 }
  return power
}
