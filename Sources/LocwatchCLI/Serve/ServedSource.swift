import GPSDLocation
import LocationCore
import LocationFormats
import LocationText
import LocwatchTerminal

/// What is known of a source, and its metrics.
///
/// The latest fix and the latest satellites are only stored, because most of them are replaced before anybody asks.
struct ServedSource: Sendable {
  private let name: String?
  private var board = StatusBoard()
  private var json: JSONRenderer
  private(set) var metrics: PrometheusRenderer
  private var known = KnownState()
  /// What the others do not have yet, and the receiver that has sent it.
  private var sky: (SkyView, Moment)?
  private var fix: (LocationFix, Moment)?
  private var device: String?

  init(_ style: OutputStyle, _ statistics: RunStatistics) {
    let records = style.records
    name = records.source
    json = JSONRenderer(source: name, showsSatellites: records.showsSatellites)
    metrics = PrometheusRenderer(source: records.sourceName) {
      .init(statistics.counts(of: style.member))
    }
  }

  mutating func record(_ update: LocationUpdate, at moment: Moment) {
    switch update {
    case .fix(let new) where new.isCurrent:
      makeRoom(for: new.device)
      fix = (new, moment)
    case .event(.sky(let new)) where new.satellites != nil:
      makeRoom(for: new.device)
      sky = (new, moment)
    case .event(.other): break
    case .fix, .state, .change, .retry, .event:
      catchUp()
      apply(update, at: moment)
    }
  }

  /// Applies what is stored of another receiver.
  private mutating func makeRoom(for device: String?) {
    guard !isSamePath(device, self.device) else { return }
    catchUp()
    self.device = device
  }

  /// Applies what is stored. What reads a source calls this first.
  mutating func catchUp() {
    if let (sky, moment) = sky.take() { apply(.event(.sky(sky)), at: moment) }
    if let (fix, moment) = fix.take() { apply(.fix(fix), at: moment) }
  }

  private mutating func apply(_ update: LocationUpdate, at moment: Moment) {
    var unused = TextBuffer()
    metrics.render(update, into: &unused)
    // A record of a fix depends on no other fix.
    if case .fix = update {} else { json.render(update, into: &unused) }
    board.record(update, at: moment)
    known.record(update, at: moment)
  }

  /// Returns the updates by which a report has the state of a moment.
  mutating func updates(at moment: Moment) -> [LocationUpdate] {
    catchUp()
    return known.updates(at: moment)
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
      let subject = line.path.map { StateChange.Subject.receiver($0.isEmpty ? nil : $0) } ?? .link
      let state = known.changes.last { $0.subject == subject }
      let fix = line.status.fix
      if let state, isWithStates || fix == nil { json.state(state, into: &records) }
      if let fix { json.fix(fix, into: &records) }
    }
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
