import GPSDLocation
import LocationCore
import LocationFormats
import LocationText
import LocwatchTerminal

/// The latest updates of a source, and its metrics. A fix is only stored, because nobody may ask for it.
struct ServedSource: Sendable {
  private let name: String?
  private var board = StatusBoard()
  private var json: any Renderer
  private var metrics: PrometheusRenderer
  /// The last state of the link, and that of each receiver.
  private var link: StateChange?
  private var states = ReceiverTable<StateChange>()

  init(_ style: OutputStyle, _ statistics: RunStatistics) {
    name = style.records.source
    var records = style.records
    (records.events, records.isOnce, records.isAverage) = (.all, false, false)
    json = LocationFormat.ndjson.makeRenderer(records)
    let statistics = statistics.ofSource(style.member)
    metrics = PrometheusRenderer(source: records.sourceName) {
      PrometheusRenderer.Input(statistics.counts)
    }
  }

  mutating func record(_ update: LocationUpdate, at moment: Moment) {
    if case .state(let change) = update {
      metrics = metrics(at: moment)
      if change.subject == .link { link = change } else { states[change.device] = change }
    }
    switch update {
    case .fix, .retry, .event(.other): break
    case .state, .change, .event:
      var unused = TextBuffer()
      metrics.render(update, into: &unused)
      json.render(update, into: &unused)
    }
    board.record(update, at: moment)
  }

  /// Appends the record of an update.
  mutating func write(_ update: LocationUpdate, into records: inout TextBuffer) {
    json.render(update, into: &records)
  }

  /// Appends the latest record of each receiver, or of the link.
  ///
  /// - Parameter isWithStates: Whether the record of its state comes before that of a fix.
  mutating func writeLatest(
    at now: Moment, withStates isWithStates: Bool, into records: inout TextBuffer
  ) {
    for line in board.lines(at: now) {
      let state = line.path.map { states[$0.isEmpty ? nil : $0] } ?? link
      let fix = line.status.fix
      if let state, isWithStates || fix == nil { json.state(state, into: &records) }
      if let fix { json.fix(fix, into: &records) }
    }
  }

  func metrics(at now: Moment) -> PrometheusRenderer {
    var metrics = metrics
    var unused = TextBuffer()
    for fix in board.lines(at: now).compactMap(\.status.fix) { metrics.fix(fix, into: &unused) }
    return metrics
  }

  func receivers(at now: Moment) -> [LiveHead.Receiver] {
    let lines = board.lines(at: now)
    return lines.map { line in
      let path = line.path.flatMap { $0.isEmpty ? nil : $0 }
      // A source with one receiver needs no other name.
      let device = name == nil || lines.count > 1 ? path : line.status.device
      let names = [name, device].compactMap(\.self)
      let satellites = line.path.flatMap(board.satellites(of:)) ?? []
      return LiveHead.Receiver(
        name: names.isEmpty ? nil : names.joined(separator: " "), status: line.status,
        satellites: TrackedSatellite.all(in: satellites).map(\.satellite))
    }
  }
}
