import LocationCore
import LocationText

extension Figure {
  private static let steps = 5
  /// The maximum number of stops that are drawn as rings.
  private static let maximumStops = 100
  /// Where labels are, by the range of each and its middle line.
  private typealias Labels = [(x: ClosedRange<Double>, y: Double)]

  /// The track of a receiver that moved, with its speed as lightness and its stops as rings.
  static func track(
    _ figures: ReceiverFigures, _ receiver: ReceiverReport, _ units: ReportUnits
  ) -> Figure? {
    let points = figures.track.points
    guard points.count > 1 else { return nil }
    let map = TrackMap(points)
    let top = points.reduce(0) { max($0, Double($1.speed)) }
    let speeds = SpeedSteps(top: units.speedNumber(top), count: steps)
    var figure = Figure(
      "track", title: "Track.", sentence: sentence(map, receiver, points, units),
      height: map.height + 72 + (top > 0 ? 34 : 0))
    figure.isWide = receiver.hasMoved
    figure.drawing.add(path: "unknown") { addUnknown(points, map, to: &$0) }
    figure.drawing.add(path: "case") { add(points, map, to: &$0) { _ in true } }
    for step in 0..<(top > 0 ? steps : 0) {
      figure.drawing.add(path: "v\(step + 1)") {
        add(points, map, to: &$0) { speeds.step(of: units.speedNumber(Double($0))) == step }
      }
    }
    figure.drawing.add(path: "arrow") { addArrows(points, map, to: &$0) }
    let lengths = addLengths(points, figures.stops, receiver.stops, map, to: &figure.drawing)
    let isNamed = addEnds(points, map, beside: lengths, to: &figure.drawing)
    addScale(map, units, explainsEnds: !isNamed, to: &figure.drawing)
    if top > 0 { addLegend(speeds, y: map.height + 86, units.speedName, to: &figure.drawing) }
    return figure
  }

  private static func sentence(
    _ map: TrackMap, _ receiver: ReceiverReport, _ points: [TrackTrace.Point],
    _ units: ReportUnits
  ) -> String {
    "The track spans \(distance(map.east, units)) east–west and "
      + "\(distance(map.north, units)) north–south. The shade of the line is the speed"
      + (receiver.stops.isEmpty ? "." : ", and rings are stops with their length.")
      + (points.dropFirst().contains(where: \.isStart)
        ? " The dotted parts were not measured." : "")
  }

  /// Adds straight lines where the track between two points was not measured.
  private static func addUnknown(
    _ points: [TrackTrace.Point], _ map: TrackMap, to path: inout Markup
  ) {
    for (before, point) in zip(points, points.dropFirst()) where point.isStart {
      let (start, end) = (map.place(before.east, before.north), map.place(point.east, point.north))
      path.add("M", start.x, start.y)
      path.add("L", end.x, end.y)
    }
  }

  /// Adds an arrowhead every 90 units along the track.
  private static func addArrows(
    _ points: [TrackTrace.Point], _ map: TrackMap, to path: inout Markup
  ) {
    var (way, next) = (0.0, 45.0)
    for (before, point) in zip(points, points.dropFirst()) where !point.isStart {
      let (start, end) = (map.place(before.east, before.north), map.place(point.east, point.north))
      let (x, y) = (end.x - start.x, end.y - start.y)
      let length = (x * x + y * y).squareRoot()
      defer { way += length }
      guard length > 0 else { continue }
      let (along, across) = ((x: x / length, y: y / length), (x: -y / length, y: x / length))
      while next <= way + length {
        let (x, y) = (start.x + along.x * (next - way), start.y + along.y * (next - way))
        path.add("M", x + 5 * along.x, y + 5 * along.y)
        for side in [3.5, -3.5] {
          path.add("L", x - 3 * along.x + side * across.x, y - 3 * along.y + side * across.y)
        }
        path.add("Z")
        next += 90
      }
    }
  }

  /// Adds the lines to the points whose speed is wanted.
  private static func add(
    _ points: [TrackTrace.Point], _ map: TrackMap, to path: inout Markup,
    where isWanted: (Float) -> Bool
  ) {
    var isDrawn = false
    for (before, point) in zip(points, points.dropFirst()) {
      guard !point.isStart, isWanted(point.speed) else {
        isDrawn = false
        continue
      }
      if !isDrawn {
        let (x, y) = map.place(before.east, before.north)
        path.add("M", x, y)
      }
      let (x, y) = map.place(point.east, point.north)
      path.add(isDrawn ? " " : "L", x, y)
      isDrawn = true
    }
  }

