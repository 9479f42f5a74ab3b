extension Options {
  /// Throws where two things on the line cannot both be meant, and names both.
  func refuseContradictions(
    among given: [String], operands: [String]
  ) throws(UsageError) {
    for (one, other) in Self.exclusive where given.contains(one) && given.contains(other) {
      throw UsageError("--\(one) and --\(other) cannot go together")
    }
    if given.contains("speed"), !isReplay { throw UsageError("--speed needs --replay") }
    if isReplay, let operand = operands.first {
      throw UsageError("--replay cannot be combined with '\(operand)'")
    }
    if replays.count(where: { $0 == "-" }) > 1 {
      throw UsageError("--replay - can be given once: stdin is read to its end")
    }
    if once, let count, count != 1 {
      throw UsageError("--once and --count \(count) cannot go together")
    }
    if events == .transitionsOnly, count == 1 {
      throw UsageError("--events and --count 1 cannot go together")
    }
    if given.contains("json"), format != .json {
      throw UsageError("--json and --format \(format.name) cannot go together")
    }
    if record == "-", given.contains("json") || given.contains("format") {
      throw UsageError("--record - takes the place of the output: --format has nothing to write to")
    }
    try refuseWhatTheFormatCannotDo(given)
  }

  private static let exclusive = [
    ("events", "no-events"), ("events", "once"), ("record", "replay"),
    ("reconnect", "no-reconnect"), ("quiet", "verbose"),
  ]

  private func refuseWhatTheFormatCannotDo(_ given: [String]) throws(UsageError) {
    let works: [(option: String, formats: String, fits: Bool)] =
      switch format {
      case .text:
        [("source", "json", false)]
      case .json:
        [("coords", "text and templates", false), ("units", "text", false)]
      case .template(let template):
        [
          ("units", "text", false), ("satellites", "text and json", false),
          ("events", "text and json", false), ("source", "json", false),
          (
            "coords", "text; in a template, maidenhead is %maidenhead",
            coordinates != .maidenhead || !template.showsCoordinates
          ),
        ]
      case .csv, .gpx, .geojson, .geo:
        [
          ("coords", "text and templates", false), ("units", "text", false),
          ("satellites", "text and json", false), ("events", "text and json", false),
          ("source", "json", false),
        ]
      }
    for rule in works where given.contains(rule.option) && !rule.fits {
      throw UsageError(
        "--\(rule.option) is for \(rule.formats); it cannot go with --format \(format.name)")
    }
  }
}
