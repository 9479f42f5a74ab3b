import Foundation
import LocationCore
import LocationReports
import Testing

@testable import LocationFormats
@testable import LocwatchCLI

@Suite struct MachineZoneTests {
  @Test(arguments: [1_784_000_000, 1_795_158_000, -1])
  func `The zone of a page is that of the machine at that moment`(seconds: Int) {
    let zone = PageZone.ofMachine(at: Timestamp(secondsSince1970: Int64(seconds)))
    let date = Date(timeIntervalSince1970: Double(seconds))
    #expect(zone.secondsFromUTC == TimeZone.current.secondsFromGMT(for: date))
  }
}
