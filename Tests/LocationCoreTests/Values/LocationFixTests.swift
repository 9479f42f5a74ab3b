import Testing

@testable import LocationCore

@Suite struct `Location fixes` {
  private let fix = Reports.locationFix(0)

  @Test(arguments: LocationFix.Quantity.allCases)
  func `keep each quantity apart, and differ by it`(quantity: LocationFix.Quantity) {
    var fix = Reports.locationFix(0, isThin: true)
    let other = fix
    fix[quantity] = 1.5
    #expect(LocationFix.Quantity.allCases.filter { fix[$0] != nil } == [quantity])
    #expect(fix != other)
    fix[quantity] = nil
    #expect(fix == other)
    #expect(fix.hashValue == other.hashValue)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `what is not finite is unknown`(value: Double) {
    var fix = fix
    fix.speed = value
    #expect(fix.speed == nil)
  }

  @Test func `zero is known`() {
    var fix = fix
    fix.speed = 0
    #expect(fix.speed == 0)
  }

  @Test func `differ by everything that is not a quantity`() {
    let changes: [(inout LocationFix) -> Void] = [
      { $0.mode = .fix2D }, { $0.device = "b" }, { $0.time = nil }, { $0.received = $0.time },
      { $0.isCurrent = false }, { $0.timeJump = .seconds(1) }, { $0.satellitesUsed = 0 },
      { $0.satellitesSeen = 1 }, { $0.signalsUsed = 0 }, { $0.signalsSeen = 1 },
      { $0.coordinate = Coordinate(latitude: 1, longitude: 1)! },
    ]
    for change in changes {
      var other = fix
      change(&other)
      #expect(other != fix)
    }
  }

  @Test func `are as accurate as eph says, else the errors of both axes`() {
    var fix = Reports.locationFix(0, isThin: true)
    #expect(fix.accuracy == nil)
    fix.epx = 3
    #expect(fix.accuracy == nil)
    fix.epy = 4
    #expect(fix.accuracy == 5)
    fix.eph = 7
    #expect(fix.accuracy == 7)
  }

  @Test func `are as old as their way was long`() {
    var fix = fix
    #expect(fix.age == nil)
    fix.received = Reports.time(0.31)
    #expect(fix.age == 0.31)
    fix.received = Reports.time(-2)
    #expect(fix.age == -2)
  }

  @Test func `count satellites up to 65,535`() {
    var fix = fix
    #expect(fix.satellitesSeen == nil)
    fix.satellitesSeen = 70_000
    fix.satellitesUsed = -1
    #expect(fix.satellitesSeen == 65_535)
    #expect(fix.satellitesUsed == 0)
  }
}
