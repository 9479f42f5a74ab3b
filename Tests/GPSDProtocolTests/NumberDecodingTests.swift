import Foundation
import LocationTestKit
import Testing

@testable import GPSDProtocol

/// Fault 78.
@Suite struct `Numbers are those of strtod, bit for bit` {
  private func bits(_ text: String) -> UInt64? {
    tpvReport(#""climb":\#(text)"#)?[.climb]?.bitPattern
  }

  /// What strtod makes of a number; `nil` for one that no receiver measures.
  private func expected(_ text: String) -> UInt64? {
    let number = strtod(text, nil)
    return number.magnitude < 1e15 ? number.bitPattern : nil
  }

  @Test(arguments: [
    "0", "-0", "-0.0", "0e0", "0.0e-999999999999", "1", "-1", "0.1", "0.2", "0.3",
    "9007199254740992",
    "9007199254740993", "9007199254740994", "9007199254740995", "0.9007199254740993",
    "123456789012345678", "1234567890123456789", "12345678901234567890", "18446744073709551615",
    "18446744073709551616", "99999999999999999999", "0.000000000000000000001",
    "0.0000000000000000000000001", "1e22", "1e23", "8.5e22", "1E5", "1e+5", "1e-5", "1.5e300",
    "1.7976931348623157e308", "2.2250738585072014e-308", "2.2250738585072011e-308", "4.9e-324",
    "2.4e-324", "1e-400", "1e-2147483649", "0.1e1", "48.149975000", "11.584778333", "179.999999999",
    "5e-324", "3.14159265358979323846264338327950288", "0.30000000000000004",
    "100000000000000000000",
    "7.2057594037927933e16", "1.00000000000000011102230246251565404236316680908203125",
    "1.00000000000000011102230246251565404236316680908203124",
  ])
  func `in every notation`(text: String) {
    #expect(bits(text) == expected(text))
  }

  @Test(arguments: [
    "1e999", "-1e999", "1.7976931348623159e308", "1e2147483648", "1e99999999999999999999",
    "1e15", "-1e15", "1000000000000000", "1000000000000000.0", "-1.5e300", "1E+15",
  ])
  func `and absent where they are too large`(text: String) throws {
    #expect(try #require(tpvReport(#""climb":\#(text)"#))[.climb] == nil)
  }

  @Test(arguments: ["999999999999999.9", "-999999999999999.9", "9.99999999999999e14"])
  func `and there where they are not`(text: String) {
    let number = Double(text)
    #expect(bits(text) == number?.bitPattern)
  }

  /// 15 digits are below 2^53 and exact; of 16 the integer itself may have to be rounded.
  @Test(arguments: [
    ("986.545229352511", true), ("999999999999999", true), ("0.99999999999999", true),
    ("986.5452293525111", false), ("9865452293525111", false), ("0.000000000000001", false),
    ("9007199254740993", false), ("900719925474099.3", false), ("9.007199254740993", false),
  ])
  func `by one division where they have up to 15 digits`(text: String, isPlain: Bool) {
    let bytes = Array("\(text),".utf8)
    let (number, end) = bytes.span.plainNumber(at: 0)
    #expect(end == (isPlain ? text.utf8.count : 0))
    if isPlain { #expect(number == strtod(text, nil)) }
    #expect(bits(text) == expected(text))
    #expect(bits("-\(text)") == expected("-\(text)"))
  }

  @Test(arguments: ["", "98", "8.05"]) func `and skipped where they are read`(beginning: String) {
    let alphabet = Array("07.,}e-\u{B0}".unicodeScalars.map { UInt8($0.value) })
    var ends: Set<Int> = []
    for number in 0..<8 * 8 * 8 * 8 * 8 {
      let text = (0..<5).map { alphabet[number >> ($0 * 3) & 7] }
      let bytes = Array(beginning.utf8) + text + Array(",,,".utf8)
      let read = bytes.span.plainNumber(at: 0).end
      let isShort = read < 8 && [UInt8(ascii: ","), UInt8(ascii: "}")].contains(bytes[read])
      let skipped = bytes.span.endOfShortNumber(at: 0)
      ends.insert(skipped)
      if skipped != (isShort ? read : 0) { Issue.record("\(bytes): \(skipped), not \(read)") }
    }
    #expect(ends == Set([0] + (max(1, beginning.utf8.count)...min(7, beginning.utf8.count + 5))))
  }

  @Test func `and short integers where they are integers`() {
    let alphabet = Array("07.,}e-\u{B0}".unicodeScalars.map { UInt8($0.value) })
    for beginning in ["", "1", "90", "12345"] {
      for number in 0..<8 * 8 * 8 * 8 {
        let text = Array(beginning.utf8) + (0..<4).map { alphabet[number >> ($0 * 3) & 7] }
        let bytes = text + Array(",,,,,,,,".utf8)
        let end = bytes.firstIndex { !(0x30...0x39).contains($0) } ?? 0
        let isInteger =
          1...7 ~= end && (bytes[0] != 0x30 || end == 1)
          && [UInt8(ascii: ","), UInt8(ascii: "}")].contains(bytes[end])
        let expected = isInteger ? [Int(String(decoding: bytes[..<end], as: UTF8.self)), end] : nil
        let found = bytes.span.shortInteger(at: 0).map { [$0.integer, $0.end] }
        if found != expected { Issue.record("\(bytes)") }
      }
    }
  }

  @Test func `with as many digits as a line has room for`() {
    for text in [
      "0." + String(repeating: "1", count: 60_000),
      "1." + String(repeating: "0", count: 60_000) + "1",
      String(repeating: "9", count: 300), "0." + String(repeating: "0", count: 300) + "1",
    ] { #expect(bits(text) == expected(text)) }
  }

  @Test func `in 5,000 random cases`() {
    var generator = SeededRandom(seed: 42)
    for _ in 0..<5_000 {
      var text = Bool.random(using: &generator) ? "-" : ""
      let whole = UInt64.random(
        in: 0..<(1 << UInt64.random(in: 1...63, using: &generator)), using: &generator)
      text += String(whole)
      if Bool.random(using: &generator) {
        let decimals = Int.random(in: 1...20, using: &generator)
        text +=
          "."
          + (0..<decimals).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
      }
      if Int.random(in: 0..<4, using: &generator) == 0 {
        text += "e\(Int.random(in: -330...290, using: &generator))"
      }
      #expect(bits(text) == expected(text), "\(text)")
    }
  }
}
