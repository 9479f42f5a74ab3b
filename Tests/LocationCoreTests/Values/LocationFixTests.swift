import Testing

@testable import LocationCore

@Suite struct `Location fixes` {
  private let fix = Reports.locationFix(0)

  @Test(arguments: [4.5, nil, .nan])
  func `is made with an accuracy`(accuracy: Double?) {
    let fix = LocationFix(
      coordinate: Coordinate(latitude: 1, longitude: 2)!, mode: .fix2D, horizontalError: accuracy)
    #expect(
      fix.horizontalError == (accuracy == 4.5 ? 4.5 : nil) && fix[.eph] == fix.horizontalError)
  }

  @Test(arguments: LocationFix.Quantity.allCases)
  func `keep each quantity apart, and differ by it`(quantity: LocationFix.Quantity) {
    var fix = Reports.locationFix(0, isThin: true)
    let other = fix
    fix[quantity] = 1
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

  @Test func `a number of 1e15 is not measured, whatever its sign`() {
    var fix = fix
    for value in [1e15.nextDown, -1e15.nextDown] {
      fix[.altHAE] = value
      #expect(fix[.altHAE] == value)
      fix[.altHAE] = value < 0 ? -1e15 : 1e15
      #expect(fix[.altHAE] == nil)
    }
  }

  @Test(arguments: [(3, 3), (127, 127), (128, 127), (-129, -128)])
  func `a correction of the date is a number of eight bits`(count: Int, stored: Int) {
    var fix = fix
    #expect(fix.dateCorrection == nil)
    fix.dateCorrection = count
    #expect(fix.dateCorrection == stored)
    fix.dateCorrection = nil
    #expect(fix.dateCorrection == nil)
  }

  @Test func `zero is known`() {
    var fix = fix
    fix.speed = 0
    #expect(fix.speed == 0)
  }

  @Test func `differ by everything that is not a quantity`() {
    let changes: [(inout LocationFix) -> Void] = [
      { $0.mode = .fix2D }, { $0.device = "b" }, { $0.time = nil },
      { $0.isCurrent = false }, { $0.timeJump = .seconds(1) }, { $0.satellitesUsed = 0 },
      { $0.satellitesSeen = 1 }, { $0.signalsUsed = 0 }, { $0.signalsSeen = 1 },
      { $0.doubts = [.jump] }, { $0.dateCorrection = 1 },
      { $0.coordinate = Coordinate(latitude: 1, longitude: 1)! },
    ]
    for change in changes {
      var other = fix
      change(&other)
      #expect(other != fix)
    }
  }

  @Test func `do not differ by when they were received`() {
    var other = fix
    other.received = other.time
    #expect(other == fix && other.hashValue == fix.hashValue)
  }

  @Test func `differ by numbers that are known of both, and by hash`() {
    var other = fix
    other.altitude = 408.2
    #expect(other != fix)
    let changes: [(inout LocationFix) -> Void] = [
      { $0.coordinate = Coordinate(latitude: 1, longitude: 1)! }, { $0.mode = .fix2D },
      { $0.device = "b" }, { $0.time = nil }, { $0.altitude = nil },
    ]
    for change in changes {
      other = fix
      change(&other)
      #expect(other.hashValue != fix.hashValue)
    }
  }

  @Test func `are replaced as a whole, with the quantities that are known`() {
    let known = QuantitySet([.status, .altHAE, .track])
    let numbers: [Double] = (1...10).map { Double($0) }
    let place = Coordinate(latitude: 1, longitude: 2)!
    var fix = fix
    fix.satellitesUsed = 7
    fix.replace(
      place, mode: .fix2D, device: "b", time: Reports.time(1), received: Reports.time(2),
      quantities: numbers.span, known: known)
    var expected = LocationFix(
      coordinate: place, mode: .fix2D, device: "b", time: Reports.time(1))
    expected.received = Reports.time(2)
    expected[.status] = 1
    expected[.altHAE] = 3
    expected[.track] = 6
    #expect(fix == expected && fix.received == Reports.time(2))
    // The last ones may be missing.
    fix.replace(
      place, mode: .fix2D, device: "b", time: Reports.time(1), received: Reports.time(2),
      quantities: [9.0].span, known: QuantitySet(.status))
    #expect(fix[.status] == 9 && fix.known == QuantitySet(.status))
  }

  @Test func `have the state of the antenna, its power and the jamming`() {
    var fix = fix
    #expect(fix.antenna == nil && fix.isAntennaPowered == nil && fix.interference == nil)
    for (antenna, number) in [(AntennaStatus.ok, 1.0), (.open, 2), (.short, 3)] {
      fix.antenna = antenna
      #expect(fix[.ant] == number && fix.antenna == antenna)
    }
    for (isPowered, number) in [(false, 1.0), (true, 2)] {
      fix.isAntennaPowered = isPowered
      #expect(fix[.antPwr] == number && fix.isAntennaPowered == isPowered)
    }
    for number in [0.0, 3, 1.5] {
      fix[.antPwr] = number
      #expect(fix.isAntennaPowered == nil)
    }
    fix[.ant] = 4
    #expect(fix.antenna == nil)
    fix.interference = 255
    #expect(fix[.jam] == 255 && fix.interference == 255)
    fix[.jam] = 1.5
    #expect(fix.interference == nil)
  }

  @Test func `have properties for what most programs use`() {
    let properties: [(WritableKeyPath<LocationFix, Double?>, LocationFix.Quantity)] = [
      (\.altitude, .altMSL), (\.ellipsoidalAltitude, .altHAE), (\.speed, .speed),
      (\.course, .track), (\.climbRate, .climb), (\.heading, .heading),
      (\.horizontalError, .eph), (\.verticalError, .epv),
    ]
    for (property, quantity) in properties {
      var fix = Reports.locationFix(0, isThin: true)
      fix[keyPath: property] = 1.5
      #expect(fix[quantity] == 1.5 && fix[keyPath: property] == 1.5)
      #expect(fix.known == QuantitySet(quantity))
    }
    let counts: [(WritableKeyPath<LocationFix, Int?>, LocationFix.Quantity)] = [
      (\.satellitesUsed, .satsUsed), (\.satellitesSeen, .satsSeen), (\.signalsUsed, .signalsUsed),
      (\.signalsSeen, .signalsSeen), (\.interference, .jam),
    ]
    for (property, quantity) in counts {
      var fix = Reports.locationFix(0, isThin: true)
      fix[keyPath: property] = 7
      #expect(fix[quantity] == 7 && fix[keyPath: property] == 7)
      #expect(fix.known == QuantitySet(quantity))
    }
  }

  @Test(
    arguments: [
      (.fix2D, nil, nil, true), (.fix3D, nil, nil, true), (.fix2D, .gps, nil, false),
      (.fix2D, .dgps, nil, true), (.fix2D, .rtkFloat, nil, false), (.fix2D, nil, 4.5, true),
      (.fix2D, nil, 4.4, false),
    ] as [(FixMode, FixQuality?, Double?, Bool)])
  func `have what is asked for`(
    mode: FixMode, quality: FixQuality?, accuracy: Double?, isEnough: Bool
  ) {
    var fix = fix
    fix.quality = quality == .gps ? .timeOnly : .dgps
    let request = LocationRequest(
      minimumMode: mode, minimumQuality: quality, desiredAccuracy: accuracy)
    #expect(fix.satisfies(request) == isEnough)
    if mode == .fix3D {
      fix.mode = .fix2D
      #expect(!fix.satisfies(request))
    }
    if accuracy != nil {
      fix[.eph] = nil
      #expect(!fix.satisfies(request))
    }
  }

  @Test func `lack what is asked for in an order, and nothing at the end`() {
    let request = LocationRequest(
      minimumMode: .fix3D, minimumQuality: .rtkFixed, desiredAccuracy: 5, onlyBelieved: true)
    var fix = Reports.locationFix(0, isThin: true)
    fix.mode = .fix2D
    fix.quality = .dgps
    fix[.eph] = 5.1
    fix.doubts = [.jump]
    #expect(fix.lack(of: request) == .dimension)
    fix.mode = .fix3D
    #expect(fix.lack(of: request) == .quality)
    fix.quality = .rtkFixed
    #expect(fix.lack(of: request) == .accuracy)
    fix[.eph] = 5
    #expect(fix.lack(of: request) == .belief)
    fix.doubts = []
    #expect(fix.lack(of: request) == nil)
    fix[.eph] = nil
    #expect(fix.lack(of: request) == .accuracy)
    // An ordinary fix has no quality.
    fix.quality = nil
    #expect(fix.lack(of: LocationRequest(minimumQuality: .gps)) == nil)
    #expect(fix.lack(of: LocationRequest(minimumQuality: .dgps)) == .quality)
  }

  @Test func `are believed if nothing is doubted, where that is asked for`() {
    var fix = fix
    #expect(fix.satisfies(LocationRequest(onlyBelieved: true)))
    fix.doubts = [.jump]
    #expect(!fix.satisfies(LocationRequest(onlyBelieved: true)))
    #expect(fix.satisfies(LocationRequest()))
  }

  @Test func `are as accurate as eph says, else the errors of both axes`() {
    var fix = Reports.locationFix(0, isThin: true)
    #expect(fix.horizontalError == nil)
    fix[.epx] = 3
    #expect(fix.horizontalError == nil)
    fix[.epy] = 4
    #expect(fix.horizontalError == 5)
    fix[.eph] = 7
    #expect(fix.horizontalError == 7)
  }

  @Test func `are as old as their way was long`() {
    var fix = fix
    #expect(fix.age == nil)
    fix.received = Reports.time(0.31)
    #expect(fix.age == 0.31)
    fix.received = Reports.time(-2)
    #expect(fix.age == -2)
  }
}
