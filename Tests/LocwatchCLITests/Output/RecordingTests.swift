import Foundation
import LocationCore
@testable import LocationFormats
@testable import LocwatchCLI
@testable import LocwatchSystem
import ReceiverRecordings
import Testing

@Suite(.enabled(if: Recordings.folder != nil, "\(Recordings.whySkipped)"))
struct RecordingTests {
  private static let schema = Result { try JSONSchema.output() }

  @Test(arguments: Recordings.files)
  func `Output contains what the receiver reported`(file: URL) throws {
    let schema = try Self.schema.get()
    var json = JSONRenderer()
    var csv = CSVRenderer()
    for report in try Recordings.positions(in: file, limit: 5) {
      guard let fix = LocationFix(report: report) else { continue }
      let line = json.fix(fix)
      #expect(try schema.complaints(about: line) == [])
      let record = try JSONDecoder().decode(JSONValue.self, from: Data(line.utf8))
      for name in ["device", "mode", "lat", "lon"] { #expect(record[name] == report[name]) }
      let status = report["status"]?.number.flatMap { UInt8(exactly: $0) }
      #expect(record["quality"]?.text == status.map { FixQuality(rawValue: $0).name })
      // A course at rest is noise.
      let isAtRest = report["speed"]?.number.map { $0 < min(report["eps"]?.number ?? 0.1, 0.5) }
      for quantity in FixField.quantities where quantity.row.name == "\(quantity)" {
        let isCourse = quantity == .track || quantity == .magtrack
        let isLeftOut = isAtRest == true && isCourse
        #expect(record["\(quantity)"] == (isLeftOut ? nil : report["\(quantity)"]))
      }
      // Python's shortest form of a number, which gpscsv writes, is Swift's as well.
      let cells = ["lat", "lon", "altHAE"].map { report[$0]?.number?.description ?? "" }
      let device = report["device"]?.text ?? ""
      #expect(csv.fix(fix) == "," + (cells + [device]).joined(separator: ",") + "\r\n")
    }
  }
}

extension Recordings {
  /// The reports of positions in a recording, the first `limit` of them.
  static func positions(in file: URL, limit: Int) throws -> [JSONValue] {
    let lines = try Data(contentsOf: file).split(separator: UInt8(ascii: "\n"))
    let start = Data(#"{"class":"TPV""#.utf8)
    return lines.lazy.filter { $0.starts(with: start) }
      .compactMap { try? JSONDecoder().decode(JSONValue.self, from: Data($0)) }
      .filter { report in
        (report["mode"]?.number ?? 0) >= 2 && report["lat"] != nil && report["lon"] != nil
      }
      .prefix(limit).map { $0 }
  }
}

extension LocationFix {
  /// What a report of gpsd says; the time is left out.
  init?(report: JSONValue) {
    guard let latitude = report["lat"]?.number, let longitude = report["lon"]?.number,
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    self.init(
      coordinate: coordinate, mode: report["mode"] == .number(3) ? .fix3D : .fix2D,
      device: report["device"]?.text)
    for quantity in Quantity.allCases { self[quantity] = report["\(quantity)"]?.number }
  }
}
