import Testing

@testable import LocationCore

@Suite struct `Gate of fixes` {
  private func fix(
    north metres: Double = 0, of device: String = "a", accuracy: Double? = nil
  ) -> LocationFix {
    var fix = LocationFix(
      coordinate: Coordinate(latitude: metres / 111_195, longitude: 8)!, mode: .fix2D,
      device: device)
    fix[.eph] = accuracy
    return fix
  }

  @Test func `open, it admits every fix`() {
    var gate = UpdateFilter()
    let admitted = [fix(), fix()].map { gate.admits($0) }
    #expect(admitted == [true, true])
  }

  @Test(arguments: [(nil, false), (10, true), (10.1, false)] as [(Double?, Bool)])
  func `a fix is as accurate as desired, or not admitted`(accuracy: Double?, isAdmitted: Bool) {
    var gate = UpdateFilter(LocationRequest(desiredAccuracy: 10))
    let answer = gate.admits(fix(accuracy: accuracy))
    #expect(answer == isAdmitted)
  }

  @Test func `distance counts from the last fix that was admitted, for each receiver`() {
    var gate = UpdateFilter(LocationRequest(distanceFilter: 100))
    let all = [
      fix(), fix(north: 60), fix(north: 0, of: "b"), fix(north: 101), fix(north: 150),
      fix(north: 202),
    ]
    let admitted = all.map { gate.admits($0) }
    #expect(admitted == [true, false, true, true, false, true])
  }

  @Test func `a fix that is not accurate enough is no place to count from`() {
    var gate = UpdateFilter(LocationRequest(desiredAccuracy: 10, distanceFilter: 100))
    let all = [
      fix(accuracy: 5), fix(north: 120, accuracy: 50), fix(north: 130, accuracy: 5),
    ]
    let admitted = all.map { gate.admits($0) }
    #expect(admitted == [true, false, true])
  }

  @Test func `a place is forgotten with its receiver's fix, and all with the link`() {
    var gate = UpdateFilter(LocationRequest(distanceFilter: 100))
    for device in ["a", "b"] { _ = gate.admits(fix(of: device)) }
    gate.record(StateChange(.fix2D, of: .receiver("a"), at: Reports.moment(1)))
    gate.record(StateChange(.lost, of: .receiver("b"), at: Reports.moment(1)))
    var admitted = ["a", "b", "b"].map { gate.admits(fix(of: $0)) }
    #expect(admitted == [false, true, false])
    gate.record(StateChange(.noService, at: Reports.moment(2)))
    admitted = ["a", "b", "a"].map { gate.admits(fix(of: $0)) }
    #expect(admitted == [true, true, false])
  }

  /// Names may change with every plugging in, or be made up.
  @Test func `the places of 64 receivers are kept, those that were passed on last`() {
    var gate = UpdateFilter(LocationRequest(distanceFilter: 100))
    for number in 0..<64 { _ = gate.admits(fix(of: "\(number)")) }
    _ = gate.admits(fix(north: 200, of: "0"))
    for number in 64..<100_000 { _ = gate.admits(fix(of: "\(number)")) }
    let admitted = ["99935", "99936", "99999"].map { gate.admits(fix(of: $0)) }
    #expect(admitted == [true, true, false])
  }

  @Test func `the place that was passed on longest ago is forgotten first`() {
    var gate = UpdateFilter(LocationRequest(distanceFilter: 100))
    for number in 0..<64 { _ = gate.admits(fix(of: "\(number)")) }
    _ = gate.admits(fix(north: 200, of: "0"))
    _ = gate.admits(fix(of: "64"))
    let admitted = [gate.admits(fix(north: 200, of: "0")), gate.admits(fix(of: "1"))]
    #expect(admitted == [false, true])
  }

  @Test func `a weak fix is not admitted`() {
    var gate = UpdateFilter(LocationRequest(minimumMode: .fix3D))
    let admitted = [fix(), Reports.locationFix(0)].map { gate.admits($0) }
    #expect(admitted == [false, true])
  }
}
