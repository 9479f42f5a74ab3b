import Foundation
import LocationReports
import LocationSamples
import TestSupport
import Testing

/// Whole reports in all forms, compared with the files in Stories.
///
/// After a change of a form, `make approve FILTER=ReportStoryTests` writes them
/// again; look at each difference.
@Suite struct `The approved report of a story` {
  @Test func `of a receiver that stands`() throws {
    try compare(.standing, "standing", source: "van <1>")
  }

  @Test func `of a car, and of a second receiver without a name`() throws {
    try compare(.moving, "moving")
  }

  @Test func `of a car that stops`() throws { try compare(.trip, "trip") }

  @Test func `of more positions than points are drawn`() throws { try compare(.crowded, "crowded") }

  @Test func `of a month on a mast`() throws { try compare(.month, "month") }

  @Test func `of three fixes`() throws { try compare(.short, "short") }

  private func compare(_ story: ReportStory, _ name: String, source: String? = nil) throws {
    let report = story.report
    let text = """
      \(report.text())
      \(report.json(source: source).replacing(",\"", with: ",\n\""))
      \(Self.lines(of: report.page(source: source)))
      """
    let difference = try ApprovedText.difference(of: text, from: name)
    #expect(difference == nil)
  }

  /// The page without its style, an element a line.
  private static func lines(of page: String) -> String {
    var page = page
    if let start = page.range(of: "<style>"), let end = page.range(of: "</style>") {
      page.removeSubrange(start.upperBound..<end.lowerBound)
    }
    if let start = page.range(of: "style-src '"),
      let end = page[start.upperBound...].firstIndex(of: "'")
    {
      page.removeSubrange(start.upperBound..<end)
    }
    return page.replacing("><", with: ">\n<")
  }
}
