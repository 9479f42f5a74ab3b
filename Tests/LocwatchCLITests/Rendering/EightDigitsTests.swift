import Testing

@testable import LocwatchCLI

@Suite struct EightDigitsTests {
  @Test(
    arguments: [
      (0, "00000000", 8, 8), (1, "00000001", 7, 0), (10, "00000010", 6, 1),
      (12_345_678, "12345678", 0, 0), (99_999_999, "99999999", 0, 0),
      (10_000_000, "10000000", 0, 7), (10_203_040, "10203040", 0, 1), (9_999, "00009999", 4, 0),
    ] as [(Int, String, Int, Int)])
  func `A number has eight digits`(number: Int, text: String, leading: Int, trailing: Int) {
    let digits = EightDigits(number)
    #expect(characters(of: digits.ascii) == text)
    #expect(digits.leadingZeros == leading)
    #expect(digits.trailingZeros == trailing)
  }

  @Test func `All digits are right, wherever they stand`() {
    for number in stride(from: 0, to: 100_000_000, by: 9_973) {
      let text = String(repeating: "0", count: 8 - String(number).count) + String(number)
      #expect(characters(of: EightDigits(number).ascii) == text)
    }
  }

  private func characters(of word: UInt64) -> String {
    String(decoding: (0..<8).map { UInt8(truncatingIfNeeded: word &>> ($0 * 8)) }, as: UTF8.self)
  }
}
