import GPSDProtocol
import LocationCore
import Testing

@Suite struct `The magnetic track of a fix` {
  private func located(_ members: String) -> LocationFix? {
    tpvReport(#""mode":3,"lat":48.1,"lon":11.5,\#(members)"#).flatMap(LocationFix.init)
  }

  @Test(
    arguments: [
      // gpsd's sum, with a variation to the east and to the west, and across north.
      (84.4, 2.3, 86.7, 82.1), (84.4, -3, 81.4, 87.4), (359, 3, 2, 356), (1, 3, 4, 358),
      (1, -3, 358, 4), (0, -0.5, 359.5, 0.5), (360, 10, 10, 350),
      // The difference is more than a circle before it is brought back.
      (359, -3, 356, 2), (360, -10, 350, 10), (350, -180, 170, 170),
      // The most that rounding makes of it.
      (84.4, 2.3, 86.8, 82.1), (84.4, 2.3, 86.6, 82.1),
      // The receiver's own.
      (84.4, 2.3, 82.1, 82.1), (84.4, 2.3, 86.9, 86.9), (84.4, 2.3, 86.55, 86.55),
      // Without a variation there is nothing to correct.
      (84.4, 0, 84.4, 84.4), (84.4, 0, 90, 90),
    ] as [(Double, Double, Double, Double)])
  func `is the true track minus the variation`(
    track: Double, magvar: Double, sent: Double, written: Double
  ) throws {
    let fix = try #require(
      located(#""track":\#(track),"magvar":\#(magvar),"magtrack":\#(sent)"#))
    #expect(fix[.magtrack] == written)
    #expect((fix.course, fix[.magvar]) == (track, magvar))
  }

  @Test(arguments: [
    #""track":10,"magvar":2"#, #""track":10,"magtrack":12"#, #""magvar":2,"magtrack":12"#,
  ])
  func `is what gpsd sends where one of the three is missing`(members: String) throws {
    let fix = try #require(located(members))
    #expect(fix[.magtrack] == (members.contains("magtrack") ? 12 : nil))
  }

  @Test func `is unknown with a variation of 999.9, gpsd's for none`() throws {
    let fix = try #require(located(#""track":46.405,"magvar":999.9,"magtrack":686.305"#))
    #expect((fix.course, fix[.magvar], fix[.magtrack]) == (46.405, nil, nil))
  }

  @Test func `is gpsd's own in the report`() {
    #expect(tpvReport(#""track":10,"magvar":2,"magtrack":12"#)?[.magtrack] == 12)
  }
}
