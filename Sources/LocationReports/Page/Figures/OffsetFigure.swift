import LocationCore
import LocationText

extension Figure {
  /// How far the machine's clock is from the times over the serial line.
  static func serialTime(
    _ figures: ReceiverFigures, _ timing: ReceiverReport.Timing, _ time: TimeAxis
  ) -> Figure? {
    guard let offset = timing.serial, let histogram = figures.serial else { return nil }
    return offsets(
      "serial-time", "Serial time.", "How late times arrive over the serial line.",
      offset, histogram, figures.columns, .serialOffset, time)
  }

  /// How far the machine's clock is from the pulses.
  static func pulses(
    _ figures: ReceiverFigures, _ timing: ReceiverReport.Timing, _ time: TimeAxis
  ) -> Figure? {
    guard let offset = timing.pulses?.offset, let histogram = figures.pulses else { return nil }
    return offsets(
      "pulses", "Clock at the pulses.",
      "How far the clock is ahead of the receiver's at its pulses.",
      offset, histogram, figures.columns, .pulseOffset, time)
  }

  /// The offsets over time, about their median, beside their frequencies.
  private static func offsets(
    _ name: String, _ title: String, _ sentence: String, _ offset: ReceiverReport.ClockOffset,
    _ histogram: Histogram, _ columns: FigureColumns, _ series: FigureColumns.Series,
    _ time: TimeAxis
  ) -> Figure? {
    guard let extents = columns.extents(of: series) else { return nil }
    let median = offset.median.inSeconds
    var figure = Figure(
      name, title: title,
      sentence: "\(sentence) The median is \(TimingText.short(offset.median, signed: true)).",
      height: 220)
    let unit = TimeUnit(for: histogram.range)
    let range = histogram.range / unit.seconds
    let panel = Panel(
      columns, TimeAxis(time, to: 300), -range...range, top: 22, height: 150, isExact: true,
      count: 5)
    panel.draw(in: &figure.drawing, "from the median, \(unit.name)", showsTime: true)
    let deviations = extents.map { extent -> Extent in
      guard !extent.isEmpty else { return extent }
      func scaled(_ seconds: Float) -> Float {
        Float(min(max((Double(seconds) - median) / unit.seconds, -range), range))
      }
      return Extent(scaled(extent.low), scaled(extent.high))
    }
    panel.band(deviations, "b1", interruptedBy: .none, in: &figure.drawing)
    figure.drawing.add(histogram)
    var table = SeriesTable(columns, time)
    table.add(
      "offset, \(unit.name)", extents.map { $0.scaled(by: 1 / unit.seconds) },
      places: unit.places(of: histogram.range))
    figure.table = table.table
    return figure
  }
}

extension Markup {
  /// Draws the frequencies of values, to the right of a panel that is 150 high and ends at 172.
  mutating func add(_ histogram: Histogram) {
    let most = Double(max(1, histogram.counts.max() ?? 1))
    let bin = 150 / Double(Histogram.bins)
    add(path: "bar") { path in
      for (index, count) in histogram.counts.enumerated() where count > 0 {
        path.add("M", 310, 172 - bin * Double(index))
        path.add("h")
        path.add(max(84 * Double(count) / most, 0.5))
        path.add("v")
        path.add(-bin)
        path.add("H310z")
      }
    }
    add(path: "axis") { $0.add("M310 22V172") }
    add(label: "share", "n", x: 310, y: 16)
  }
}
