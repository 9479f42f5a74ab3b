import Foundation
import LocationCore
import LocationTestKit
import Testing

@testable import LocationText

@Suite struct NumberTests {
  @Test(
    arguments: [
      (0, "0.0"), (-0.0, "-0.0"), (7, "7.0"), (-71, "-71.0"), (0.1, "0.1"), (0.3, "0.3"),
      (0.1 + 0.2, "0.30000000000000004"), (48.118633333, "48.118633333"), (1e-9, "0.000000001"),
      (1.5e-10, "0.00000000015"), (-2e-7, "-0.0000002"),
      (3_999_999.999_999_999, "3999999.999999999"),
      (4_000_000, "4000000.0"), (12_345_678.9, "12345678.9"), (1e16, "10000000000000000.0"),
      (1.25e20, "125000000000000000000.0"), (1 / 3.0, "0.3333333333333333"),
      (9999.9999, "9999.9999"), (-9999.9999, "-9999.9999"), (10_000, "10000.0"),
      (10_000.0001, "10000.0001"), (0.0001, "0.0001"), (0.00005, "0.00005"),
      (-0.00015, "-0.00015"), (1.2345, "1.2345"), (1.23455, "1.23455"), (100.25, "100.25"),
      (9999.99995, "9999.99995"), (1e15, "1000000000000000.0"), (1e22, "10000000000000000000000.0"),
      (3_999_999.999_999_999_5, "3999999.9999999995"), (-4_000_000.5, "-4000000.5"),
      (.leastNonzeroMagnitude, "0." + String(repeating: "0", count: 323) + "5"),
      (.greatestFiniteMagnitude, "17976931348623157" + String(repeating: "0", count: 292) + ".0"),
    ] as [(Double, String)])
  func `A number is the shortest decimal, without an exponent`(number: Double, text: String) {
    #expect(written { $0.append(number: number) } == text)
  }

