/// `value` with leading zeroes, `width` digits or more.
func padded(_ value: Int, to width: Int) -> String {
  let digits = String(value)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

/// `value` rounded to `decimals` places, its whole part `width` digits or more.
func fixed(_ value: Double, decimals: Int, width: Int = 1) -> String {
  let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
  let units = Int((value.magnitude * Double(scale)).rounded())
  let sign = value < 0 && units > 0 ? "-" : ""
  guard decimals > 0 else { return sign + padded(units, to: width) }
  return sign + padded(units / scale, to: width) + "." + padded(units % scale, to: decimals)
}
