import TestSupport
import Testing

@testable import LocationCore

@Suite struct QuantityTests {
  private typealias Quantity = LocationFix.Quantity

  @Test func `The table has a row for each quantity, in their order`() {
    #expect(Quantity.rows.indices.map { Quantity.rows[$0].quantity } == Quantity.allCases)
    #expect(Quantity.allCases.map { Int($0.rawValue) } == Array(Quantity.rows.indices))
    #expect(Quantity.zeros.count == Quantity.rows.count)
  }

  /// A name on the wire is read as two words of eight bytes, and a key in a record is written as two.
  @Test func `Names are short and unlike`() {
    let rows = Quantity.allCases.map(\.row)
    #expect(Set(rows.map(\.name)).count == rows.count)
    for row in rows {
      #expect("\(row.quantity)".utf8.count <= 16)
      #expect(row.name.utf8.count <= 12 && !row.meaning.isEmpty)
    }
  }

  @Test func `The table has the names in records that are not those of gpsd`() {
    let names: [Quantity: String] = [
      .status: "quality", .eph: "accuracy", .ant: "antenna", .antPwr: "antennaPower",
    ]
    for row in Quantity.rows {
      #expect(row.wireName == "\(row.quantity)")
      #expect(row.name == names[row.quantity] ?? row.wireName)
    }
  }

  @Test func `Each quantity has a case, over which the tests of all of them loop`() {
    #expect(Set(FieldCase.all.map(\.quantity)) == Set(Quantity.allCases))
    #expect(FieldCase.all.count == Quantity.allCases.count)
  }

  @Test(arguments: FieldCase.all)
  func `The table says what a number is, where it is written, and since when gpsd has it`(
    field: FieldCase
  ) {
    let row = field.quantity.row
    #expect(row.range.isCyclic == field.isCyclic)
    #expect(Quantity.ranges[Int(field.quantity.rawValue)] == row.range)
    let kind: Quantity.Kind = field.isWhole ? .integer : .number
    #expect(row.kind == (field.words.isEmpty ? kind : .words(field.words)))
    #expect(row.group == field.group && row.since == field.since)
  }

  @Test func `A long meaning is written as a whole`() {
    #expect(
      Quantity.status.row.meaning
        == "how the position was computed: gps, dgps, rtk-fixed, rtk-float, dr (dead reckoning), "
        + "gnss-dr, time-only (a surveyed position), simulated or py; unknown for an ordinary fix")
    #expect(
      Quantity.magtrack.row.meaning
        == "course over ground, in degrees from magnetic north: where gpsd has added magvar to "
        + "track, which is the wrong sign, this is track minus magvar")
  }

  @Test func `Words stand for numbers that have one`() {
    let kind = Quantity.Kind.words(["", "ok", "open"])
    #expect([0, 1, 2, 3, -1, 1.5].map(kind.word) == [nil, "ok", "open", nil, nil, nil])
    #expect(Quantity.Kind.integer.word(for: 1) == nil)
    #expect(Quantity.status.row.kind.word(for: 3) == FixQuality.rtkFixed.name)
    for antenna in [AntennaStatus.ok, .open, .short] {
      #expect(Quantity.ant.row.kind.word(for: Double(antenna.rawValue)) == antenna.name)
    }
  }

  @Test(arguments: LocationFix.Quantity.allCases)
  func `The description of a fix has each quantity`(quantity: LocationFix.Quantity) {
    var fix = Reports.locationFix(0, isThin: true)
    fix[quantity] = 1
    let word = quantity.row.kind.word(for: 1) ?? "1"
    #expect("\(fix)".hasSuffix(", \(quantity) \(word)"))
  }

  @Test func `A set has each quantity apart, and gives them in order`() {
    for quantity in Quantity.allCases {
      let set = QuantitySet(quantity)
      #expect(Quantity.allCases.filter(set.contains) == [quantity])
      #expect(set.end == Int(quantity.rawValue) + 1)
    }
    var some = QuantitySet([.ecefvAcc, .status, .jam, .altMSL])
    #expect((0..<5).map { _ in some.popFirst() } == [.status, .altMSL, .jam, .ecefvAcc, nil])
    #expect(some.isEmpty && some.end == 0)
    for quantity in Quantity.allCases {
      var set = QuantitySet(quantity)
      #expect(set.popFirst() == quantity)
      #expect(set.isEmpty)
    }
    #expect(QuantitySet(in: .sky, .raw).contains(.pdop))
    #expect(!QuantitySet(in: .sky, .raw).contains(.jam))
  }
}