  /// Draws a ring for each stop, beginning with the longest, and the durations of stops and outages where
  /// there is room.
  private static func addLengths(
    _ points: [TrackTrace.Point], _ places: [PlanePoint], _ stops: [Stop], _ map: TrackMap,
    to drawing: inout Markup
  ) -> Labels {
    let longest = zip(places, stops).sorted { $0.1.duration > $1.1.duration }.prefix(maximumStops)
    let silences = zip(points, points.dropFirst()).filter { $1.isStart && $1.silence >= 30 }
    var taken: Labels = []
    func add(_ duration: Duration, at x: Double, _ y: Double) {
      let text = length(duration)
      let width = 6.6 * Double(text.utf8.count)
      let isLeft = x + 12 + width > 396
      let range = isLeft ? x - 12 - width...x - 12 : x + 12...x + 12 + width
      guard range.lowerBound > 2, !isTaken(range, y, by: taken) else { return }
      taken.append((range, y))
      drawing.add(label: text, isLeft ? "e halo" : "halo", x: isLeft ? x - 12 : x + 12, y: y + 4)
    }
    for (point, stop) in longest {
      let (x, y) = map.place(point.east, point.north)
      drawing.add("<circle class=\"ring stop\" cx=\"")
      drawing.add(x)
      drawing.add("\" cy=\"")
      drawing.add(y)
      drawing.add("\" r=\"8\"/>")
      add(stop.duration, at: x, y)
    }
    for (before, point) in silences {
      let (start, end) = (map.place(before.east, before.north), map.place(point.east, point.north))
      add(.seconds(Double(point.silence)), at: (start.x + end.x) / 2, (start.y + end.y) / 2)
    }
    return taken
  }

  private static func isTaken(
    _ range: ClosedRange<Double>, _ y: Double, by labels: Labels
  ) -> Bool {
    labels.contains { $0.x.overlaps(range) && abs($0.y - y) < 15 }
  }

  /// `1 min 30 s`, `13 min`, `2 h 05 min`: below ten minutes to 10 s, because a minute would be too coarse.
  private static func length(_ duration: Duration) -> String {
    let seconds = duration.inSeconds
    guard seconds >= 595 else { return ReportText.people(seconds: (seconds / 10).rounded() * 10) }
    return seconds < 3570 ? "\(Int((seconds / 60).rounded())) min" : ReportText.people(duration)
  }

  /// Draws both ends, with their names above or below them where there is room.
  ///
  /// - Returns: Whether both are named.
  private static func addEnds(
    _ points: [TrackTrace.Point], _ map: TrackMap, beside lengths: Labels,
    to drawing: inout Markup
  ) -> Bool {
    let places = points.map { map.place($0.east, $0.north) }
    guard let start = places.first, let end = places.last else { return false }
    drawing.add(path: "start") {
      $0.add("M", start.x - 5, start.y)
      $0.add("a5 5 0 1 0 10 0a5 5 0 1 0-10 0z")
    }
    drawing.add(path: "end") {
      $0.add("M", end.x - 4.5, end.y - 4.5)
      $0.add("h9v9h-9z")
    }
    func isCrossed(_ range: ClosedRange<Double>, _ y: Double) -> Bool {
      zip(places, places.dropFirst()).contains { a, b in
        let count = (max(abs(b.x - a.x), abs(b.y - a.y)) / 4).rounded(.up) + 1
        return stride(from: 0, through: 1, by: 1 / count).contains { part in
          range.contains(a.x + part * (b.x - a.x)) && abs(a.y + part * (b.y - a.y) - y) < 8
        }
      }
    }
    let isRound = max(abs(start.x - end.x), abs(start.y - end.y)) < 12
    let ends = isRound ? [("start and end", start)] : [("start", start), ("end", end)]
    var taken = lengths
    for (name, place) in ends {
      let half = 3.3 * Double(name.utf8.count)
      let x = min(max(place.x, half + 2), 398 - half)
      let range = x - half...x + half
      // The scale and the arrow to the north are below the track.
      let free = [place.y - 15, place.y + 15].first { y in
        y < map.height + 24 && !isCrossed(range, y) && !isTaken(range, y, by: taken)
      }
      guard let y = free else { continue }
      taken.append((range, y))
      drawing.add(label: name, "m", x: x, y: y + 4)
    }
    return taken.count == lengths.count + ends.count
  }

