import LocationCore
import Testing

@testable import LocationReports

#if canImport(Glibc)
  import Glibc
#endif

/// A place on earth, and positions about it.
struct Place: CustomTestStringConvertible {
  var name: String
  var latitude, longitude: Double
  /// The deviations along the axes of an ellipse, in metres, and the direction of the first one in
  /// degrees from north.
  var deviations = (3.0, 3.0)
  var direction = 0.0

  var testDescription: String { name }
}

/// What the figures of positions are by their definitions, from metres that never were degrees.
struct Truth {
  var east: [Double] = []
  var north: [Double] = []
  var up: [Double] = []

  init(_ place: Place, count: Int) {
    var random = Gauss(seed: 7)
    let angle = place.direction * .pi / 180
    for _ in 0..<count {
      let (along, across) = (place.deviations.0 * random.next(), place.deviations.1 * random.next())
      east.append(along * sin(angle) + across * cos(angle))
      north.append(along * cos(angle) - across * sin(angle))
      up.append(5 * random.next())
    }
  }

  static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

  static func percentile(_ percent: Int, _ values: [Double]) -> Double {
    values.sorted()[Int((Double(percent) / 100 * Double(values.count)).rounded(.up)) - 1]
  }

  var flat: [Double] {
    let (e, n) = (Self.mean(east), Self.mean(north))
    return zip(east, north).map { hypot($0 - e, $1 - n) }
  }
  var vertical: [Double] {
    let u = Self.mean(up)
    return up.map { abs($0 - u) }
  }
}

@Suite struct `The scatter of positions` {
  static let places = [
    Place(name: "equator", latitude: 0, longitude: 11.5),
    Place(name: "48", latitude: 48, longitude: 11.5),
    Place(name: "60", latitude: 60, longitude: -3),
    Place(name: "70", latitude: 70, longitude: 20),
    Place(name: "89", latitude: 89, longitude: 100),
    Place(name: "-70", latitude: -70, longitude: 0),
    Place(name: "the date line", latitude: -17, longitude: 180),
    Place(
      name: "an ellipse of 10:1 at 45 degrees", latitude: 48, longitude: 11.5,
      deviations: (10, 1), direction: 45),
  ]

  @Test(arguments: places)
  func `is within 2 mm of its definitions`(place: Place) throws {
    let truth = Truth(place, count: 5000)
    let scatter = try #require(Self.report(of: truth, at: place).receivers.first?.scatter)
    let (flat, vertical) = (truth.flat, truth.vertical)
    func squares(_ values: [Double]) -> Double { Truth.mean(values.map { $0 * $0 }) }
    func expect(
      _ value: Double?, _ expected: Double, _ location: SourceLocation = #_sourceLocation
    ) {
      #expect(abs((value ?? .nan) - expected) < 0.002, sourceLocation: location)
    }
    expect(scatter.cep50, Truth.percentile(50, flat))
    expect(scatter.r95, Truth.percentile(95, flat))
    expect(scatter.r99, Truth.percentile(99, flat))
    expect(scatter.drms, squares(flat).squareRoot())
    expect(scatter.vep50, Truth.percentile(50, vertical))
    expect(scatter.vep95, Truth.percentile(95, vertical))
    #expect(scatter.heightCount == 5000 && scatter.heightDatum == .ellipsoid)
    expect(scatter.centerHeight, 500 + Truth.mean(truth.up))
  }

