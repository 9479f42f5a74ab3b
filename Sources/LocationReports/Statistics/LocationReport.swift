package import LocationCore

/// Statistics of a provider's updates: where each receiver was, how widely its positions scatter, and when it had no
/// position.
///
/// A fix takes about 32 bytes. If a receiver has more than 262,144 fixes, evenly spaced ones are kept. The 1,000
/// longest outages are kept, and the 64 receivers that reported last.
package struct LocationReport: Sendable {
  /// A surveyed position. Deviations are measured from it instead of from the mean.
  package struct Reference: Hashable, Sendable {
    /// The latitude and longitude.
    package var coordinate: Coordinate
    /// The height above the ellipsoid, in metres; `nil` if it is unknown. In that case, deviations of heights are
    /// measured from their mean.
    package var altHAE: Double?

    /// Creates a reference, with its height above the ellipsoid in metres; `nil` if it is unknown.
    package init(_ coordinate: Coordinate, altHAE: Double? = nil) {
      self.coordinate = coordinate
      self.altHAE = altHAE
    }
  }

  /// The position from which deviations are measured; `nil` if it is each receiver's mean.
  package let reference: Reference?

  private var observations = ReceiverTable<ReceiverObservation>()
  private var link = LocationState.connecting
  private var start: Moment?
  private var latest = Moment.past
  private var drivers = ReceiverTable<String>()
  private var eras = ReceiverTable<EraLog>()
  private var reconnects = 0
  /// Since when nothing is recorded; `nil` if the recording continues.
  private var unrecordedSince: Moment?
  /// How long corrections were received; `nil` if none were reported.
  private var corrections: (state: Corrections.State, time: Duration)?

  private let countsFigures: Bool
  private let stops: StopCriteria
  /// Which fixes count, and how far apart they must be.
  package let criteria: FixCriteria
  private var filter: FixFilter

  /// Creates an empty report.
  ///
  /// - Parameters:
  ///   - reference: The surveyed position from which deviations are measured; `nil` for each receiver's mean.
  ///   - countsFigures: Whether to collect the data of the charts of ``page(source:)``, which takes up to 1 MB more
  ///     for each receiver.
  ///   - stops: The criteria by which a moving receiver's stops are found.
  package init(
    reference: Reference? = nil, countsFigures: Bool = false, stops: StopCriteria = StopCriteria()
  ) {
    self.init(
      reference: reference, countsFigures: countsFigures, stops: stops, criteria: FixCriteria())
  }

  /// Creates an empty report of the fixes that meet the criteria. States and outages are those of the
  /// receivers, whichever fixes count.
  package init(
    reference: Reference?, countsFigures: Bool, stops: StopCriteria = StopCriteria(),
    criteria: FixCriteria
  ) {
    self.reference = reference
    self.stops = stops
    self.countsFigures = countsFigures
    self.criteria = criteria
    filter = FixFilter(criteria)
  }

  /// Adds an update.
  ///
  /// - Parameter moment: When the update arrived. A fix that was held back for the rest of its epoch is a
  ///   little earlier than the updates that arrived in the meantime.
  package mutating func add(_ update: LocationUpdate, at moment: Moment) {
    observe(until: moment)
    if let since = unrecordedSince, since < moment { continueRecording(at: moment) }
    switch update {
    case .state(let change): record(change)
    case .fix(let fix): add(fix, at: moment)
    case .event(.sky(let sky)):
      record(sky.time, of: sky.device)
      if let index = observations.find(sky.device) {
        observations.values[index].record(sky, at: moment)
      }
    case .event(.other(let report)):
      guard report.kind == .pps || report.clockOffset != nil else { break }
      observations.values[index(of: report.device)].record(report, at: moment)
    case .change(let change):
      switch change.kind {
      case .corrections(let new, _): corrections = (new.state, corrections?.time ?? .zero)
      case .doubt(let doubts, _, let detail):
        observations.values[index(of: change.device)].record(
          doubts, detail: detail, at: change.time)
      default: break
      }
    case .event(.receiver(let receiver)): record(receiver)
    case .event(.receivers(let receivers)): for receiver in receivers { record(receiver) }
    default: break
    }
  }

  private mutating func add(_ fix: LocationFix, at moment: Moment) {
    record(fix.time, rollover: fix.rollover, of: fix.device)
    guard fix.isCurrent else { return }
    let index = self.index(of: fix.device)
    observations.values[index].record(fix, at: moment)
    guard filter.judge(fix, at: moment) == .wanted else {
      return observations.values[index].leaveOut()
    }
    filter.recordTaken(fix, at: moment)
    observations.values[index].add(fix, at: moment)
  }

  /// Adds the time that passed since the last update.
  ///
  /// - Parameter moment: When the observation ends, by the provider's clock.
  package mutating func end(at moment: Moment) { observe(until: moment) }

  /// The observations of each receiver, in the order in which the receivers appeared.
  package var receivers: [ReceiverReport] {
    observations.indices.map { index in
      let path = observations.path(at: index)
      return observations.values[index].report(
        device: path, driver: drivers[path], eras: eras[path]?.eras ?? [], reference: reference,
        reconnects: reconnects, corrections: corrections?.time)
    }
  }

  private mutating func observe(until moment: Moment) {
    if start == nil { start = moment }
    if corrections?.state == .connected, latest < moment {
      corrections?.time += latest.duration(to: moment)
    }
    latest = max(latest, moment)
    for index in observations.indices { observations.values[index].observe(until: moment) }
  }

  /// Records that nothing is recorded until the next update. Corrections have to be reported again then.
  private mutating func stopRecording(at moment: Moment) {
    unrecordedSince = moment
    corrections?.state = .lost
    link = .connecting
    for index in observations.indices { observations.values[index].pause(at: moment) }
    if observations.isEmpty { start = nil }
  }

  private mutating func continueRecording(at moment: Moment) {
    unrecordedSince = nil
    for index in observations.indices { observations.values[index].resume(at: moment) }
  }

  private mutating func record(_ change: StateChange) {
    switch change.subject {
    case .link where change.error?.code == .notRecorded: stopRecording(at: change.moment)
    case .receiver(let path):
      record(change.time, of: path)
      // If a receiver reports at once, the link has no state between being gone and this.
      if link == .noService { enter(link: .connecting) }
      observations.values[index(of: path)].enter(change.state, change)
    case .link:
      enter(link: change.state)
      for index in observations.indices { observations.values[index].enter(change.state, change) }
    }
  }

  private mutating func enter(link new: LocationState) {
    if link == .noService, new != .noService { reconnects += 1 }
    link = new
  }

  /// Records a date of a receiver.
  private mutating func record(_ time: Timestamp?, rollover: Int? = nil, of path: String?) {
    guard let index = eras.find(path) ?? eras.insert(EraLog(), for: path) else { return }
    eras.values[index].add(time, rollover: rollover)
  }

  private mutating func record(_ receiver: Receiver) {
    if let driver = receiver.driver { drivers[receiver.path] = driver }
  }

  /// Returns the index of a receiver's observation, and adds it if the receiver is new.
  ///
  /// The first receiver is observed from the beginning, because its state was the state of the link until it
  /// reported. Any other receiver is observed from its first update.
  private mutating func index(of path: String?) -> Int {
    if let index = observations.find(path) { return index }
    let isFirst = observations.isEmpty
    let begin = isFirst ? start ?? latest : latest
    var observation = ReceiverObservation(
      in: link, at: begin, countsFigures: countsFigures, stops: stops)
    observation.observe(until: latest)
    // The table replaces the receiver that was used least recently.
    return observations.insert(observation, for: path) ?? 0
  }
}
