/// A part of a drawing, with a horizontal scale of time or distance and a vertical scale of values.
struct Panel {
  static let left = 42.0
  static let right = 394.0
  /// A value counts as cut if it exceeds the upper end of its scale by this factor. Less cannot be seen.
  private static let leastCut = 1.001

  let time: any HorizontalAxis
  let values: Axis
  let top, bottom: Double
  private let columns: FigureColumns
  /// How many columns are drawn as one, so that each is at least about a pixel wide.
  private let step: Int

  init(
    _ columns: FigureColumns, _ time: some HorizontalAxis, _ values: ClosedRange<Double>,
    top: Double,
    height: Double, isExact: Bool = false, count: Int = 3
  ) {
    self.columns = columns
    self.time = time
    (self.top, bottom) = (top, top + height)
    self.values =
      isExact
      ? Axis(exactly: values, from: bottom, to: top, count: count)
      : Axis(values, from: bottom, to: top, count: count)
    step = max(1, (columns.count + 399) / 400)
  }

  /// Returns whether a value is visibly beyond the upper end of the scale.
  func cuts(_ value: Double) -> Bool { value > Self.leastCut * values.high }

  /// Draws the lines of the scale and the name of the panel.
  ///
  /// - Parameter showsTime: Whether the times are shown below.
  func draw(in drawing: inout Markup, _ name: String, showsTime: Bool) {
    drawing.add(path: "g") {
      for tick in values.ticks {
        $0.add("M", time.start, values.place(tick))
        $0.add("H")
        $0.add(time.end)
      }
      for tick in time.ticks {
        $0.add("M", time.place(tick.seconds), top)
        $0.add("V")
        $0.add(bottom)
      }
    }
    for tick in values.ticks {
      drawing.add(
        label: values.label(tick), "e", x: time.start - 5, y: values.place(tick) + 4)
    }
    drawing.add(label: name, "n", x: time.start, y: top - 6)
    guard showsTime else { return }
    time.drawLabels(in: &drawing, y: bottom + 15)
  }

  /// Draws the legend of the colours, at the right above the panel.
  func drawLegend(_ entries: [(kind: String, name: String)], in drawing: inout Markup) {
    var x = time.end
    for (kind, name) in entries.reversed() {
      // Capitals are wide, and on a phone the letters are larger.
      x -= 7.6 * Double(name.utf8.count)
      drawing.add(label: name, x: x, y: top - 6)
      x -= 13
      drawing.add(path: kind) {
        $0.add("M", x, top - 6); $0.add("h9v-8h-9z")
      }
      x -= 8
    }
  }

  /// Reasons to interrupt a series, in addition to a time without a value.
  enum Interruption {
    /// Outages, for a series of values of fixes.
    case outages
    /// No other reason, for a series that the receiver also reports without a fix.
    case none
  }

  private typealias Run = [(x: Double, extent: Extent)]

  /// Draws the area between the lowest and the highest values of the columns that have values.
  func band(
    _ extents: [Extent], _ kind: String, interruptedBy interruption: Interruption = .outages,
    in drawing: inout Markup
  ) {
    drawing.add(path: kind) { path in
      for run in runs(of: extents, interruption) { addBand(run, to: &path) }
    }
  }

  /// Draws a line through the middles of the columns that have values.
  func line(_ extents: [Extent], _ kind: String, in drawing: inout Markup) {
    drawing.add(path: kind) { path in
      for run in runs(of: extents, .outages) {
        for (index, point) in run.enumerated() {
          let y = values.place((Double(point.extent.low) + Double(point.extent.high)) / 2)
          path.add(index == 0 ? "M" : index == 1 ? "L" : " ", point.x - (run.count > 1 ? 0 : 1), y)
        }
        if run.count == 1 { path.add("h2") }
      }
    }
  }

  /// Returns the columns with values, divided into runs. Within a run, the measurement was not interrupted.
  private func runs(of extents: [Extent], _ interruption: Interruption) -> [Run] {
    var steps: [(first: Int, extent: Extent, isInterrupted: Bool)] = []
    var isInterrupted = false
    for first in stride(from: 0, to: extents.count, by: step) {
      var extent = Extent.none
      for column in first..<min(first + step, extents.count) {
        extent.add(extents[column])
        if interruption == .outages, columns.isInterrupted(before: column) { isInterrupted = true }
      }
      guard !extent.isEmpty else { continue }
      steps.append((first, extent, isInterrupted))
      isInterrupted = false
    }
    // The rule is the one for a fix, which is current for 5 s or three intervals, whichever is longer.
    let spacings = zip(steps, steps.dropFirst()).map { $1.first - $0.first }.sorted()
    let usual = spacings.isEmpty ? step : spacings[spacings.count / 2]
    let longest = max(time.longestSilence, 3 * Double(usual) * columns.width)
    var runs: [Run] = []
    var last: Int?
    for (first, extent, isInterrupted) in steps {
      let isSilent = last.map { Double(first - $0) * columns.width > longest } ?? true
      if isSilent || isInterrupted { runs.append([]) }
      last = first
      let middle = (Double(first) + Double(step) / 2) * columns.width
      runs[runs.count - 1].append((time.place(middle), extent))
    }
    return runs
  }

  private func addBand(_ run: Run, to path: inout Markup) {
    guard let first = run.first else { return }
    func y(_ value: Float) -> Double { values.place(Double(value)) }
    guard run.count > 1 else {
      path.add("M", first.x - 1, y(first.extent.low))
      path.add("V")
      path.add(y(first.extent.high))
      path.add("h2")
      return
    }
    for (index, point) in run.enumerated() {
      path.add(index == 0 ? "M" : index == 1 ? "L" : " ", point.x, y(point.extent.high))
    }
    for point in run.reversed() { path.add(" ", point.x, y(point.extent.low)) }
    path.add("Z")
  }
}

extension [Extent] {
  /// The lowest and the highest of all values; `nil` if there are none.
  var bounds: ClosedRange<Double>? {
    var all = Extent.none
    for extent in self { all.add(extent) }
    return all.isEmpty ? nil : Double(all.low)...Double(all.high)
  }

  /// The median of the columns' highest values; `nil` if there are none.
  var median: Double? {
    let sorted = compactMap { $0.isEmpty ? nil : $0.high }.sorted()
    return sorted.isEmpty ? nil : Double(sorted[sorted.count / 2])
  }
}
