import Foundation
import Testing

@testable import LocationReports

@Suite struct `The colours of a page` {
  /// The variables of the style sheet, first those of a light page, then what a dark one has instead.
  private static let schemes: [[Substring: Substring]] = {
    let blocks = PageStyle.text.components(separatedBy: ":root{").dropFirst()
      .map { $0.prefix { $0 != "}" } }
    return blocks.map { block in
      let pairs = block.replacing("\n", with: "").split(separator: ";")
        .map { $0.split(separator: ":") }
      return Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) })
    }
  }()

  /// The relative luminance of a colour such as `#fff` or `#0072b2`, as WCAG 2 defines it.
  private func luminance(_ color: Substring) -> Double {
    var digits = color.dropFirst().map { $0 }
    if digits.count == 3 { digits = digits.flatMap { [$0, $0] } }
    let parts = stride(from: 0, to: 6, by: 2).map { index in
      let part = Double(Int(String(digits[index...index + 1]), radix: 16) ?? 0) / 255
      return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }

  private func contrast(_ one: Substring, _ other: Substring) -> Double {
    let both = [luminance(one), luminance(other)].sorted()
    return (both[1] + 0.05) / (both[0] + 0.05)
  }

  @Test(arguments: [0, 1])
  func `have 3 to 1 for marks and 4.5 to 1 for text, light and dark`(index: Int) throws {
    try #require(Self.schemes.count == 2)
    let scheme = Self.schemes[index]
    let marks: [Substring] = [
      "s1", "s2", "s3", "s4", "s5", "G", "S", "E", "C", "J", "R", "I", "blue", "pale", "warm",
    ]
    for (names, least) in [(marks, 3.0), (["ink", "soft", "blue"], 4.5)] {
      for name in names {
        let color = try #require(scheme["--\(name)"])
        for ground in ["--card", "--paper", "--ground"] as [Substring] {
          let found = contrast(color, try #require(scheme[ground]))
          #expect(found >= least, "\(name) on \(ground)")
        }
      }
    }
  }

  @Test func `have the contrasts that WCAG gives as examples`() {
    #expect(contrast("#fff", "#000") == 21)
    #expect((contrast("#777", "#ffffff") * 100).rounded() == 448)
  }
}
