import LocationCore
package import LocationText

/// A report as one JSON object in SI units, rounded to millimetres. A member is left out if its value is unknown.
package struct ReportJSON {
  private var text = TextBuffer()
  /// Whether the next member is the first of its object.
  private var isFirst = true

  /// - Parameter counts: The counts of the run as a JSON object; `nil` for none.
  package static func text(of sources: [SourceReport], counts: TextBuffer? = nil) -> TextBuffer {
    let all = sources.map { (name: $0.name, receivers: $0.report.receivers) }
    let receivers = all.flatMap(\.receivers)
    // The criteria are the same for all sources.
    let criteria = sources.first?.report.criteria ?? FixCriteria()
    var json = ReportJSON()
    json.object {
      $0.member("class", "REPORT")
      $0.member("version", integer: 1)
      $0.member("from", receivers.compactMap(\.from).min())
      $0.member("to", receivers.compactMap(\.to).max())
      $0.members(of: criteria)
      let named = all.flatMap { name, receivers in receivers.map { (name, $0) } }
      let isFiltered = criteria.leavesOutFixes
      $0.list("receivers", named) {
        $0.members(of: $1.1, $1.0, isFiltered: isFiltered)
      }
      if let counts {
        $0.key("counts")
        $0.text.append(counts)
      }
    }
    json.text.append(character: "\n")
    return json.text
  }

  private mutating func members(of criteria: FixCriteria) {
    guard criteria.leavesOutFixes else { return }
    object("filter") {
      $0.member("fix", criteria.request.minimumMode == .fix3D ? "3d" : nil)
      $0.member("quality", criteria.request.minimumQuality?.name)
      $0.member("accuracy", number: criteria.request.desiredAccuracy)
      if criteria.request.onlyBelieved { $0.member("believed", true) }
      $0.member("minMove", number: criteria.minMove)
      $0.member("interval", criteria.interval)
    }
  }

  private mutating func members(
    of receiver: ReceiverReport, _ source: String?, isFiltered: Bool
  ) {
    member("source", source)
    member("device", receiver.device)
    member("driver", receiver.driver)
    member("fixes", integer: receiver.fixCount)
    member("fixes3d", integer: receiver.fix3DCount)
    if isFiltered { member("fixesLeftOut", integer: receiver.leftOutFixCount) }
    if receiver.surveyed > 0 { member("surveyed", integer: receiver.surveyed) }
    if receiver.simulated > 0 { member("simulated", integer: receiver.simulated) }
    member("observed", receiver.observed)
    if receiver.notRecorded > .zero { member("notRecorded", receiver.notRecorded) }
    member("availability", receiver.availability, places: 4)
    member("availability3d", receiver.availability3D, places: 4)
    member("firstFix", receiver.firstFix)
    object("states") {
      for state in LocationState.allCases { $0.member(state.rawValue, receiver.states[state]) }
    }
    if let scatter = receiver.scatter { members(of: scatter, receiver.fixCount) }
    list("legs", receiver.legs) { $0.members(of: $1) }
    member("legCount", integer: receiver.legCount)
    list("stops", receiver.stops) { $0.members(of: $1) }
    member("stopCount", integer: receiver.stopCount)
    list("gaps", receiver.gaps) { $0.members(of: $1) }
    member("gapCount", integer: receiver.gapCount)
    if receiver.lastsLongerThanADay { list("days", receiver.days) { $0.members(of: $1) } }
    list("outages", receiver.outages) { $0.members(of: $1) }
    member("outageCount", integer: receiver.outageCount)
    if receiver.doubtCount > 0 {
      member("doubted", receiver.doubted)
      list("doubts", receiver.doubts) { $0.members(of: $1) }
      member("doubtCount", integer: receiver.doubtCount)
    }
    member("reconnects", integer: receiver.reconnectCount)
    if receiver.corrections != nil {
      object("corrections") {
        $0.member("duration", receiver.corrections)
        $0.member("share", receiver.correctionsShare, places: 4)
      }
    }
    member("interval", receiver.interval)
    member("age", receiver.age)
    if let timing = receiver.timing { members(of: timing) }
    if receiver.eras.count > 1 || receiver.eras.contains(where: { $0.rollover != nil }) {
      list("eras", receiver.eras) { $0.members(of: $1) }
    }
  }

  private mutating func members(of timing: ReceiverReport.Timing) {
    if let serial = timing.serial {
      object("serialTime") {
        $0.members(of: serial)
        $0.member("shm", timing.segment)
      }
    }
    if let pulses = timing.pulses {
      object("pulses") {
        $0.member("count", integer: pulses.count)
        $0.member("expected", integer: pulses.expected)
        if let offset = pulses.offset { $0.object("clock") { $0.members(of: offset) } }
        $0.list("gaps", pulses.gaps) { $0.members(of: $1, "duration") }
        $0.member("gapCount", integer: pulses.gapCount)
      }
    }
    if !timing.steps.isEmpty {
      list("clockSteps", timing.steps) { $0.members(of: $1, "by") }
    }
  }

  private mutating func members(of offset: ReceiverReport.ClockOffset) {
    member("count", integer: offset.count)
    member("median", offset.median.inSeconds, places: 9)
    member("within95", offset.within95?.inSeconds, places: 9)
  }

  private mutating func members(of mark: ReceiverReport.TimeMark, _ length: String) {
    member("time", mark.time)
    member(length, mark.length)
  }

  private mutating func members(of era: ReceiverReport.Era) {
    member("from", era.from)
    member("to", era.to)
    member("count", integer: era.count)
    if let rollover = era.rollover { member("rollover", integer: rollover) }
  }

  private mutating func members(of scatter: Scatter, _ fixes: Int) {
    object("centre") {
      $0.member("lat", scatter.center.latitude, places: 9)
      $0.member("lon", scatter.center.longitude, places: 9)
      if let datum = scatter.heightDatum {
        $0.member(datum.rawValue, scatter.centerHeight, places: 3)
      }
    }
    member("reference", scatter.isAboutReference)
    if scatter.isOfStops { member("ofStops", true) }
    if scatter.positionCount < fixes { member("samples", integer: scatter.positionCount) }
    for (name, value) in scatter.figures { member(name, value, places: 3) }
    if let gaussian = scatter.gaussian {
      object("gaussian") {
        for (name, value) in gaussian.figures { $0.member(name, value, places: 3) }
      }
    }
    if let ellipse = scatter.ellipse {
      object("ellipse") {
        $0.member("major", ellipse.major, places: 3)
        $0.member("minor", ellipse.minor, places: 3)
        $0.member("azimuth", ellipse.roundedAzimuth, places: 1)
      }
    }
  }

  private mutating func members(from: Leg.End, to: Leg.End) {
    for (name, end) in [("from", from), ("to", to)] {
      object(name) {
        $0.member("time", end.time)
        $0.member("lat", end.coordinate.latitude, places: 9)
        $0.member("lon", end.coordinate.longitude, places: 9)
      }
    }
  }

  private mutating func members(of gap: Gap) {
    members(from: gap.start, to: gap.end)
    member("duration", gap.duration)
    member("distance", gap.distance, places: 3)
  }

  private mutating func members(of day: TripDay) {
    member("date", day.date)
    member("distance", day.distance, places: 3)
    member("duration", day.duration)
    member("moving", day.movingTime)
    member("ascent", day.ascent, places: 3)
    member("descent", day.descent, places: 3)
  }

  private mutating func members(of leg: Leg) {
    members(from: leg.start, to: leg.end)
    member("distance", leg.distance, places: 3)
    member("dopplerDistance", leg.dopplerDistance, places: 3)
    member("duration", leg.duration)
    member("moving", leg.movingTime)
    member("speedMean", leg.meanSpeed, places: 3)
    member("speedMoving", leg.meanMovingSpeed, places: 3)
    member("speedTop", leg.topSpeed, places: 3)
    member("ascent", leg.ascent, places: 3)
    member("descent", leg.descent, places: 3)
  }

  private mutating func members(of stop: Stop) {
    member("from", stop.start.time)
    member("to", stop.end.time)
    member("lat", stop.coordinate.latitude, places: 9)
    member("lon", stop.coordinate.longitude, places: 9)
    member("duration", stop.duration)
    member("ascent", stop.ascent, places: 3)
    member("descent", stop.descent, places: 3)
  }

  private mutating func members(of time: ReceiverReport.DoubtfulTime) {
    member("from", time.from)
    member("duration", time.duration)
    member("doubt", time.doubt.rawValue)
    member("detail", time.detail)
  }

  private mutating func members(of outage: ReceiverReport.Outage) {
    member("from", outage.from)
    member("duration", outage.duration)
    member("lat", outage.position?.latitude, places: 9)
    member("lon", outage.position?.longitude, places: 9)
    member("reason", outage.reason)
    if let used = outage.satellitesUsed { member("satsUsed", integer: used) }
    member("ss", outage.strongestSignal, places: 1)
  }
}