  private static func addScale(
    _ map: TrackMap, _ units: ReportUnits, explainsEnds: Bool, to drawing: inout Markup
  ) {
    let unit = map.side > 3 * units.far.metres ? units.far : units.height
    let bar = roundNumber(notAbove: map.side / 3 / unit.metres, steps: [1, 2, 5]) * unit.metres
    let y = map.height + 56
    drawing.add(path: "axis") { path in
      path.add("M", 30, y - 5)
      path.add("v5h")
      path.add(bar * map.scale)
      path.add("v-5")
    }
    drawing.add(label: scale(bar, units), "m", x: 30 + bar * map.scale / 2, y: y - 6)
    if explainsEnds { drawing.add(label: "circle: start, square: end", "e", x: 362, y: y) }
    drawing.add(path: "north") {
      $0.add("M", 384, y - 28); $0.add("l6 16l-6-4l-6 4z")
    }
    drawing.add(label: "N", "m", x: 384, y: y)
  }

  /// `35.2 cm`, `6.0 m`, `850 m`, `5.9 km`: the extent of a figure.
  private static func distance(_ metres: Double, _ units: ReportUnits) -> String {
    metres < 10 && units.height.metres == 1 ? units.length(metres) : units.way(metres)
  }

  /// `500 m`, `2 km`: the length of a scale bar, which is a round number.
  private static func scale(_ metres: Double, _ units: ReportUnits) -> String {
    let unit = metres < units.far.metres ? units.height : units.far
    return metres < 1 ? units.length(metres) : "\(unit.text(metres, places: 0)) \(unit.symbol)"
  }

  private static func addLegend(
    _ speeds: SpeedSteps, y: Double, _ unit: String, to drawing: inout Markup
  ) {
    for kind in ["case", "v"] {
      for step in 0..<steps {
        drawing.add(path: kind == "v" ? "v\(step + 1)" : kind) {
          $0.add("M", 32 + 60 * Double(step), y)
          $0.add("h52")
        }
      }
    }
    for step in 0..<steps {
      drawing.add(label: speeds.label(step), "m s", x: 58 + 60 * Double(step), y: y + 16)
    }
    drawing.add(label: unit, "u", x: 334, y: y + 16)
  }
}

/// Speeds in equal steps from 0.
private struct SpeedSteps {
  private let width: Double
  private let count: Int

  init(top: Double, count: Int) {
    width =
      top > 0
      ? roundNumber(notBelow: top / Double(count), steps: [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8]) : 1
    self.count = count
  }

  /// Returns the step of a speed, from 0; 0 if the speed is unknown.
  func step(of speed: Double) -> Int { max(0, min(Int(speed / width), count - 1)) }

  func label(_ step: Int) -> String {
    let places = width < 10 && width != width.rounded() ? 1 : 0
    return "\(Text.rounded(width * Double(step), places: places)) to "
      + Text.rounded(width * Double(step + 1), places: places)
  }
}

/// Maps the points of a track to a drawing, with north up and the track in the middle.
private struct TrackMap {
  /// The extent of the track, in metres.
  let east, north: Double
  /// The larger of both extents.
  let side: Double
  /// Units of the drawing per metre.
  let scale: Double
  /// The height of the drawn track.
  let height: Double
  private let middle: (east: Double, north: Double)

  init(_ points: [TrackTrace.Point]) {
    var (easts, norths) = (Extent.none, Extent.none)
    for point in points {
      easts.add(point.east)
      norths.add(point.north)
    }
    east = Double(easts.high - easts.low)
    north = Double(norths.high - norths.low)
    side = max(east, north, 0.1)
    scale = 340 / side
    height = max(80, north * scale)
    middle = (Double(easts.low + easts.high) / 2, Double(norths.low + norths.high) / 2)
  }

  func place(_ east: Float, _ north: Float) -> (x: Double, y: Double) {
    (
      200 + (Double(east) - middle.east) * scale,
      24 + height / 2 - (Double(north) - middle.north) * scale
    )
  }
}
