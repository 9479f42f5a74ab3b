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

  @Test func `Numbers are equal if each is known and the same in both, or unknown in both`() {
    var (some, others) = (QuantitiesOfReport(), QuantitiesOfReport())
    some[3] = 1.5
    #expect(some != others)
    others[3] = 2.5
    #expect(some != others)
    others[3] = 1.5
    #expect(some == others && some.hashValue == others.hashValue)
    // What was known before does not count.
    (some[4], others[4]) = (1, 2)
    (some[4], others[4]) = (nil, nil)
    #expect(some == others && some.hashValue == others.hashValue)
    some.removeAll()
    #expect(some == QuantitiesOfReport())
  }
}
