package import LocationCore
package import LocationText

/// Renders metrics for Prometheus. The document contains only current values, and is the ``trailer``. The
/// series of a position exist only while the position is current.
package struct PrometheusRenderer: Renderer {
  /// Counts of what a service has sent since the run began.
  package struct Input: Sendable {
    var connects: Int
    var lines: Int
    /// The number of lines that are damaged, truncated or too long. ``lines`` includes them.
    var badLines: Int

    package init(connects: Int = 0, lines: Int = 0, badLines: Int = 0) {
      self.connects = connects
      self.lines = lines
      self.badLines = badLines
    }
  }

  private struct Entry {
    var state: LocationState?
    /// The current fix; `nil` if there is none.
    var fix: LocationFix?
    /// The time of the last fix.
    var lastTime: Timestamp?

    mutating func enter(_ state: LocationState) {
      self.state = state
      if !state.hasFix { fix = nil }
    }
  }

  private var source: String
  fileprivate let input: @Sendable () -> Input
  private var link: LocationState?
  /// Whether corrections are received; `nil` if none were reported.
  private var corrections: Corrections.State?
  private var receivers = ReceiverTable<Entry>()
  private var skies = SkyMemory()
  fileprivate var transitions = 0

  /// - Parameter input: Returns what the service has sent so far.
  package init(source: String, input: @escaping @Sendable () -> Input = { Input() }) {
    self.source = source
    self.input = input
  }

  package var trailer: String { document(isOver: false) }

  package mutating func end(into output: inout TextBuffer) {
    output.append(text: document(isOver: true))
  }

  package mutating func sky(_ sky: SkyView, into output: inout TextBuffer) { skies.record(sky) }

  package mutating func begin(source: String) { self.source = source }

  package mutating func fix(_ fix: LocationFix, into output: inout TextBuffer) {
    guard fix.isCurrent else { return }
    change(fix.device) { entry in
      entry.fix = fix
      if let time = fix.time { entry.lastTime = time }
    }
  }

  package mutating func state(_ change: StateChange, into output: inout TextBuffer) {
    skies.record(change)
    transitions += 1
    if change.error?.code == .notRecorded { corrections = nil }
    if change.subject == .link {
      link = change.state
      for index in receivers.indices { receivers.values[index].enter(change.state) }
    } else {
      link = nil
      self.change(change.device) { $0.enter(change.state) }
    }
  }

  package mutating func change(_ change: ReceiverChange, into output: inout TextBuffer) {
    if case .corrections(let new, _) = change.kind { corrections = new.state }
  }

  private mutating func change(_ device: String?, _ body: (inout Entry) -> Void) {
    var entry = receivers[device] ?? Entry()
    body(&entry)
    receivers[device] = entry
  }
}

extension PrometheusRenderer {
  private func document(isOver: Bool) -> String { Self.document(of: [self], isOver: isOver) }

  /// Returns the metrics of several sources as one document.
  ///
  /// - Parameter isOver: Whether the run is over. If so, nothing is current.
  package static func document(of sources: [PrometheusRenderer], isOver: Bool) -> String {
    var page = MetricsPage()
    /// Appends the samples of each source.
    func samples(_ append: (PrometheusRenderer, inout MetricsPage) -> Void) {
      for source in sources {
        page.source = source.source
        append(source, &page)
      }
    }
    page.gauge("locwatch_up", "Whether gpsd answers.")
    samples { source, page in page.sample(source.isUp && !isOver ? 1 : 0) }
    if !isOver {
      page.gauge(
        "locwatch_receiver_state", "1 for the state of a receiver, or of the link to gpsd.")
      samples { source, page in source.appendStates(to: &page) }
    }
    if !isOver, sources.contains(where: { $0.corrections != nil }) {
      page.gauge("locwatch_corrections_connected", "Whether the receiver gets corrections.")
      samples { source, page in
        if let state = source.corrections { page.sample(state == .connected ? 1 : 0) }
      }
    }
    for counter in Counter.all {
      page.counter(counter.name, counter.help)
      samples { source, page in page.sample(Double(counter.value(source))) }
    }
    page.gauge("locwatch_fix_timestamp_seconds", "Time of the last fix, since 1970.")
    samples { source, page in source.appendTimes(to: &page) }
    guard !isOver else { return page.text }
    for metric in PositionMetric.all {
      page.gauge(metric.name, metric.help)
      samples { source, page in source.append(metric, to: &page) }
    }
    page.gauge("locwatch_satellites_used", "Satellites used to compute the position.")
    samples { source, page in source.appendSatellites(to: &page, where: \.isUsed) }
    page.gauge("locwatch_satellites_seen", "Satellites in view.")
    samples { source, page in source.appendSatellites(to: &page) { _ in true } }
    return page.text
  }