extension ReportJSON {
  private mutating func object(_ name: String? = nil, _ body: (inout ReportJSON) -> Void) {
    if let name { key(name) }
    text.append(character: "{")
    isFirst = true
    body(&self)
    text.append(character: "}")
    isFirst = false
  }

  private mutating func list<Element>(
    _ name: String, _ elements: [Element], _ body: (inout ReportJSON, Element) -> Void
  ) {
    key(name)
    text.append(character: "[")
    for (index, element) in elements.enumerated() {
      if index > 0 { text.append(character: ",") }
      object { body(&$0, element) }
    }
    text.append(character: "]")
  }

  private mutating func key(_ name: String) {
    if !isFirst { text.append(character: ",") }
    isFirst = false
    text.append(json: name)
    text.append(character: ":")
  }

  private mutating func member(_ name: String, _ value: String?) {
    guard let value else { return }
    key(name)
    text.append(json: value)
  }

  private mutating func member(_ name: String, _ value: Bool) {
    key(name)
    text.append(text: value ? "true" : "false")
  }

  private mutating func member(_ name: String, integer: Int) {
    key(name)
    text.append(integer: integer)
  }

  private mutating func member(_ name: String, _ number: Double?, places: Int) {
    guard let number, number.isFinite else { return }
    key(name)
    text.append(rounded: number, places: places)
  }

