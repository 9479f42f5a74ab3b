import LocationCore
import LocationText
import Testing

@testable import LocationReports

/// What every figure shows of times and places of which the receiver reported nothing.
@Suite struct `Where nothing was measured` {
  private typealias Point = (x: Double, y: Double)

  /// The figures of a receiver whose fixes come with a pause after the first 300 s.
  ///
  /// - Parameters:
  ///   - speed: That of the receiver; 0 for one that stands.
  ///   - isLost: Whether the state says that the fix is lost in the pause.
  private static func figures(
    speed: Double, count: Int = 600, pause: Double = 0, jump: Double = 0, isLost: Bool = true
  ) throws -> [Figure] {
    var report = LocationReport(countsFigures: true)
    let track = SyntheticTrack().fixes(Double(count) + pause, SyntheticTrack.straight(speed: speed))
    func enter(_ state: LocationState, _ moment: Moment) {
      report.add(.state(StateChange(state, of: .receiver(nil), at: moment)), at: moment)
    }
    enter(count > 0 ? .fix3D : .searching, Moment(uptime: .seconds(1000)))
    for (index, (fix, moment)) in track.prefix(count).enumerated() {
      let isAfter = index >= 300
      if index == 300, pause > 0, isLost {
        enter(.lost, moment)
        enter(.fix3D, moment.advanced(by: .seconds(pause)))
      }
      var (fix, moment) = isAfter && pause > 0 ? track[index + Int(pause)] : (fix, moment)
      if isAfter, jump > 0 { fix.coordinate = fix.coordinate.moved(by: jump, bearing: 0) }
      fix.altitude = 500
      fix[.eph] = 5
      fix.verticalError = 8
      report.add(.fix(fix), at: moment)
      report.add(.event(.sky(sky(isAfter: isAfter))), at: moment)
      for kind in [.pps, ServiceReport.Kind(rawValue: "TOFF")] {
        let offset = Duration.milliseconds(100 + index % 3)
        report.add(.event(.other(ServiceReport(kind, clockOffset: offset, text: ""))), at: moment)
      }
    }
    report.end(at: track[max(0, count + Int(pause) - 1)].moment)
    let receiver = try #require(report.receivers.first)
    let figures = try #require(receiver.figures)
    let (columns, scatter, positions) = (figures.columns, receiver.scatter, figures.positions)
    let time = TimeAxis(
      length: max(1, receiver.observed.inSeconds), beginning: nil, from: Panel.left, to: Panel.right
    )
    var all = [
      receiver.hasMoved ? Figure.track(figures, receiver, .metric) : nil,
      .profile(figures, receiver.trips, .metric), .times(figures, time, .metric),
      .timeline(of: receiver, figures), .obstructions(figures), .sky(figures),
      .signals(columns, time), .accuracy(scatter, positions, columns, time),
    ]
    if let timing = receiver.timing {
      all += [.serialTime(figures, timing, time), .pulses(figures, timing, time)]
    }
    if let scatter, let positions {
      all += [
        .scatter(scatter, positions, .metric), .heights(scatter, positions, columns, time),
      ]
    }
    return all.compactMap(\.self)
  }

  /// Two satellites, of which one moves by 60 degrees in the pause.
  private static func sky(isAfter: Bool) -> SkyView {
    let azimuths = [90.0, isAfter ? 300 : 240]
    return SkyView(
      satellites: azimuths.enumerated().map { index, azimuth in
        Satellite(
          prn: index + 1, elevation: 40, azimuth: azimuth, signalStrength: 40, isUsed: true)
      }, hdop: 1)
  }

