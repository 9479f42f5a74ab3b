import Testing

@testable import LocationCore

@Suite struct `The quality of a fix` {
  private var fix: LocationFix {
    LocationFix(coordinate: Coordinate(latitude: 47, longitude: 8)!, mode: .fix3D)
  }

  @Test(
    arguments: [
      (1, "gps"), (2, "dgps"), (3, "rtk-fixed"), (4, "rtk-float"), (5, "dr"), (6, "gnss-dr"),
      (7, "time-only"), (8, "simulated"), (9, "py"),
    ] as [(UInt8, String)])
  func `has a name`(number: UInt8, name: String) {
    let quality = FixQuality(rawValue: number)
    #expect("\(quality)" == name)
    #expect(FixQuality(name: name) == quality)
    var fix = fix
    fix.quality = quality
    #expect(fix.quality == quality)
    #expect(fix != self.fix)
  }

  @Test(arguments: [0, 10, 255] as [UInt8])
  func `that has no name is written as its number`(number: UInt8) {
    let quality = FixQuality(rawValue: number)
    #expect("\(quality)" == "\(number)" && FixQuality(name: "\(number)") == nil)
  }

  @Test(arguments: [0, 10, 255, 1.5, -1, 1e300])
  func `is unknown where the number is`(status: Double) {
    var fix = fix
    fix[.status] = status
    #expect(fix.quality == nil)
  }

  @Test(
    arguments: [
      (nil, "gps"), (.gps, "gps"), (.dgps, "gps dgps"), (.rtkFloat, "gps dgps rtk-float"),
      (.rtkFixed, "gps dgps rtk-float rtk-fixed"), (.deadReckoning, ""),
      (.gnssDeadReckoning, "gps"), (.timeOnly, ""), (.simulated, ""), (.pCode, ""),
    ] as [(FixQuality?, String)])
  func `passes the filters up to its own rank`(quality: FixQuality?, passed: String) {
    var fix = fix
    fix.quality = quality
    let names = FixQuality.ranked.filter {
      var filter = UpdateFilter(LocationRequest(minimumQuality: $0))
      return filter.admits(fix)
    }
    #expect(names.map(\.name).joined(separator: " ") == passed)
    var open = UpdateFilter()
    let isAdmitted = open.admits(fix)
    #expect(isAdmitted)
  }

  private static func report(
    _ second: Double, _ quality: FixQuality?, isThin: Bool = false
  ) -> LocationEvent {
    var fix = Reports.locationFix(second, isThin: isThin)
    fix.quality = quality
    return .fix(fix)
  }

  @Test func `is reported when it changes, and the state stays`() {
    var watch = Watch()
    let told = watch.play(
      [
        (0, Self.report(0, .rtkFixed)), (1, Self.report(1, .rtkFixed)),
        (2, Self.report(2, .rtkFloat)), (3, Self.report(3, nil)),
      ], until: 3.5)
    #expect(
      told == [
        "0.0 a connecting > fix-3d", "0.0 a 3d 0.0", "1.0 a 3d 1.0",
        "2.0 a quality rtk-fixed > rtk-float", "2.0 a 3d 2.0",
        "3.0 a quality rtk-float > -", "3.0 a 3d 3.0",
      ])
  }

  @Test(arguments: [FixQuality.deadReckoning, .timeOnly, .simulated])
  func `is reported with a new fix that is not measured`(quality: FixQuality) {
    var watch = Watch()
    // What is estimated is doubted only when no tunnel is so long.
    let doubt = [.simulated: "simulated", .timeOnly: "stored"][quality]
    let told = watch.play([
      (0, Self.report(0, quality)), (1, Self.report(1, quality)), (2, Reports.noFix(2)),
      (3, Self.report(3, quality)), (4, Self.report(4, .gnssDeadReckoning)),
    ])
    #expect(
      told
        == [
          "0.0 a connecting > fix-3d", "0.0 a quality - > \(quality)",
          doubt.map { "0.0 a doubt none > \($0)" }, "0.0 a 3d 0.0", "1.0 a 3d 1.0",
          "2.0 a fix-3d > lost: no-fix", "3.0 a lost > fix-3d", "3.0 a quality - > \(quality)",
          "3.0 a 3d 3.0", "4.0 a quality \(quality) > gnss-dr",
          doubt.map { "4.0 a doubt \($0) > none" }, "4.0 a 3d 4.0",
        ].compactMap(\.self))
  }

  @Test func `starts over with each fix`() {
    var watch = Watch()
    _ = watch.play([(0, Self.report(0, .dgps)), (1, Reports.noFix(1))])
    #expect(
      watch.play([(2, Self.report(2, .rtkFixed))]) == [
        "2.0 a lost > fix-3d", "2.0 a 3d 2.0",
      ])
  }

  @Test func `comes with the rest of an epoch`() {
    var watch = Watch()
    _ = watch.play([(0, Self.report(0, .dgps))])
    let told = watch.play([
      (1, Self.report(1, nil)), (1.05, Self.report(1, .dgps)), (2, Self.report(2, .dgps)),
    ])
    #expect(told == ["1.05 a 3d 1.0"])
    // It stays where it was, and there were two reports of the epoch before.
    #expect(watch.play([(2.05, Self.report(2, .dgps))]) == ["2.05 a 3d 2.0"])
  }
}
