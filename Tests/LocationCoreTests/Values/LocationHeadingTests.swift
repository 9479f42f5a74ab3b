import LocationCore
import Testing

@Suite struct `A heading` {
  @Test(
    arguments: [
      (142.5, nil, nil, "142.5 true"), (142.5, nil, 2.5, "142.5 true, 140.0 magnetic"),
      (nil, 142.5, 2.5, "145.0 true, 142.5 magnetic"), (nil, 142.5, nil, "142.5 magnetic"),
      (1.0, nil, 3.0, "1.0 true, 358.0 magnetic"), (nil, 358.0, 3.0, "1.0 true, 358.0 magnetic"),
      (nil, 2.0, -4.0, "358.0 true, 2.0 magnetic"), (nil, 357.5, 2.5, "0.0 true, 357.5 magnetic"),
      (nil, 0.25, 0.25, "0.5 true, 0.25 magnetic"),
      (10.0, 20.0, 5.0, "10.0 true, 20.0 magnetic"), (360.0, nil, nil, "0.0 true"),
      (14223.0, 10.0, nil, "10.0 magnetic"), (.nan, 10.0, .nan, "10.0 magnetic"),
    ] as [(Double?, Double?, Double?, String)])
  func `has both directions if one and the variation are known`(
    true: Double?, magnetic: Double?, variation: Double?, description: String
  ) throws {
    let heading = try #require(
      LocationHeading(trueHeading: `true`, magneticHeading: magnetic, variation: variation))
    #expect(heading.description == description)
  }

  @Test(arguments: [nil, -0.1, 360.1, 14_223, .infinity] as [Double?])
  func `has at least one`(number: Double?) {
    #expect(LocationHeading(trueHeading: number, magneticHeading: number, variation: 1) == nil)
  }
}
