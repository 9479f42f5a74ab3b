import LocationCore
import LocationTestKit
import Testing

@Suite struct `A fix for a test` {
  private func heights(of fix: LocationFix) -> [Double?] {
    [fix.altitude, fix.ellipsoidalAltitude, fix.climbRate, fix.verticalError]
  }

  @Test func `stands still at sea level`() {
    let fix = LocationFix.at(latitude: -33.85, longitude: 151.21)
    #expect(fix.mode == .fix3D && fix.horizontalError == 5)
    #expect(fix.speed == 0 && fix.course == 0)
    #expect(heights(of: fix) == [0, 0, 0, 10])
  }

  @Test func `has no height in 2D`() {
    let fix = LocationFix.at(latitude: -33.85, longitude: 151.21, mode: .fix2D)
    #expect(fix.mode == .fix2D && fix.horizontalError == 5 && fix.speed == 0)
    #expect(heights(of: fix) == [nil, nil, nil, nil])
  }

  @Test func `has no accuracy where none is given`() {
    let fix = LocationFix.at(latitude: -33.85, longitude: 151.21, horizontalError: nil)
    #expect(fix.horizontalError == nil)
    #expect(heights(of: fix) == [0, 0, 0, nil])
  }
}
