import Foundation
import LocationCore
import LocationReports
import Testing

@testable import LocationFormats
@testable import LocwatchCLI

@Suite struct MachineZoneTests {
  @Test(arguments: [1_784_000_000, 1_795_158_000, -1])
  func `The zone of a page is the machine's zone at that moment`(seconds: Int) {
    let zone = PageZone.Offset.ofMachine(at: Timestamp(secondsSince1970: Int64(seconds)))
    let date = Date(timeIntervalSince1970: Double(seconds))
    #expect(zone.secondsFromUTC == TimeZone.current.secondsFromGMT(for: date))
  }

  /// In a process of its own, because the zone is one of a process.
  @Test func `The zone of a page has a name and an offset, and is UTC without an offset`() async {
    await #expect(processExitsWith: .success) {
      func zone(_ variable: String, _ seconds: Int64 = 1_784_000_000) -> PageZone.Offset {
        setenv("TZ", variable, 1)
        return PageZone.Offset.ofMachine(at: Timestamp(secondsSince1970: seconds))
      }
      #expect(zone("NPT-5:45") == PageZone.Offset(name: "NPT", secondsFromUTC: 20_700))
      #expect(zone("<-03>3") == PageZone.Offset(name: "-03", secondsFromUTC: -10_800))
      #expect(zone("ABC-0:00:01") == PageZone.Offset(name: "ABC", secondsFromUTC: 1))
      #expect(zone("GMT0") == .utc)
      let european = "CET-1CEST,M3.5.0,M10.5.0/3"
      #expect(zone(european) == PageZone.Offset(name: "CEST", secondsFromUTC: 7200))
      #expect(zone(european, 1_795_158_000) == PageZone.Offset(name: "CET", secondsFromUTC: 3600))
    }
  }
}