  private mutating func member(_ name: String, number: Double?) {
    guard let number, number.isFinite else { return }
    key(name)
    text.append(number: number)
  }

  private mutating func member(_ name: String, _ duration: Duration?) {
    member(name, duration?.inSeconds, places: 3)
  }

  private mutating func member(_ name: String, _ time: Timestamp?) {
    member(name, time?.description)
  }

  private mutating func member(_ name: String, _ spread: ReceiverReport.Spread?) {
    guard let spread else { return }
    object(name) {
      $0.member("median", spread.median)
      $0.member("p99", spread.p99)
    }
  }
}

extension Scatter {
  /// The percentiles and other measures of the samples, in metres, by their names in a report.
  var figures: [(name: String, value: Double?)] {
    [
      ("cep50", cep50), ("r95", r95), ("r99", r99), ("drms", drms), ("2drms", drms.map { 2 * $0 }),
      ("vep50", vep50), ("vep95", vep95),
    ]
  }
}

extension Scatter.Ellipse {
  /// The azimuth to a tenth of a degree, below 180.
  var roundedAzimuth: Double {
    let tenths = (azimuth * 10).rounded() / 10
    return tenths < 180 ? tenths : 0
  }
}

extension Scatter.Gaussian {
  /// The measures of a normal distribution, in metres, by their names in a report.
  var figures: [(name: String, value: Double?)] {
    [
      ("cep50", cep50), ("r95", r95), ("r99", r99), ("2drms", drms2), ("vep50", vep50),
      ("vep95", vep95),
    ]
  }
}
