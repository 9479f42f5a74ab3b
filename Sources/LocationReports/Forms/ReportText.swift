import LocationCore
package import LocationFormats

/// A report for people: for each receiver a sentence, its figures, and its outages.
package enum ReportText {
  package static func text(of sources: [SourceReport]) -> TextBuffer {
    var text = TextBuffer()
    for source in sources {
      let receivers = source.report.receivers
      if receivers.isEmpty {
        if text.count > 0 { text.append(text: "\n") }
        text.append(visible: nothing(of: source, among: sources))
        text.append(text: "\n")
      }
      for receiver in receivers {
        if text.count > 0 { text.append(text: "\n") }
        text.append(visible: receiver.title(of: source, among: sources))
        append(receiver, source.report.criteria, to: &text)
      }
    }
    return text
  }

  /// What is said of a source without a receiver.
  static func nothing(of source: SourceReport, among sources: [SourceReport]) -> String {
    guard sources.count > 1, let name = source.name else { return "No receiver reported." }
    return "\(name): no receiver reported."
  }

  private static func append(
    _ receiver: ReceiverReport, _ criteria: FixCriteria, to text: inout TextBuffer
  ) {
    if let driver = receiver.driver { text.append(visible: " (\(driver))") }
    text.append(text: "\n\n  \(sentence(about: receiver))\n")
    if let sentence = ReportCriteria.sentence(about: receiver, criteria) {
      text.append(text: "  \(sentence)\n")
    }
    if let scatter = receiver.scatter { text.append(text: figures(of: receiver, scatter)) }
    text.append(text: states(of: receiver))
    text.append(text: outages(of: receiver))
  }

  /// What a person wants to know first.
  static func sentence(about receiver: ReceiverReport) -> String {
    var parts = [spread(of: receiver)]
    if let availability = receiver.availability {
      let percent = Text.rounded(availability * 100, places: 1)
      parts.append("\(percent) % of \(people(receiver.observed)) with a fix")
    }
    if let first = receiver.firstFix { parts.append("first fix after \(people(first))") }
    let longest = receiver.outages.map(\.duration).max()
    switch (receiver.outageCount, longest) {
    case (0, _), (_, nil): parts.append("no outage")
    case (1, let longest?): parts.append("1 outage of \(people(longest))")
    case (let count, let longest?):
      parts.append("\(count) outages, the longest \(people(longest))")
    }
    return parts.joined(separator: "; ") + "."
  }

  /// How widely the fixes scatter, as far as they are enough to say so.
  private static func spread(of receiver: ReceiverReport) -> String {
    let countsAll = receiver.fixesLeftOut == 0
    guard let scatter = receiver.scatter else {
      return countsAll ? "There was no fix" : "No fix counts"
    }
    let centre = scatter.isAboutReference ? "the reference" : "their mean"
    if let cep50 = scatter.cep50 {
      let fixes = countsAll ? "all fixes" : "the fixes that count"
      let half = "Half of \(fixes) lie within \(metres(cep50)) of \(centre)"
      return scatter.r95.map { "\(half), 95 % within \(metres($0))" } ?? half
    }
    let one = countsAll ? "There was one fix" : "One fix counts"
    return scatter.drms.map { "\(one), \(metres($0)) from \(centre)" } ?? one
  }

  private static func figures(of receiver: ReceiverReport, _ scatter: Scatter) -> String {
    var lines = [
      "",
      "  \(receiver.fixes) \(receiver.fixes == 1 ? "fix" : "fixes"), \(receiver.fixes3D) in 3D, about \(place(scatter.centre))"
        + (scatter.centreHeight.map {
          ", \(scatter.heightDatum?.rawValue ?? "") \(metres($0))"
        } ?? ""),
      scatter.positions < receiver.fixes
        ? "  The figures are made of \(scatter.positions) of them, evenly thinned.\n" : "",
    ]
    let rows = rows(of: scatter)
    if !rows.isEmpty { lines.append(row("metres", "samples", "normal distribution")) }
    for cells in rows { lines.append(row(cells[0], cells[1], cells[2])) }
    if let interval = receiver.interval {
      lines += ["", "  \(spread("interval", interval))"]
    }
    if let age = receiver.age { lines.append("  \(spread("age", age))") }
    return lines.map { "\($0)\n" }.joined()
  }

  /// The names of the figures, their values, and those of a normal distribution.
  static func rows(of scatter: Scatter) -> [[String]] {
    let normals = Dictionary(
      uniqueKeysWithValues: (scatter.gaussian?.figures ?? []).map { ($0, $1) })
    let rows = scatter.figures.compactMap { name, value -> [String]? in
      let normal = normals[name].flatMap(\.self)
      guard value != nil || normal != nil else { return nil }
      return [
        name.uppercased(), value.map { Text.rounded($0, places: 3) } ?? "–",
        normal.map { Text.rounded($0, places: 3) } ?? "",
      ]
    }
    guard let ellipse = scatter.ellipse else { return rows }
    return rows + [
      [
        "ellipse", "",
        "\(Text.rounded(ellipse.major, places: 3)) by \(Text.rounded(ellipse.minor, places: 3)) "
          + "at \(Text.rounded(ellipse.roundedAzimuth, places: 1))°",
      ]
    ]
  }

  private static func states(of receiver: ReceiverReport) -> String {
    let states = LocationState.allCases.compactMap { state in
      receiver.states[state].map { "  \(state.rawValue.column(12))\(people($0))\n" }
    }
    return states.isEmpty ? "" : "\n" + states.joined()
  }

  private static func outages(of receiver: ReceiverReport) -> String {
    guard !receiver.outages.isEmpty else { return "" }
    let lines = receiver.outages.map { outage in
      let from = outage.from?.description ?? "-"
      let position = outage.position.map { " after \(place($0))" } ?? ""
      return
        "  \(from.column(26))\(people(outage.duration).column(14))\(outage.reason)\(position)\n"
    }
    let rest = receiver.outageCount - receiver.outages.count
    return "\n" + lines.joined() + (rest > 0 ? "  and \(rest) shorter ones\n" : "")
  }

  private static func spread(_ name: String, _ spread: ReceiverReport.Spread) -> String {
    "\(name): median \(Text.rounded(spread.median.inSeconds, places: 3)) s"
      + (spread.p99.map { ", 99 % within \(Text.rounded($0.inSeconds, places: 3)) s" } ?? "")
  }

  private static func row(_ name: String, _ samples: String, _ normal: String) -> String {
    "  \(name.column(10))\(normal.isEmpty ? samples : samples.column(12))\(normal)"
  }

  static func place(_ coordinate: Coordinate) -> String {
    "\(Text.rounded(coordinate.latitude, places: 7)), "
      + "\(Text.rounded(coordinate.longitude, places: 7))"
  }

  static func metres(_ value: Double) -> String { "\(Text.rounded(value, places: 1)) m" }

  /// `31 s`, `1 min 12 s`, `6 h 05 min`.
  static func people(_ duration: Duration) -> String { people(seconds: duration.inSeconds) }

  static func people(seconds: Double) -> String {
    let seconds = Int(seconds.rounded())
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return switch seconds {
    case ..<60: "\(seconds) s"
    case ..<3600: "\(seconds / 60) min \(two(seconds % 60)) s"
    default: "\(seconds / 3600) h \(two(seconds / 60 % 60)) min"
    }
  }
}

extension String {
  /// The text with at least one space behind it, as wide as a column.
  fileprivate func column(_ width: Int) -> String { "\(self) ".padded(to: width) }
}
