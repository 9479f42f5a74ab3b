import Foundation
import LocationCore
import ReceiverRecordings
import Testing

@testable import LocwatchCLI

@Suite(
  .enabled(
    if: Recordings.folder != nil,
    "the recordings of real receivers are not at ../shared/receivers or $LOCWATCH_RECEIVERS"))
struct RecordingTests {
  private static let schema = Result { try JSONSchema.output() }

  @Test(arguments: Recordings.files)
  func `What a receiver reported is what is written`(file: URL) throws {
    let schema = try Self.schema.get()
    var json = JSONRenderer()
    var csv = CSVRenderer()
    for report in try Recordings.positions(in: file, limit: 5) {
      guard let fix = LocationFix(report: report) else { continue }
      let line = json.fix(fix)
      #expect(try schema.complaints(about: line) == [])
      let record = try JSONDecoder().decode(JSONValue.self, from: Data(line.utf8))
      for name in ["device", "mode", "lat", "lon"] { #expect(record[name] == report[name]) }
      for quantity in LocationFix.Quantity.allCases where quantity != .eph {
        #expect(record["\(quantity)"] == report["\(quantity)"])
      }
      // Python's shortest form of a number, which gpscsv writes, is Swift's as well.
      let cells = ["lat", "lon", "altHAE"].map { report[$0]?.number?.description ?? "" }
      #expect(csv.fix(fix) == "," + cells.joined(separator: ",") + "\r\n")
    }
  }
}
