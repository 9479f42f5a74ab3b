import LocationCore
import LocationReports

/// A report for people: for each receiver a sentence, its figures, and its outages.
enum ReportText {
  static func text(of report: LocationReport) -> TextBuffer {
    var text = TextBuffer()
    let receivers = report.receivers
    if receivers.isEmpty { text.append(text: "No receiver reported.\n") }
    for (index, receiver) in receivers.enumerated() {
      if index > 0 { text.append(text: "\n") }
      text.append(visible: receiver.device ?? "the receiver")
      if let driver = receiver.driver { text.append(visible: " (\(driver))") }
      text.append(text: "\n\n  \(sentence(about: receiver))\n")
      if let scatter = receiver.scatter { text.append(text: figures(of: receiver, scatter)) }
      text.append(text: states(of: receiver))
      text.append(text: outages(of: receiver))
    }
    return text
  }

  /// What a person wants to know first.
  static func sentence(about receiver: ReceiverReport) -> String {
    var parts: [String] = []
    if let scatter = receiver.scatter {
      let centre = scatter.isAboutReference ? "the reference" : "their mean"
      parts.append(
        "Half of all fixes lie within \(metres(scatter.cep50)) of \(centre), "
          + "95 % within \(metres(scatter.r95))")
    } else {
      parts.append("There was no fix")
    }
    if let availability = receiver.availability {
      let percent = places(availability * 100, 1)
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

  private static func figures(of receiver: ReceiverReport, _ scatter: Scatter) -> String {
    var lines = [
      "",
      "  \(receiver.fixes) \(receiver.fixes == 1 ? "fix" : "fixes"), \(receiver.fixes3D) in 3D, about \(place(scatter.centre))"
        + (scatter.centreHeight.map {
          ", \(scatter.heightDatum?.rawValue ?? "") \(metres($0))"
        } ?? ""), "", row("metres", "samples", "normal distribution"),
    ]
    let gaussian = Dictionary(uniqueKeysWithValues: scatter.gaussian.figures.map { ($0, $1) })
    for (name, value) in scatter.figures {
      guard let value else { continue }
      let normal = gaussian[name].flatMap(\.self).map { places($0, 3) } ?? ""
      lines.append(row(name.uppercased(), places(value, 3), normal))
    }
    let ellipse = scatter.ellipse
    lines.append(
      row(
        "ellipse", "",
        "\(places(ellipse.major, 3)) by \(places(ellipse.minor, 3)) at \(places(ellipse.roundedAzimuth, 1))°"
      ))
    if let interval = receiver.interval {
      lines += ["", "  \(spread("interval", interval))"]
    }
    if let age = receiver.age { lines.append("  \(spread("age", age))") }
    return lines.map { "\($0)\n" }.joined()
  }

  private static func states(of receiver: ReceiverReport) -> String {
    let states = LocationState.allCases.compactMap { state in
      receiver.states[state].map { "  \(padded(state.rawValue, 12))\(people($0))\n" }
    }
    return states.isEmpty ? "" : "\n" + states.joined()
  }

  private static func outages(of receiver: ReceiverReport) -> String {
    guard !receiver.outages.isEmpty else { return "" }
    let lines = receiver.outages.map { outage in
      let from = outage.from?.description ?? "-"
      let position = outage.position.map { " after \(place($0))" } ?? ""
      return
        "  \(padded(from, 26))\(padded(people(outage.duration), 14))\(outage.reason)\(position)\n"
    }
    let rest = receiver.outageCount - receiver.outages.count
    return "\n" + lines.joined() + (rest > 0 ? "  and \(rest) shorter ones\n" : "")
  }

  private static func spread(_ name: String, _ spread: ReceiverReport.Spread) -> String {
    "\(name): median \(places(spread.median.inSeconds, 3)) s, "
      + "99 % within \(places(spread.p99.inSeconds, 3)) s"
  }

  private static func row(_ name: String, _ samples: String, _ normal: String) -> String {
    let line = "  \(padded(name, 10))\(padded(samples, 12))\(normal)"
    return String(line.reversed().drop { $0 == " " }.reversed())
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  private static func place(_ coordinate: Coordinate) -> String {
    "\(places(coordinate.latitude, 7)), \(places(coordinate.longitude, 7))"
  }

  private static func metres(_ value: Double) -> String { "\(places(value, 1)) m" }

  private static func places(_ number: Double, _ places: Int) -> String {
    var text = TextBuffer()
    text.append(number, places: places)
    return String(decoding: text.bytes, as: UTF8.self)
  }

  /// `31 s`, `1 min 12 s`, `6 h 05 min`.
  private static func people(_ duration: Duration) -> String {
    let seconds = Int(duration.inSeconds.rounded())
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return switch seconds {
    case ..<60: "\(seconds) s"
    case ..<3600: "\(seconds / 60) min \(two(seconds % 60)) s"
    default: "\(seconds / 3600) h \(two(seconds / 60 % 60)) min"
    }
  }
}
