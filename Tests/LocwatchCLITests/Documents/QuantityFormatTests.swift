import Foundation
import LocationCore
@testable import LocationFormats
@testable import LocwatchCLI
import Testing

/// A row of the table of quantities is all that a format, the schema and the manual page need.
@Suite struct QuantityFormatTests {
  /// A position with one quantity, as a record has it: `,"depth":1.5`.
  struct Sample: CustomTestStringConvertible, Sendable {
    let quantity: LocationFix.Quantity
    let value: Double
    let fix: LocationFix
    /// The value in CSV.
    let text: String
    /// The value in JSON.
    let json: String

    var row: LocationFix.Quantity.Row { quantity.row }
    var member: String { ",\"\(row.name)\":\(json)" }
    var testDescription: String { "\(quantity)" }

    init(_ quantity: LocationFix.Quantity) {
      self.quantity = quantity
      switch quantity.row.kind {
      case .number: (value, text, json) = (1.5, "1.5", "1.5")
      case .integer: (value, text, json) = (2, "2", "2")
      case .words(let words): (value, text, json) = (2, words[2], "\"\(words[2])\"")
      }
      var fix = Samples.flat
      fix[quantity] = value
      self.fix = fix
    }
  }

  private static let all = LocationFix.Quantity.allCases.map(Sample.init)
  static let written = all.filter { $0.row.group != .raw }
  static let raw = all.filter { $0.row.group == .raw }

  @Test(arguments: written)
  func `A quantity is a member of JSON, which the schema knows`(
    sample: Sample
  ) throws {
    var renderer = JSONRenderer()
    let record = renderer.fix(sample.fix)
    #expect(record.contains(sample.member))
    #expect(record.replacing(sample.member, with: "") == renderer.fix(Samples.flat))
    var geojson = GeoJSONRenderer()
    #expect(geojson.fix(sample.fix).contains(sample.member))
    let schema = try JSONSchema.output()
    #expect(try schema.complaints(about: record) == [])
    let wrong = record.replacing(":\(sample.json)", with: ":[]")
    #expect(try !schema.complaints(about: wrong).isEmpty)
  }

  @Test(arguments: written)
  func `A quantity is a column of CSV and a name in templates`(sample: Sample) throws {
    let format = try OptionValues.format("csv:\(sample.row.name)")
    #expect(format == .csv([.quantity(sample.quantity)]))
    var csv = CSVRenderer(columns: [.quantity(sample.quantity)])
    #expect(csv.begin() == sample.row.name + "\r\n")
    #expect(csv.fix(sample.fix) == sample.text + "\r\n")
    #expect(csv.fix(Samples.flat) == "\r\n")
    var template = TemplateRenderer(try Template("<%\(sample.row.name)>"))
    #expect(template.fix(sample.fix) == "<\(sample.text)>\n")
    #expect(template.fix(Samples.flat) == "<->\n")
  }

  @Test(arguments: written)
  func `The manual page and the schema describe a quantity`(sample: Sample) throws {
    let row = sample.row
    var item = Roff()
    item.item(
      Roff.bold(row.name), row.meaning + "." + (row.since.map { " Since gpsd \($0)." } ?? ""))
    #expect(GeneratedFile.formats.text(version: "").contains(item.source))
    // The quality is written before the position, where the schema describes it in its own words.
    guard sample.quantity != .status else { return }
    let fix = try #require(JSONSchema.output().root["$defs"]?["fix"]?["properties"])
    #expect(fix[row.name]?["description"]?.text == row.meaning)
  }

  @Test(arguments: raw)
  func `A raw quantity is in no record`(sample: Sample) {
    var json = JSONRenderer()
    #expect(json.fix(sample.fix) == json.fix(Samples.flat))
    #expect(FixField(name: sample.row.name) == nil)
  }

  @Test func `Members have the order of the fields`() throws {
    var fix = Samples.fix
    fix.isCurrent = false
    fix.timeJump = .seconds(1)
    fix.dateCorrection = 1
    fix.doubts = [.jump]
    fix.received = fix.time
    fix.time = fix.time?.advanced(by: .seconds(-1024 * 7 * 86_400))
    for sample in Self.all { fix[sample.quantity] = sample.value }
    var renderer = JSONRenderer()
    let record = renderer.fix(fix)
    let names = record.matches(of: /[{,]"(\w+)":/).map { String($0.1) }
    let fields = FixField.allCases.filter { !$0.meaning.hasSuffix("not in JSON") }
    #expect(names == ["type"] + fields.map(\.name))
    #expect(Set(FixField.allCases.map(\.name)).count == FixField.allCases.count)
  }

  @Test func `A number without a word is in no record`() {
    var renderer = JSONRenderer()
    for number in [0.0, -1, 2.5, 10, 4e14] {
      var fix = Samples.flat
      for sample in Self.written where sample.text == sample.row.kind.word(for: sample.value) {
        fix[sample.quantity] = number
        var csv = CSVRenderer(columns: [.quantity(sample.quantity)])
        #expect(csv.fix(fix) == "\r\n")
      }
      #expect(renderer.fix(fix) == renderer.fix(Samples.flat))
    }
  }
}
