import LocationCore
import Testing

@testable import GPSDProtocol

@Suite struct QuantitiesTests {
  @Test func `There is a place for each quantity of each report`() {
    #expect(TPV().quantities.values.count == LocationFix.Quantity.allCases.count)
    let places = QuantitiesOfReport().values.count
    let most = [
      ATT.Quantity.allCases.count, GST.Quantity.allCases.count, SKY.Quantity.allCases.count,
      SatelliteRecord.Field.allCases.count, TimeOffset.Field.allCases.count,
    ].max()
    #expect(places == most)
  }
}
