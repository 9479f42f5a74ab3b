import Testing

@testable import LocationCore

@Suite struct `The course of a fix` {
  @Test(
    arguments: [
      (nil, nil, false), (nil, 9, false), (0, nil, true), (0.099, nil, true), (0.1, nil, false),
      (0.2, 0.21, true), (0.21, 0.21, false), (0.05, 0.04, false), (0.49, 9, true), (0.5, 9, false),
      (0, 0, false),
    ] as [(Double?, Double?, Bool)])
  func `is noise below the error of the speed, and below 0.5 m/s`(
    speed: Double?, error: Double?, isNoise: Bool
  ) {
    var fix = Reports.locationFix(0)
    fix.speed = speed
    fix[.eps] = error
    #expect(fix.isCourseNoise == isNoise)
    (fix.course, fix[.magtrack]) = (84, 82)
    #expect(fix.shown(.track) == (isNoise ? nil : 84))
    #expect(fix.shown(.track) == (isNoise ? nil : 84))
    #expect(fix.shown(.magtrack) == (isNoise ? nil : 82))
    #expect(fix.shown(.speed) == speed && fix.course == 84)
  }
}