  @Test func `has the axes and the direction of its ellipse`() throws {
    let place = Self.places[7]
    let truth = Truth(place, count: 5000)
    let scatter = try #require(Self.report(of: truth, at: place).receivers.first?.scatter)
    // The deviations of the sample, not of the distribution, along the axes.
    let root = 0.5.squareRoot()
    func deviation(_ values: [Double]) -> Double {
      let mean = Truth.mean(values)
      return Truth.mean(values.map { ($0 - mean) * ($0 - mean) }).squareRoot()
    }
    let along = deviation(zip(truth.east, truth.north).map { ($0 + $1) * root })
    let across = deviation(zip(truth.east, truth.north).map { ($0 - $1) * root })
    let (ellipse, gaussian) = (try #require(scatter.ellipse), try #require(scatter.gaussian))
    #expect(abs(ellipse.major - 2.4477 * along) < 0.002)
    #expect(abs(ellipse.minor - 2.4477 * across) < 0.002)
    #expect(abs(ellipse.azimuth - 45) < 0.2)
    #expect(abs(gaussian.cep50 - 0.589 * (along + across)) < 0.002)
    #expect(abs(gaussian.drms2 - 2 * hypot(along, across)) < 0.002)
  }

  /// 4 m to the north and south, 3 m to the east and west, and 2 m up and down, each as often and independent.
  private static func even(_ count: Int, east: Double = 3, north: Double = 4) -> Scatter {
    var samples = LocationReports.Samples()
    for number in 0..<count {
      samples.append(
        Sample(
          east: number & 1 == 0 ? east : -east, north: number & 2 == 0 ? north : -north,
          height: number & 4 == 0 ? 2 : -2))
    }
    return Scatter(
      of: samples, center: Coordinate(latitude: 48, longitude: 11.5)!, heightOrigin: 500,
      datum: .ellipsoid, target: nil)
  }

  @Test func `has the figures of a normal distribution with its deviations`() throws {
    let scatter = Self.even(104)
    let gaussian = try #require(scatter.gaussian)
    let ellipse = try #require(scatter.ellipse)
    // 0.589 · (4 + 3), 2.4477 · √12.5, 3.0349 · √12.5, 2 · 5, 0.6745 · 2, 1.96 · 2, 2.4477 · 4 and
    // 2.4477 · 3 m; and 5 and 2 m
    let values =
      [
        (gaussian.cep50, 4.123), (gaussian.r95, 8.65393), (gaussian.r99, 10.72999),
        (gaussian.drms2, 10), (gaussian.vep50, 1.349), (gaussian.vep95, 3.92),
        (ellipse.major, 9.7908), (ellipse.minor, 7.3431),
        (scatter.cep50, 5), (scatter.r99, 5), (scatter.drms, 5), (scatter.vep95, 2),
        (scatter.centerHeight, 500),
      ] as [(Double?, Double)]
    for (index, (value, expected)) in values.enumerated() {
      #expect(abs((value ?? .nan) - expected) < 1e-5, "\(index)")
    }
    #expect(ellipse.azimuth == 0 && Self.even(104, east: 4, north: 3).ellipse?.azimuth == 90)
    #expect(Self.even(96).gaussian?.r95 != nil && Self.even(96).gaussian?.r99 == nil)
    #expect(Self.even(16).gaussian?.r95 == nil && Self.even(16).gaussian?.cep50 != nil)
  }

  @Test func `is measured from the reference if there is one`() throws {
    let centre = try #require(Coordinate(latitude: 48, longitude: 11.5))
    let away = try #require(Coordinate(latitude: 48 + 10 / 111_200.0, longitude: 11.5))
    var report = LocationReport(reference: .init(away, altHAE: 490))
    for second in 0..<10 {
      var fix = LocationFix(coordinate: centre, mode: .fix3D)
      fix.ellipsoidalAltitude = 500
      report.add(.fix(fix), at: .start.advanced(by: .seconds(second)))
    }
    let scatter = try #require(report.receivers.first?.scatter)
    let (cep50, drms) = (try #require(scatter.cep50), try #require(scatter.drms))
    #expect(abs(cep50 - 10) < 0.01 && abs(drms - 10) < 0.01)
    #expect(scatter.vep50 == 10 && scatter.center == centre)
  }

  @Test func `of one fix is unknown, and has no height in 2D`() throws {
    var report = LocationReport()
    #expect(report.receivers.isEmpty)
    let fix = LocationFix(
      coordinate: try #require(Coordinate(latitude: 1, longitude: 2)), mode: .fix2D)
    report.add(.fix(fix), at: .start)
    let receiver = try #require(report.receivers.first)
    let scatter = try #require(receiver.scatter)
    #expect(scatter.cep50 == nil && scatter.r99 == nil && scatter.drms == nil)
    #expect(scatter.ellipse == nil && scatter.gaussian == nil && scatter.reach == 0)
    #expect(scatter.vep50 == nil && scatter.heightDatum == nil)
    #expect(receiver.fixCount == 1 && receiver.fix3DCount == 0 && receiver.interval == nil)
  }

  /// A tenth of the earth's radius above the ellipsoid, all distances are a tenth longer.
  @Test(arguments: [(637_813.7, nil), (nil, 637_813.7), (637_813.7, 0)] as [(Double?, Double?)])
  func `is on a plane at the height of the first fix`(altHAE: Double?, altMSL: Double?) throws {
    var report = LocationReport()
    for (second, longitude) in [10, 10.0009].enumerated() {
      var fix = LocationFix(
        coordinate: try #require(Coordinate(latitude: 0, longitude: longitude)), mode: .fix2D)
      (fix.ellipsoidalAltitude, fix.altitude) = (altHAE, altMSL)
      report.add(.fix(fix), at: .start.advanced(by: .seconds(second)))
    }
    let drms = try #require(report.receivers.first?.scatter?.drms)
    #expect(abs(drms - 55.103) < 0.001)
  }

  /// Fixes from the south to the north, 1 m apart, as high as they are far.
  private static func scatter(of count: Int, reference: LocationReport.Reference? = nil) -> Scatter?
  {
    var report = LocationReport(reference: reference)
    for number in 0..<count {
      var fix = LocationFix(
        coordinate: Coordinate(latitude: 48 + 0.4 * Double(number) / 111_200, longitude: 11.5)!,
        mode: .fix3D)
      fix.ellipsoidalAltitude = Double(number)
      report.add(.fix(fix), at: .start.advanced(by: .seconds(number)))
    }
    return report.receivers.first?.scatter
  }

  @Test(arguments: [
    (1, []), (2, [50]), (19, [50]), (20, [50, 95]), (99, [50, 95]), (100, [50, 95, 99]),
    (101, [50, 95, 99]),
  ])
  func `has no percentile that would be the largest sample`(
    count: Int, percents: [Int]
  ) throws {
    let scatter = try #require(Self.scatter(of: count))
    let flat = [50: scatter.cep50, 95: scatter.r95, 99: scatter.r99].compactMapValues(\.self)
    #expect(flat.keys.sorted() == percents)
    let high = [50: scatter.vep50, 95: scatter.vep95].compactMapValues(\.self)
    #expect(high.keys.sorted() == percents.filter { $0 < 99 })
    let isSpread = count > 1
    #expect((scatter.drms != nil) == isSpread && (scatter.ellipse != nil) == isSpread)
    #expect((scatter.gaussian?.vep50 != nil) == isSpread)
    #expect(scatter.heightCount == count && scatter.centerHeight == Double(count - 1) / 2)
    // Both ends are as far.
    #expect(abs(scatter.reach - 0.4 * Double(count - 1) / 2) < 0.05)
  }

  @Test func `of one fix is its distance from the reference`() throws {
    let away = try #require(Coordinate(latitude: 48 + 10 / 111_200.0, longitude: 11.5))
    for reference in [LocationReport.Reference(away, altHAE: 24), .init(away)] {
      let scatter = try #require(Self.scatter(of: 1, reference: reference))
      #expect(try abs(#require(scatter.drms) - 10) < 0.01)
      #expect(scatter.cep50 == nil && scatter.vep50 == nil && scatter.ellipse == nil)
    }
  }

  @Test(arguments: [true, false])
  func `has heights of the kind of the first one alone`(isOnEllipsoid: Bool) throws {
    var report = LocationReport()
    let heights = [(500.0, nil), (nil, 450), (510, 460)] as [(Double?, Double?)]
    let order = isOnEllipsoid ? [0, 1, 2] : [1, 0, 2]
    for (second, number) in order.enumerated() {
      var fix = LocationFix(coordinate: Coordinate(latitude: 48, longitude: 11.5)!, mode: .fix3D)
      (fix.ellipsoidalAltitude, fix.altitude) = heights[number]
      report.add(.fix(fix), at: .start.advanced(by: .seconds(second)))
    }
    let scatter = try #require(report.receivers.first?.scatter)
    #expect(scatter.heightCount == 2 && scatter.positionCount == 3)
    #expect(scatter.centerHeight == (isOnEllipsoid ? 505 : 455))
    #expect(scatter.heightDatum == (isOnEllipsoid ? .ellipsoid : .meanSeaLevel))
  }

  @Test func `that a program makes has what it is made of`() throws {
    let place = try #require(Coordinate(latitude: 48, longitude: 11.5))
    let scatter = Scatter(
      about: place, positionCount: 1, cep50: 2, r95: 3, r99: 4, drms: 5, centerHeight: 6,
      heightDatum: .meanSeaLevel, heightCount: 7, vep50: 8, vep95: 9)
    #expect(
      [scatter.cep50, scatter.r95, scatter.r99, scatter.drms, scatter.centerHeight] == [
        2, 3, 4, 5, 6,
      ])
    #expect([scatter.vep50, scatter.vep95] == [8, 9])
    #expect(scatter.center == place && scatter.positionCount == 1 && scatter.heightCount == 7)
    #expect(scatter.heightDatum == .meanSeaLevel && scatter.gaussian == nil)
    #expect(!scatter.isAboutReference && !scatter.isOfStops && scatter.ellipse == nil)
    #expect(scatter.reach == 4)
    #expect(Scatter(about: place, positionCount: 9, cep50: 2, r95: 3).reach == 3)
    #expect(Scatter(about: place, positionCount: 9, cep50: 2).reach == 2)
    #expect(Scatter(about: place, positionCount: 9).reach == 0)
  }

  @Test func `has figures of heights from the second height on`() throws {
    var report = LocationReport()
    for number in 0..<3 {
      var fix = LocationFix(
        coordinate: Coordinate(latitude: 48, longitude: 11.5)!, mode: number == 0 ? .fix3D : .fix2D)
      fix.ellipsoidalAltitude = 500
      report.add(.fix(fix), at: .start.advanced(by: .seconds(number)))
    }
    let scatter = try #require(report.receivers.first?.scatter)
    #expect(
      scatter.heightCount == 1 && scatter.centerHeight == 500 && scatter.heightDatum == .ellipsoid)
    #expect(scatter.vep50 == nil && scatter.gaussian?.vep50 == nil)
    #expect(scatter.cep50 == 0 && scatter.gaussian?.cep50 == 0)
  }

  @Test(arguments: [(1, nil), (99, nil), (100, 99), (101, 100)] as [(Int, Int?)])
  func `a spread of times has the 99th percentile of a hundred times or more`(count: Int, p99: Int?)
  {
    var counts = MillisecondCounts()
    for number in 1...count { counts.add(Double(number) / 1000) }
    #expect(counts.spread?.p99 == p99.map { .milliseconds($0) })
    #expect(counts.spread?.median == .milliseconds((count + 1) / 2))
  }

  @Test(
    arguments: [
      (-1, 0), (0.0004, 0), (0.0006, 1), (59.9994, 59_999), (59.9996, 60_000), (60, 60_000),
      (60.6, 61_000), (119.9, 120_000), (3600.4, 3_600_000), (86_401, 86_400_000),
      (.infinity, 86_400_000), (.nan, 0),
    ] as [(Double, Int)])
  func `a spread of times is in milliseconds below a minute, and in seconds up to a day`(
    seconds: Double, milliseconds: Int
  ) {
    var counts = MillisecondCounts()
    counts.add(seconds)
    #expect(counts.spread?.median == .milliseconds(milliseconds))
  }

  /// Fixes a second apart, 500 m high, whose degrees come from metres by the radii of curvature.
  static func report(of truth: Truth, at place: Place) -> LocationReport {
    let (a, e2) = (6_378_137.0, 0.00669437999014)
    let w = (1 - e2 * pow(sin(place.latitude * .pi / 180), 2)).squareRoot()
    let perLatitude = (a * (1 - e2) / pow(w, 3) + 500) * .pi / 180
    let perLongitude = (a / w + 500) * cos(place.latitude * .pi / 180) * .pi / 180
    var report = LocationReport()
    for index in truth.east.indices {
      let longitude = place.longitude + truth.east[index] / perLongitude
      guard
        let coordinate = Coordinate(
          latitude: place.latitude + truth.north[index] / perLatitude,
          longitude: longitude > 180 ? longitude - 360 : longitude)
      else { continue }
      var fix = LocationFix(coordinate: coordinate, mode: .fix3D)
      fix.ellipsoidalAltitude = 500 + truth.up[index]
      report.add(.fix(fix), at: .start.advanced(by: .seconds(index)))
    }
    return report
  }
}
