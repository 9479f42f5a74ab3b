import LocationTestKit

/// Numbers in JSON, at the ends of what a type can hold and beyond.
enum OddNumber {
  static let all = [
    "0", "-0", "0.0", "1", "-1", "0.1", "-0.001", "1e-300", "4.9e-324", "-4.9e-324", "1e15",
    "1e16", "1e17", "1e18", "1e19", "-1e19", "1e38", "3.5e38", "1e300", "-1e300", "1e308",
    "-1.7976931348623157e308", "1e999", "-1e999", "127", "128", "-129", "255", "256", "32767",
    "32768", "65535", "65536", "2147483647", "2147483648", "-2147483648", "-2147483649",
    "4294967295", "4294967296", "9007199254740993", "9223372036854775807",
    "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
    "18446744073709551615", "18446744073709551616", "8999999999", "9000000000", "-8999999999",
    "9223372036", "9223372037", "-9223372036", "-9223372037", "90", "90.5", "-90", "180",
    "180.000001", "-180", "360", "359.9999999", "-360", "720", "999999999", "1000000000",
    "99999999999999999999999999999999999999999999",
  ]

  static func any(_ random: inout SeededRandom) -> String {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return "\(Int64(bitPattern: random.next()))"
    case 1:
      let number = Double(bitPattern: random.next())
      return number.isFinite ? "\(number)" : "1e999"
    case 2:
      let exponent = Int.random(in: -330...330, using: &random)
      return "\(Int.random(in: -99...99, using: &random))e\(exponent)"
    default: return random.pick(all)
    }
  }
}