  private var isUp: Bool { link.map { $0 != .connecting && $0 != .noService } ?? true }

  private func appendStates(to page: inout MetricsPage) {
    for state in LocationState.allCases {
      for index in receivers.indices {
        page.sample(
          receivers.values[index].state == state ? 1 : 0, device: receivers.path(at: index),
          ("state", state.rawValue))
      }
      if receivers.isEmpty { page.sample(link == state ? 1 : 0, ("state", state.rawValue)) }
    }
  }

  private func appendTimes(to page: inout MetricsPage) {
    for index in receivers.indices {
      guard let time = receivers.values[index].lastTime else { continue }
      // A Double cannot represent such a number of nanoseconds exactly.
      let (seconds, rest) = time.nanosecondsSince1970.quotientAndRemainder(
        dividingBy: 1_000_000_000)
      page.sample(Double(seconds) + Double(rest) / 1e9, device: receivers.path(at: index))
    }
  }

  private func append(_ metric: PositionMetric, to page: inout MetricsPage) {
    for index in receivers.indices {
      guard let fix = receivers.values[index].fix else { continue }
      for (label, value) in metric.values(fix) {
        guard let value else { continue }
        page.sample(value, device: receivers.path(at: index), label)
      }
    }
  }

  private func appendSatellites(
    to page: inout MetricsPage, where isCounted: (Satellite) -> Bool
  ) {
    for index in receivers.indices {
      let device = receivers.path(at: index)
      let satellites = TrackedSatellite.all(in: skies.satellites(of: device) ?? [])
        .map(\.satellite)
      for system in Constellation.allCases {
        let ofSystem = satellites.filter { Constellation(of: $0) == system }
        guard !ofSystem.isEmpty else { continue }
        page.sample(
          Double(ofSystem.count(where: isCounted)), device: device, ("gnss", system.name))
      }
    }
  }
}

/// A metric that counts events since the run began.
private struct Counter {
  let name: String
  let help: String
  let value: @Sendable (PrometheusRenderer) -> Int

  static let all = [
    Counter(name: "locwatch_transitions_total", help: "Changes of state.") { $0.transitions },
    Counter(name: "locwatch_connects_total", help: "Attempts to connect to gpsd.") {
      $0.input().connects
    },
    Counter(name: "locwatch_lines_total", help: "Lines that gpsd sent.") {
      $0.input().lines
    },
    Counter(
      name: "locwatch_bad_lines_total", help: "Lines that are damaged, cut or too long."
    ) { $0.input().badLines },
  ]
}

/// A metric that exists only while a position is current.
private struct PositionMetric {
  typealias Label = (name: String, value: String)

  let name: String
  let help: String
  let values: @Sendable (LocationFix) -> [(Label?, Double?)]

  static let all = [
    PositionMetric(name: "locwatch_latitude_degrees", help: "Latitude, north is positive.") {
      [(nil, $0.coordinate.latitude)]
    },
    PositionMetric(name: "locwatch_longitude_degrees", help: "Longitude, east is positive.") {
      [(nil, $0.coordinate.longitude)]
    },
    PositionMetric(
      name: "locwatch_altitude_meters", help: "Height above mean sea level, and the ellipsoid."
    ) { [(("kind", "msl"), $0.altitude), (("kind", "hae"), $0.ellipsoidalAltitude)] },
    PositionMetric(name: "locwatch_speed_meters_per_second", help: "Speed over ground.") {
      [(nil, $0.speed)]
    },
    PositionMetric(name: "locwatch_track_degrees", help: "Course over ground, from true north.") {
      [(nil, $0.shown(.track))]
    },
    PositionMetric(name: "locwatch_accuracy_meters", help: "Estimated error of the position.") {
      [
        (("axis", "horizontal"), $0.horizontalError), (("axis", "east"), $0[.epx]),
        (("axis", "north"), $0[.epy]), (("axis", "vertical"), $0.verticalError),
      ]
    },
    PositionMetric(name: "locwatch_dop", help: "Dilution of precision.") {
      [
        (("kind", "horizontal"), $0[.hdop]), (("kind", "vertical"), $0[.vdop]),
        (("kind", "position"), $0[.pdop]),
      ]
    },
    PositionMetric(name: "locwatch_fix_quality", help: "1 for how the position was computed.") {
      [(("quality", $0.quality?.name ?? FixQuality.gps.name), 1)]
    },
    PositionMetric(
      name: "locwatch_believed", help: "Whether there is no reason to doubt the position."
    ) { [(nil, $0.doubtSet.isEmpty ? 1 : 0)] },
  ]
}

extension LocationFormat {
  /// Metrics for Prometheus, without the counts of what gpsd has sent.
  package static let prometheus = LocationFormat("prometheus", .receivers, endings: ["prom"]) {
    PrometheusRenderer(source: $0.sourceName)
  }
}
