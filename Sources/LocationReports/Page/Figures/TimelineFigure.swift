import LocationCore
import LocationText

extension Figure {
  /// The states as bars. Their height shows the quality of the state, and outages are on a separate line.
  static func timeline(
    of receiver: ReceiverReport, _ figures: ReceiverFigures, in zone: PageZone = .utc
  )
    -> Figure?
  {
    let length = receiver.observed.inSeconds
    guard length > 0 else { return nil }
    let axis = TimeAxis(
      length: receiver.span.inSeconds, beginning: receiver.from, in: zone, from: 6, to: Panel.right)
    let kinds = Level.allCases.filter { level in
      figures.timeline.spans.contains { Level($0) == level && $0.end > $0.start }
    }
    // A state of a few seconds in an hour is narrower than a line, and its name would be distracting.
    let named = kinds.filter { level in
      let time = figures.timeline.spans.filter { Level($0) == level }.map { $0.end - $0.start }
      return level.isOutage || time.reduce(0, +) >= length / 200
    }
    let hasOutages = figures.timeline.spans.contains { Level($0) == .lost }
    let legendRows = Double((named.count + (hasOutages ? 1 : 0) + 3) / 4)
    let base = 64.0
    var figure = Figure(
      "states", title: "States.", sentence: sentence(about: receiver),
      height: base + 56 + 16 * legendRows)
    for level in kinds {
      figure.drawing.add(path: level.kind) { path in
        for span in figures.timeline.spans where Level(span) == level {
          // A span that is shorter than a pixel is still drawn.
          let x = axis.place(span.start)
          let width = max(axis.place(span.end) - x, 0.3)
          path.add("M", x, base)
          path.add("h")
          path.add(width)
          path.add("v")
          path.add(-level.height)
          path.add("h")
          path.add(-width)
          path.add("z")
        }
      }
    }
    figure.drawing.add(path: "outage") { path in
      for span in figures.timeline.spans where Level(span) == .lost {
        let middle = (axis.place(span.start) + axis.place(span.end)) / 2
        path.add("M", middle, base + 3)
        path.add("l4 7h-8z")
      }
    }
    figure.drawing.add(path: "axis") { path in
      path.add("M", axis.start, base)
      path.add("H")
      path.add(axis.end)
    }
    axis.drawLabels(in: &figure.drawing, y: base + 24)
    func place(_ index: Int) -> (x: Double, y: Double) {
      (6 + 98 * Double(index % 4), base + 46 + 16 * Double(index / 4))
    }
    for (index, level) in named.enumerated() {
      let (x, y) = place(index)
      figure.drawing.add(path: level.kind) {
        $0.add("M", x, y + 9); $0.add("h10v-9h-10z")
      }
      figure.drawing.add(label: level.name, x: x + 14, y: y + 9)
    }
    if hasOutages {
      let (x, y) = place(named.count)
      figure.drawing.add(path: "outage") {
        $0.add("M", x + 5, y + 1); $0.add("l4 7h-8z")
      }
      figure.drawing.add(label: "outage", x: x + 14, y: y + 9)
    }
    figure.table = Table(
      header: ["state", "time", "share"],
      rows: LocationState.allCases.compactMap { state in
        receiver.states[state].map {
          [
            state.rawValue, ReportText.people($0),
            "\(Text.rounded($0.inSeconds / length * 100, places: 1)) %",
          ]
        }
      })
    return figure
  }

  private static func sentence(about receiver: ReceiverReport) -> String {
    let share = { (part: Double?) in Text.rounded((part ?? 0) * 100, places: 1) }
    let outages =
      switch receiver.outageCount {
      case 0: "no outage"
      case 1: "1 outage"
      case let count: "\(count) outages"
      }
    return "A fix for \(share(receiver.availability)) % of the time, in 3D for "
      + "\(share(receiver.availability3D)) %; \(outages). The higher a bar, the better the state."
  }
}

/// How a state and the quality of its fixes are drawn.
private enum Level: CaseIterable {
  case rtkFixed, rtkFloat, dgps, other, fix3D, fix2D, searching, lost, noDevice, noService
  case connecting

  init?(_ span: StateTimeline.Span) {
    let level: Level? =
      switch span.state {
      case .fix3D:
        switch span.quality {
        case .rtkFixed: .rtkFixed
        case .rtkFloat: .rtkFloat
        case .dgps: .dgps
        case nil, .gps: .fix3D
        default: .other
        }
      case .fix2D: .fix2D
      case .searching: .searching
      case .lost: .lost
      case .noDevice: .noDevice
      case .noService: .noService
      case .connecting: .connecting
      case nil: nil
      }
    guard let level else { return nil }
    self = level
  }

  var name: String {
    switch self {
    case .rtkFixed: "3D, RTK fixed"
    case .rtkFloat: "3D, RTK float"
    case .dgps: "3D, DGPS"
    case .other: "3D, other"
    case .fix3D: "fix-3d"
    case .fix2D: "fix-2d"
    case .searching: "searching"
    case .lost: "lost"
    case .noDevice: "no-device"
    case .noService: "no-daemon"
    case .connecting: "connecting"
    }
  }

  /// Whether it is a state after a fix was lost.
  var isOutage: Bool { [.lost, .noDevice, .noService].contains(self) }

  /// The class of its bars.
  var kind: String {
    switch self {
    case .rtkFixed: "rtk"
    case .rtkFloat: "l5"
    case .dgps: "l4"
    case .fix3D: "l3"
    case .other: "l2"
    case .fix2D: "two"
    case .searching: "search"
    case .lost, .noDevice, .noService: "lost"
    case .connecting: "conn"
    }
  }

  var height: Double {
    switch self {
    case .rtkFixed, .rtkFloat, .dgps, .other, .fix3D: 52
    case .fix2D: 34
    case .searching: 16
    case .lost, .noDevice, .noService: 8
    case .connecting: 5
    }
  }
}
