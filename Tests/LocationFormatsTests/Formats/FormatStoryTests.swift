import LocationCore
import LocationFormats
import LocationSamples
import LocationText
import TestSupport
import Testing

/// All records of all formats, compared with the files in Stories.
///
/// After a change of a format, `make approve FILTER=FormatStoryTests` writes them
/// again; look at each difference.
@Suite struct `The approved records of a story` {
  @Test func `in NDJSON`() throws {
    try compare(
      "ndjson", ("all", JSONRenderer()),
      ("with satellites", JSONRenderer(source: "van", showsSatellites: true)),
      ("transitions", JSONRenderer(events: .transitionsOnly)),
      ("fixes", JSONRenderer(events: .fixesOnly)))
  }

  @Test func `in text`() throws {
    try compare(
      "text", ("all", TextRenderer()),
      ("with satellites", TextRenderer(showsSatellites: true, source: "my van")),
      ("positions", TextRenderer(positionOnly: true, coordinates: .minutes)),
      ("transitions", TextRenderer(events: .transitionsOnly, coordinates: .seconds)),
      ("fixes", TextRenderer(events: .fixesOnly, coordinates: .maidenhead, units: .imperial)),
      ("colours", TextRenderer(coordinates: .mgrs, units: .nautical, usesColor: true)),
      ("UTM", TextRenderer(events: .fixesOnly, coordinates: .utm)))
  }

  @Test func `in CSV`() throws {
    try compare(
      "csv", ("all", CSVRenderer(columns: FixField.allCases)),
      ("of a source", CSVRenderer(source: "=a;b")))
  }

  /// All that have no test of their own here.
  @Test(
    arguments: FormatCase.all.filter { !["text", "json", "csv", "prometheus"].contains($0.name) })
  func `in each other format, without and with a source`(format: FormatCase) throws {
    var style = RecordStyle()
    let anonymous = format.format.makeRenderer(style)
    style.source = #"a.b<c\d e"#
    style.sourceName = #"a.b<c\d e"#
    let named = format.format.makeRenderer(style)
    try compare(format.name, ("all", anonymous), ("of a source", named))
  }

  @Test func `in Prometheus's text, after each update`() throws {
    var renderer = PrometheusRenderer(source: "van")
    var text = ""
    var last: [Substring] = []
    for update in FormatStory.updates {
      var output = TextBuffer()
      renderer.render(update, into: &output)
      text += "# \(update.kind)\(output.string)\n"
      // Only the samples that change.
      let samples = renderer.trailer.split(separator: "\n").filter { !$0.hasPrefix("#") }
      for sample in samples where !last.contains(sample) { text += "+ \(sample)\n" }
      for sample in last where !samples.contains(sample) { text += "- \(sample)\n" }
      last = samples
    }
    var output = TextBuffer()
    renderer.end(into: &output)
    let difference = try ApprovedText.difference(of: text + output.string, from: "prometheus")
    #expect(difference == nil)
  }

  private func compare(_ name: String, _ renderers: (title: String, any Renderer)...) throws {
    var text = ""
    for (title, renderer) in renderers {
      var renderer = renderer
      var output = TextBuffer()
      text += "# \(title)\n"
      renderer.begin(into: &output)
      for update in FormatStory.updates { renderer.render(update, into: &output) }
      renderer.end(into: &output)
      text += output.string + "\n"
    }
    let difference = try ApprovedText.difference(
      of: text.replacing("\r\n", with: "\n"), from: name)
    #expect(difference == nil)
  }
}

extension LocationUpdate {
  /// The first words of its description.
  fileprivate var kind: String {
    "\(self)".split(separator: " ").prefix(4).joined(separator: " ")
  }
}