  @Test func `Every number reads back as itself, in no more characters than its description`() {
    var generator = SeededRandom(seed: 2947)
    var failures: [String] = []
    var output = TextBuffer()
    for _ in 0..<25_000 {
      let places = Int.random(in: 0...9, using: &generator)
      let scale = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9][places]
      let decimal = (Double.random(in: -5e6...5e6, using: &generator) * scale).rounded() / scale
      let bits = Double(bitPattern: .random(in: .min ... .max, using: &generator))
      for number in [decimal, bits] where number.isFinite {
        let text = written(to: &output) { $0.append(number: number) }
        let description = number.description
        let isShort = description.contains("e") || text.utf8.count <= description.utf8.count
        if Double(text)?.bitPattern != number.bitPattern || text.contains("e") || !isShort {
          failures.append("\(number): \(text)")
        }
      }
    }
    #expect(failures == [])
  }

  @Test func `Numbers around those of four and of nine places are written as Swift does`() {
    var generator = SeededRandom(seed: 1977)
    var failures: [String] = []
    var output = TextBuffer()
    for _ in 0..<25_000 {
      let scale = Bool.random(using: &generator) ? 1e4 : 1e9
      let number = (Double.random(in: -2e4...2e4, using: &generator) * scale).rounded() / scale
      for number in [number, number.nextUp, number.nextDown, number + 0.5 / scale] {
        let text = written(to: &output) { $0.append(number: number) }
        let description = number.description
        if text != description, !description.contains("e") {
          failures.append("\(number): \(text)")
        }
      }
    }
    #expect(failures == [])
  }

  @Test(
    arguments: [
      (0.31, 3, "0.31"), (-0.0004, 3, "0.0"), (24.71639, 3, "24.716"), (2, 3, "2.0"),
      (4e17, 3, "400000000000000000.0"), (123_456_789.126, 2, "123456789.13"),
      (-987_654_321.5, 3, "-987654321.5"), (0.123456789, 9, "0.123456789"),
    ] as [(Double, Int, String)])
  func `A rounded number has no idle zeros`(number: Double, places: Int, text: String) {
    #expect(written { $0.append(rounded: number, places: places) } == text)
  }

  @Test(
    arguments: [(0.25, 0, "0"), (84.5, 0, "85"), (-0.04, 1, "0.0"), (5, 2, "5.00")]
      as [(Double, Int, String)])
  func `A number with fixed places has them all`(number: Double, places: Int, text: String) {
    #expect(written { $0.append(number, places: places) } == text)
  }

  @Test(
    arguments: [
      (0, "0"), (-5, "-5"), (99_999_999, "99999999"), (100_000_000, "100000000"),
      (-1_000_000_001, "-1000000001"), (.max, "9223372036854775807"),
      (.min, "-9223372036854775808"),
    ] as [(Int, String)])
  func `An integer is written in full`(integer: Int, text: String) {
    #expect(written { $0.append(integer: integer) } == text)
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999999999Z"),
      (951_782_400_000_000_000, "2000-02-29T00:00:00.000Z"),
      (4_107_542_399_999_000_000, "2100-02-28T23:59:59.999Z"),
      (1_795_158_312_000_000_001, "2026-11-20T07:05:12.000000001Z"),
      (1_795_158_312_123_456_000, "2026-11-20T07:05:12.123456Z"),
      (.max, "2262-04-11T23:47:16.854775807Z"), (.min, "1677-09-21T00:12:43.145224192Z"),
    ] as [(Int64, String)])
  func `A time is written to the millisecond, or further where there is more`(
    nanoseconds: Int64, text: String
  ) {
    #expect(written { $0.append(time: Timestamp(nanosecondsSince1970: nanoseconds)) } == text)
  }

  @Test func `A time is written as the library writes it`() {
    var generator = SeededRandom(seed: 8601)
    var failures: [String] = []
    for unit in [1, 1000, 1_000_000, 1_000_000_000] as [Int64] {
      for _ in 0..<500 {
        let count = Int64.random(in: .min / unit ... .max / unit, using: &generator)
        let time = Timestamp(nanosecondsSince1970: count * unit)
        let text = written { $0.append(time: time) }
        var bytes: [UInt8] = []
        time.appendISO8601(to: &bytes)
        if text != String(decoding: bytes, as: UTF8.self) { failures.append(text) }
      }
    }
    #expect(failures == [])
  }

  @Test func `Days of five centuries have their dates`() {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    var failures: [String] = []
    var output = TextBuffer()
    for day in stride(from: -100_000, through: 100_000, by: 7) {
      let date = calendar.dateComponents(
        [.year, .month, .day], from: Date(timeIntervalSince1970: Double(day) * 86_400))
      let text = written(to: &output) {
        $0.append(milliseconds: Timestamp(secondsSince1970: Int64(day) * 86_400))
      }
      let parts = text.prefix(10).split(separator: "-").compactMap { Int($0) }
      if parts != [date.year, date.month, date.day] { failures.append(text) }
    }
    #expect(failures == [])
  }

  @Test(
    arguments: [
      (90, 180, "RR99xx99"), (-90, -180, "AA00aa00"), (0, 0, "JJ00aa00"),
      (48.14666, 11.60833, "JN58td25"),
    ] as [(Double, Double, String)])
  func `A locator is that of its place`(latitude: Double, longitude: Double, text: String) {
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)!
    #expect(written { $0.append(maidenhead: coordinate) } == text)
  }

  @Test func `Minutes and seconds carry over when they are rounded`() {
    let coordinate = Coordinate(latitude: 59.999_999_99, longitude: -0.999_999_99)!
    #expect(written { $0.append(coordinate, style: .minutes) } == "60°00.00000'N 1°00.00000'W")
    #expect(
      written { $0.append(coordinate, style: .seconds) } == "60°00'00.000\"N 1°00'00.000\"W")
  }
}

private func written(_ append: (inout TextBuffer) -> Void) -> String {
  var output = TextBuffer()
  return written(to: &output, append)
}

/// Returns the same in a reused buffer. A separate buffer for each of very many numbers
/// takes longer than to write them.
private func written(
  to output: inout TextBuffer, _ append: (inout TextBuffer) -> Void
) -> String {
  output.removeAll()
  append(&output)
  return output.string
}

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
