import Foundation
import GPSDLocation
import GPSDProtocol
import LocationCore
import LocationReports
import Testing

@testable import LocationFormats
@testable import LocationText
@testable import LocwatchCLI
@testable import LocwatchSystem

/// Fault 78.
@Suite struct `Numbers that no receiver measures` {
  private static let extremes = [
    Double.greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1e300, -1e155, 1.7e308, 1e15, -1e15,
    .infinity, -.infinity, .nan, -.nan, .leastNonzeroMagnitude, -0.0, 999_999_999_999_999.9,
    -999_999_999_999_999.9,
  ]

  private static func renderers() throws -> [any Renderer] {
    let template = FixField.allCases.map { "%{\($0.name)}" }.joined(separator: " ")
    var style = RecordStyle()
    style.showsSatellites = true
    return FormatCase.all.map { $0.format.makeRenderer(style) } + [
      CSVRenderer(columns: FixField.allCases),
      TextRenderer(units: .imperial, showsSatellites: true),
      TemplateRenderer(try Template(template)),
    ]
  }

  /// What each format writes of satellites and a fix.
  private func expectFinite(_ fix: LocationFix, _ sky: SkyView, _ hint: String) throws {
    for var renderer in try Self.renderers() {
      var output = TextBuffer()
      renderer.sky(sky, into: &output)
      renderer.fix(fix, into: &output)
      output.append(text: renderer.trailer)
      #expect(!hasInfinity(output.string), "\(hint): \(type(of: renderer)): \(output.string)")
      if output.string.hasPrefix("{\"type\":\"fix") {
        #expect(throws: Never.self) {
          try JSONSerialization.jsonObject(with: Data(output.string.utf8))
        }
      }
    }
  }

  private static let sky = SkyView(device: Samples.device, satellites: [])

  @Test(arguments: extremes) func `are in no format as inf or nan`(number: Double) throws {
    var all = Samples.fix
    all[.eph] = nil
    for quantity in LocationFix.Quantity.allCases where quantity != .eph { all[quantity] = number }
    try expectFinite(all, Self.sky, "all")
    // Those that others are computed from.
    for quantity in [LocationFix.Quantity.eph, .epx, .epv, .speed, .track, .magvar, .altMSL] {
      var fix = Samples.fix
      fix[quantity] = number
      try expectFinite(fix, Self.sky, "\(quantity)")
    }
  }

  @Test(arguments: extremes) func `of satellites are in no format as inf or nan`(number: Double)
    throws
  {
    let satellite = Satellite(
      prn: 5, gnssID: 0, svID: 5, elevation: number, azimuth: number, signalStrength: number,
      isUsed: true, pseudorange: number, pseudorangeRate: number, pseudorangeResidual: number)
    let sky = SkyView(
      device: Samples.device, satellites: [satellite], hdop: number, vdop: number, pdop: number)
    try expectFinite(Samples.fix, sky, "satellite")
  }

  @Test(arguments: extremes) func `are in no form of a report as inf or nan`(number: Double) throws
  {
    var report = LocationReport(
      reference: .init(Samples.fix.coordinate, altHAE: number), countsFigures: true)
    for second in 0..<30 {
      let moment = Moment(uptime: .seconds(second))
      for sign in [1.0, -1] {
        let satellite = Satellite(
          prn: 5, gnssID: 0, svID: 5, elevation: sign * number, azimuth: sign * number,
          signalStrength: number, isUsed: true)
        var other = satellite
        (other.elevation, other.azimuth) = (45, 90)
        var sky = SkyView(
          device: Samples.device, satellites: [satellite, other, other], hdop: number,
          vdop: number, pdop: number)
        sky.strongest = number
        report.add(.event(.sky(sky)), at: moment)
      }
      var fix = Samples.fix
      for quantity in LocationFix.Quantity.allCases where second % 3 > 0 {
        fix[quantity] = second % 3 == 1 ? number : -number
      }
      report.add(.fix(fix), at: moment)
      guard second % 10 == 9 else { continue }
      for state in [LocationState.fix3D, .lost] {
        report.add(
          .state(StateChange(state, of: .receiver(Samples.device), at: moment)), at: moment)
      }
    }
    #expect(report.receivers.map(\.fixCount) == [30])
    for form in [report.text(), report.json(), report.page()] {
      #expect(!hasInfinity(form), "\(form)")
    }
  }

  @Test(arguments: [
    (#""epx":1e300,"epy":2"#, nil), (#""epx":3,"epy":4"#, 5), (#""eph":-1e15"#, nil),
    (#""eph":1e14"#, 1e14), (#""eph":999999999999999.9"#, 999_999_999_999_999.9),
    (#""eph":1000000000000000"#, nil), (#""eph":123456789012345678901234567890"#, nil),
  ])
  func `do not leave the decoder`(members: String, accuracy: Double?) throws {
    var decoder = GPSDDecoder()
    let line = #"{"class":"TPV","mode":3,"lat":1,"lon":2,\#(members)}"#
    #expect(decoder.decode(Array(line.utf8).span) == .tpv)
    #expect(LocationFix(decoder.tpv)?.horizontalError == accuracy)
  }
}

/// Whether a word of a text begins like an infinite number, or one that is none.
private func hasInfinity(_ text: String) -> Bool {
  let bytes = text.utf8.map { $0 | 0x20 }
  return bytes.indices.dropLast(2).contains { index in
    (bytes[index] == UInt8(ascii: "i") || bytes[index] == UInt8(ascii: "n"))
      && (bytes[index..<index + 3].elementsEqual("inf".utf8)
        || bytes[index..<index + 3].elementsEqual("nan".utf8))
      && !(index > 0 && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[index - 1]))
  }
}
