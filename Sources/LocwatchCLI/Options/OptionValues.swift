import LocationCore

/// Readers of the kinds of values that options take. Each throws words that follow the option's
/// name.
enum OptionValues {
  /// `30`, `30s`, `2m`, `1h`, `500ms`, `1.5s`; more than zero unless `allowingZero`.
  static func duration(
    _ text: String, allowingZero: Bool = false
  ) throws(UsageError) -> Duration {
    let units: [(suffix: String, nanoseconds: Double)] = [
      ("ms", 1e6), ("s", 1e9), ("m", 60e9), ("h", 3600e9), ("", 1e9),
    ]
    for unit in units where text.hasSuffix(unit.suffix) {
      guard let number = decimal(text.dropLast(unit.suffix.count)) else { break }
      let nanoseconds = (number * unit.nanoseconds).rounded()
      guard nanoseconds <= 1e18 else { throw UsageError("'\(text)' is too long") }
      guard nanoseconds > 0 || allowingZero else { throw UsageError("'\(text)' is no time at all") }
      return .nanoseconds(Int64(nanoseconds))
    }
    throw UsageError("'\(text)' is not a duration such as 30, 30s, 2m, 1h or 500ms")
  }

  static func metres(_ text: String) throws(UsageError) -> Double {
    guard let metres = decimal(text[...]) else {
      throw UsageError("'\(text)' is not a number of metres")
    }
    return metres
  }

  static func count(_ text: String) throws(UsageError) -> Int {
    guard decimal(text[...]) != nil, let count = Int(text), count > 0 else {
      throw UsageError("'\(text)' is not a whole number from 1")
    }
    return count
  }

  static func speed(_ text: String) throws(UsageError) -> Options.ReplaySpeed {
    if text == "max" { return .max }
    guard let factor = decimal(text[...]), factor > 0 else {
      throw UsageError("'\(text)' is neither a number above zero nor max")
    }
    return .times(factor)
  }

  static func nonEmpty(_ text: String) throws(UsageError) -> String {
    guard !text.isEmpty else { throw UsageError("an empty text will not do") }
    return text
  }

  /// One of the words of an enumeration, with the nearest one suggested.
  static func word<Value: RawRepresentable & CaseIterable>(
    _ text: String, as type: Value.Type = Value.self
  ) throws(UsageError) -> Value where Value.RawValue == String {
    if let value = Value(rawValue: text) { return value }
    let words = Value.allCases.map(\.rawValue)
    throw UsageError("'\(text)' is not one of \(words.joined(separator: ", "))")
  }

  /// Digits with at most one point among them. `Double` alone would also take `inf`, `0x1p3`, `-1`.
  private static func decimal(_ text: Substring) -> Double? {
    let points = text.utf8.count { $0 == UInt8(ascii: ".") }
    let digits = text.utf8.count { (0x30...0x39).contains($0) }
    guard digits > 0, points <= 1, digits + points == text.utf8.count else { return nil }
    return Double(text).flatMap { $0.isFinite ? $0 : nil }
  }
}
