import LocationCore
import Testing

import LocationFormats
@testable import LocationReports
@testable import LocationText

@Suite struct `The track of a receiver is drawn` {
  /// A receiver that drove 2.5 km, and its figures.
  private static let receiver: ReceiverReport? = {
    var report = LocationReport(countsFigures: true)
    for (fix, moment) in SyntheticTrack().fixes(100, SyntheticTrack.straight(speed: 25)) {
      report.add(.fix(fix), at: moment)
    }
    return report.receivers.first
  }()

  private static func point(
    _ east: Float, _ north: Float = 0, speed: Float = 10, isStart: Bool = false
  ) -> TrackTrace.Point {
    TrackTrace.Point(east: east, north: north, speed: speed, isStart: isStart, silence: 0)
  }

  /// - Parameter stops: Where they are, and their seconds.
  private func figure(
    _ points: [TrackTrace.Point], stops: [(east: Float, north: Float, seconds: Int)] = [],
    _ units: UnitSystem = .metric
  ) throws -> Figure? {
    var receiver = try #require(Self.receiver)
    var figures = try #require(receiver.figures)
    figures.track = TrackTrace()
    for point in points { figures.track.add(point) }
    figures.stops = stops.map { PlanePoint(east: $0.east, north: $0.north) }
    receiver.stops = stops.map {
      let place = Coordinate(latitude: 48, longitude: 11.5)!
      let start = Moment(uptimeNanoseconds: 0, wall: nil)
      return Stop(
        from: Leg.End(place, at: start),
        to: Leg.End(place, at: start.advanced(by: .seconds($0.seconds))))
    }
    return .track(figures, receiver, ReportUnits(units))
  }

  private func labels(_ kind: String, in figure: Figure?) -> [String] {
    let drawing = figure?.drawing.buffer.string ?? ""
    return drawing.split(separator: "<text ").dropFirst().compactMap { part in
      guard part.contains("class=\"\(kind)\"") else { return nil }
      let (place, rest) = (part.prefix { $0 != "c" }, part.drop { $0 != ">" }.dropFirst())
      return "\(place)\(rest.prefix { $0 != "<" })"
    }
  }

  @Test func `in a column of its own if it made no leg`() throws {
    var report = LocationReport(countsFigures: true)
    var track = SyntheticTrack()
    track.hasSpeed = false
    for (fix, moment) in track.fixes(40, SyntheticTrack.straight(speed: 1)) {
      report.add(.fix(fix), at: moment)
    }
    let receiver = try #require(report.receivers.first)
    let figures = try #require(receiver.figures)
    let figure = try #require(Figure.track(figures, receiver, .metric))
    #expect(!receiver.hasMoved && !figure.isWide)
  }

  @Test(
    arguments: [
      (0.5, "50.0 cm"), (1.0, "1.0 m"), (9.99, "10.0 m"), (10, "10 m"), (999, "999 m"),
      (4999, "5.0 km"), (99_000, "99.0 km"), (250_000, "250.0 km"), (2_000_000, "2000 km"),
    ] as [(Float, String)])
  func `with words for its width`(width: Float, words: String) throws {
    let figure = try #require(try figure([Self.point(0), Self.point(width)]))
    #expect(figure.sentence.hasPrefix("The track spans \(words) east–west"))
  }