  /// The pieces of the lines and bands of a figure, without its scales and its marks of what is unknown.
  private static func pieces(of figure: Figure) -> [[Point]] {
    let drawing = figure.drawing.buffer.string
    return drawing.split(separator: "<path class=\"").flatMap { path -> [[Point]] in
      let kinds = ["b1", "b2", "b3", "case", "v1", "v2", "v3", "v4", "v5", "trace"]
      guard kinds.contains(String(path.prefix { !"\" ".contains($0) })) else { return [] }
      let data = path.split(separator: " d=\"").last?.prefix { $0 != "\"" } ?? ""
      return data.split(separator: "M").map { piece -> [Point] in
        // A piece of one column is a bar.
        let texts = piece.prefix { !"Vh".contains($0) }.split { "L Z".contains($0) }
        let numbers = texts.compactMap { Double($0) }
        return stride(from: 0, to: numbers.count - 1, by: 2).map {
          (numbers[$0], numbers[$0 + 1])
        }
      }
    }
  }

  private static func widest(_ figure: Figure, _ isWithin: (Point, Point) -> Bool) -> Bool {
    pieces(of: figure).contains { piece in
      zip(piece, piece.dropFirst()).contains { isWithin($0, $1) }
    }
  }

  @Test(arguments: [0.0, 25]) func `an outage is blank`(speed: Double) throws {
    let figures = try Self.figures(speed: speed, pause: 120)
    let names = figures.map(\.name)
    let (first, last) = speed > 0 ? (["track"], []) : ([], ["scatter", "heights"])
    #expect(
      names == first + ["profile", "times", "states", "obstructions", "sky", "signals"]
        + ["accuracy", "serial-time", "pulses"] + last)
    for figure in figures {
      // 120 of 720 s, or 3 of 18 km, are a sixth of an axis of 352, or of 258 beside a histogram.
      #expect(!Self.widest(figure) { abs($0.x - $1.x) > 30 }, "\(figure.name)")
      // Without the break, the band of the figure would be one piece.
      let isBand = !["track", "states", "obstructions", "sky", "scatter"].contains(figure.name)
      guard isBand else { continue }
      #expect(Self.pieces(of: figure).count >= 2, "\(figure.name)")
    }
    let track = figures.first { $0.name == "track" && $0.isWide }?.drawing.buffer.string ?? ""
    #expect(track.contains("<path class=\"unknown\"") == (speed > 0))
    #expect(track.contains(">2 min</text>") == (speed > 0))
  }

  @Test func `cells of the sky without satellites, and states that did not occur, are blank`()
    throws
  {
    let figures = try Self.figures(speed: 0, pause: 120)
    let named = Dictionary(grouping: figures, by: \.name).compactMapValues(\.first)
    // Three places of 5 by 5 degrees: east, and the other satellite before and after.
    let obstructions = try #require(named["obstructions"])
    #expect(
      obstructions.paths("l4").first == "M120 78h5v-6h-5zM270 78h5v-6h-5zM330 78h5v-6h-5z")
    // 388 units are 720 s.
    let states = try #require(named["states"])
    #expect(states.paths("lost").first == "M167.9 64h64.8v-8h-64.8z")
    #expect(states.paths("l3").first?.split(separator: "M").count == 2)
  }

  @Test func `no position is drawn between two places`() throws {
    let figures = try Self.figures(speed: 0, jump: 30)
    let scatter = try #require(figures.first { $0.name == "scatter" })
    let heights = scatter.paths("dot").flatMap { $0.split(separator: "M") }.compactMap {
      Double($0.split { " h".contains($0) }[1])
    }
    #expect(Set(heights).count == 2)
  }

  @Test func `a silence that no state shows is blank`() throws {
    for figure in try Self.figures(speed: 25, pause: 120, isLost: false)
    where ["times", "accuracy"].contains(figure.name) {
      #expect(!Self.widest(figure) { abs($0.x - $1.x) > 30 }, "\(figure.name)")
    }
  }

  @Test func `no line leads to a position that is too far away`() throws {
    let figures = try Self.figures(speed: 25, jump: 30_000)
    let track = try #require(figures.first { $0.name == "track" })
    #expect(!Self.widest(track) { abs($0.y - $1.y) > 100 })
  }

  @Test(arguments: [0, 1]) func `fewer than two fixes are no line`(count: Int) throws {
    for figure in try Self.figures(speed: 25, count: count) {
      #expect(!Self.widest(figure) { abs($0.x - $1.x) > 3 }, "\(figure.name)")
    }
  }
}
