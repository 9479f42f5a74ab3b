/// A part of a drawing with a scale of the time, or of the way, and one of values.
struct Panel {
  static let left = 42.0
  static let right = 394.0

  let time: any HorizontalAxis
  let values: Axis
  let top, bottom: Double
  private let columns: FigureColumns
  /// How many columns are drawn as one, so that one is not much narrower than a pixel.
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

  /// Draws the lines of the scale and its name.
  ///
  /// - Parameter showsTime: Whether the times stand below.
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

  /// Draws what the colours mean, on the right above the panel.
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

  /// Draws the space between the least and the greatest values of the columns.
  ///
  /// - Parameters:
  ///   - offset: What is added to the values.
  ///   - isGapless: Whether outages do not interrupt it.
  ///   - longestGap: The longest time without a value that does not interrupt it, in seconds.
  func band(
    _ extents: [Extent], _ kind: String, offset: Double = 0, isGapless: Bool = false,
    longestGap: Double = .infinity, in drawing: inout Markup
  ) {
    var run: [(x: Double, extent: Extent)] = []
    var last = 0
    let longest = max(longestGap, 2 * Double(step) * columns.width)
    drawing.add(path: kind) { path in
      for first in stride(from: 0, to: extents.count, by: step) {
        var extent = Extent.none
        var isInterrupted = false
        for column in first..<min(first + step, extents.count) {
          extent.add(extents[column])
          if columns.isInterrupted(before: column) { isInterrupted = true }
        }
        if isInterrupted, !isGapless { add(&run, offset, to: &path) }
        guard !extent.isEmpty else { continue }
        if Double(first - last) * columns.width > longest { add(&run, offset, to: &path) }
        last = first
        let middle = (Double(first) + Double(step) / 2) * columns.width
        run.append((time.place(middle), extent))
      }
      add(&run, offset, to: &path)
    }
  }

  private func add(
    _ run: inout [(x: Double, extent: Extent)], _ offset: Double, to path: inout Markup
  ) {
    defer { run.removeAll(keepingCapacity: true) }
    guard let first = run.first else { return }
    func y(_ value: Float) -> Double { values.place(Double(value) + offset) }
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
  /// The least and the greatest of all; `nil` if there are no values.
  var bounds: ClosedRange<Double>? {
    var all = Extent.none
    for extent in self { all.add(extent) }
    return all.isEmpty ? nil : Double(all.low)...Double(all.high)
  }

  /// The middle of the greatest values of the columns; `nil` if there are none.
  var median: Double? {
    let sorted = compactMap { $0.isEmpty ? nil : $0.high }.sorted()
    return sorted.isEmpty ? nil : Double(sorted[sorted.count / 2])
  }
}