  @Test func `with its speed as shade, its ends, a scale and a legend`() throws {
    let figure = try #require(
      try figure([
        Self.point(0, speed: -1), Self.point(170), Self.point(340, speed: 50),
      ]))
    #expect(figure.height == 186)
    #expect(figure.isWide)
    #expect(
      figure.sentence
        == "The track spans 340 m east–west and 0.0 mm north–south. "
        + "The shade of the line is the speed.")
    let steps = [32, 92, 152, 212, 272]
    let arrows = [75, 165, 255, 345].map { "M\($0 + 5) 64L\($0 - 3) 67.5L\($0 - 3) 60.5Z" }
    let scale =
      steps.map { #"<path class="case" d="M\#($0) 166h52"/>"# }
      + steps.enumerated().map { #"<path class="v\#($0 + 1)" d="M\#($1) 166h52"/>"# }
      + steps.enumerated().map {
        #"<text x="\#($1 + 26)" y="182" class="m s">\#(40 * $0) to \#(40 * $0 + 40)</text>"#
      }
    #expect(
      figure.drawing.buffer.string
        == #"<path class="case" d="M30 64L200 64 370 64"/>"#
        + #"<path class="v1" d="M30 64L200 64"/><path class="v5" d="M200 64L370 64"/>"#
        + #"<path class="arrow" d=""#
        + arrows.joined()
        + #""/>"#
        + #"<path class="start" d="M25 64a5 5 0 1 0 10 0a5 5 0 1 0-10 0z"/>"#
        + #"<path class="end" d="M365.5 59.5h9v9h-9z"/>"#
        + #"<text x="30" y="53" class="m">start</text><text x="370" y="53" class="m">end</text>"#
        + #"<path class="axis" d="M30 131v5h100v-5"/><text x="80" y="130" class="m">100 m</text>"#
        + #"<path class="north" d="M384 108l6 16l-6-4l-6 4z"/><text x="384" y="136" class="m">N</text>"#
        + scale.joined() + #"<text x="334" y="182" class="u">km/h</text>"#)
  }

  @Test func `in pieces, north up, with a scale of kilometres`() throws {
    let figure = try figure([
      Self.point(0), Self.point(0, 8000), Self.point(4000, 8000, isStart: true),
      Self.point(4000, 0),
    ])
    #expect(figure?.height == 446)
    let drawing = figure?.drawing.buffer.string ?? ""
    #expect(
      drawing.hasPrefix(
        #"<path class="unknown" d="M115 24L285 24"/>"#
          + #"<path class="case" d="M115 364L115 24M285 24L285 364"/>"#))
    #expect(figure?.sentence.hasSuffix(" The dotted parts were not measured.") == true)
    #expect(drawing.contains(#"d="M30 391v5h85v-5"/><text x="72.5" y="390" class="m">2 km<"#))
    // The line leads where the name of each end would be.
    #expect(
      labels("m", in: figure) == [#"x="72.5" y="390" 2 km"#, #"x="384" y="396" N"#])
    #expect(labels("e", in: figure) == [#"x="362" y="396" circle: start, square: end"#])
    #expect(try self.figure([Self.point(0)]) == nil)
  }

  @Test func `with the name of an end below it if the line leads up`() throws {
    let figure = try figure([
      Self.point(0), Self.point(100, 100), Self.point(200, -100), Self.point(340, -100),
    ])
    #expect(
      labels("m", in: figure) == [
        #"x="30" y="143" start"#, #"x="370" y="213" end"#, #"x="80" y="250" 100 m"#,
        #"x="384" y="256" N"#,
      ])
    #expect(labels("e", in: figure).isEmpty)
  }

  @Test(
    arguments: [
      (-11, [#"x="44.9" y="13" start and end"#]), (-12, [#"x="30" y="13" start"#]),
    ] as [(Float, [String])])
  func `with one name for both ends if they are at one place`(
    north: Float, names: [String]
  ) throws {
    let figure = try figure([
      Self.point(0), Self.point(340), Self.point(340, -100), Self.point(0, -100),
      Self.point(0, north),
    ])
    #expect(
      labels("m", in: figure) == names + [#"x="80" y="150" 100 m"#, #"x="384" y="156" N"#])
    #expect(labels("e", in: figure).isEmpty == (north == -11))
  }

  @Test(
    arguments: [
      (0.5, .metric, "10.0 cm"), (2.9, .metric, "50.0 cm"), (3, .metric, "1 m"),
      (2999, .metric, "500 m"), (3000, .metric, "1 km"), (4000, .metric, "1 km"),
      (6000, .metric, "2 km"), (3001, .imperial, "2000 ft"), (4828, .imperial, "5000 ft"),
      (4900, .imperial, "1 mi"), (5500, .nautical, "5000 ft"), (6000, .nautical, "1 nmi"),
    ] as [(Float, UnitSystem, String)])
  func `with a scale that is a round number of its unit`(
    width: Float, units: UnitSystem, scale: String
  ) throws {
    let figure = try figure([Self.point(0), Self.point(width)], units)
    // The last one is the arrow's.
    #expect(labels("m", in: figure).dropLast().last?.hasSuffix("\" \(scale)") == true)
  }

  @Test(arguments: [Float(-1), 0]) func `without shades if no speed is known`(speed: Float) throws {
    let figure = try #require(
      try figure([Self.point(0, speed: speed), Self.point(340, speed: speed)]))
    #expect(figure.height == 152)
    let drawing = figure.drawing.buffer.string
    #expect(!drawing.contains("class=\"v1\"") && !drawing.contains("km/h"))
    #expect(drawing.hasSuffix(">N</text>"))
  }

  @Test(
    arguments: [
      (0.5, ["0.0 to 0.4", "0.4 to 0.8"]), (1.38, ["0 to 1", "1 to 2"]),
      (2, ["0.0 to 1.5", "1.5 to 3.0"]), (13.8, ["0 to 10", "10 to 20"]),
      (16, ["0 to 12", "12 to 24"]),
    ] as [(Float, [String])])
  func `with speeds in round steps`(top: Float, first: [String]) throws {
    let figure = try figure([Self.point(0, speed: 0), Self.point(340, speed: top)])
    let steps = labels("m s", in: figure)
    #expect(steps.count == 5 && zip(steps, first).allSatisfy { $0.hasSuffix("\" \($1)") })
  }

  @Test func `with its top speed in the last step, even at the end of that step`() throws {
    // 5588 m/s are exactly 12,500 mi/h, which five steps of 2500 mi/h end with.
    let figure = try figure([Self.point(0), Self.point(340, speed: 5588)], .imperial)
    #expect(figure?.paths("v5") == ["M30 64L370 64", "M272 166h52"])
    #expect(labels("m s", in: figure).last == #"x="298" y="182" 10000 to 12500"#)
  }

  @Test func `with the durations of the longest stops if there is room`() throws {
    let track = [Self.point(0), Self.point(340)]
    let figure = try figure(
      track,
      stops: [
        (141, 0, 800), (100, 0, 1000), (340, 0, 700), (130, 0, 900), (100, 14.9, 600),
        (100, -15.1, 500),
      ])
    let drawing = figure?.drawing.buffer.string ?? ""
    let circles = drawing.split(separator: #"<circle class="ring stop" "#).dropFirst()
    #expect(
      circles.map { String($0.prefix { $0 != "/" }) } == [
        #"cx="130" cy="64" r="8""#, #"cx="160" cy="64" r="8""#, #"cx="171" cy="64" r="8""#,
        #"cx="370" cy="64" r="8""#, #"cx="130" cy="49.1" r="8""#, #"cx="130" cy="79.1" r="8""#,
      ])
    #expect(
      labels("halo", in: figure) == [
        #"x="142" y="68" 17 min"#, #"x="183" y="68" 13 min"#, #"x="142" y="83.1" 8 min 20 s"#,
      ])
    #expect(labels("e halo", in: figure) == [#"x="358" y="68" 12 min"#])
    #expect(
      figure?.sentence.hasSuffix(" is the speed, and rings are stops with their length.") == true)
  }

  @Test func `with a hundred rings, of the longest stops`() throws {
    let stops = (0...100).map { (east: Float(3 * $0), north: Float(0), seconds: 1000 - $0) }
    let drawing = try figure([Self.point(0), Self.point(340)], stops: stops)?.drawing.buffer.string
    let rings = (drawing ?? "").split(separator: "<circle class=\"ring stop\" cx=\"").dropFirst()
    #expect(
      rings.map { String($0.prefix { $0 != "\"" }) } == (0..<100).map { "\(30 + 3 * $0)" })
  }

  @Test(arguments: [(29.9, []), (30, [#"x="212" y="68" 30 s"#])] as [(Float, [String])])
  func `with the duration of an outage of half a minute`(silence: Float, words: [String]) throws {
    var end = Self.point(340, isStart: true)
    end.silence = silence
    let figure = try figure([Self.point(0), end])
    #expect(labels("halo", in: figure) == words)
  }

  @Test(arguments: [
    (3569, "59 min"), (3570, "59 min 30 s"), (3660, "1 h 01 min"), (90, "1 min 30 s"), (31, "30 s"),
    (121, "2 min"), (594, "9 min 50 s"), (595, "10 min"), (629, "10 min"),
  ])
  func `with durations to 10 s, in minutes or in hours`(seconds: Int, label: String) throws {
    let figure = try figure([Self.point(0), Self.point(340)], stops: [(170, 0, seconds)])
    #expect(labels("halo", in: figure) == [#"x="212" y="68" \#(label)"#])
  }
}
