import GPSDLocation
package import LocationCore
import LocationFormats
import LocationReports

/// The data of the view: the states of each source's receivers, their satellites, their latest positions and
/// the last transitions.
package struct ViewModel: Sendable {
  /// The number of transitions that are kept.
  private static let maximumChanges = 40

  /// A transition or another change, as it would scroll by in a stream.
  enum Change: Sendable {
    case state(StateChange)
    case receiver(ReceiverChange)
  }

  private struct Source {
    /// The name of the source; `nil` if it is the only one.
    var name: String?
    /// The source that was selected as the best; `nil` if there is none.
    var selected: String?
    var board = StatusBoard()
    var trails = ReceiverTable<FixTrail>()
    var times = ReceiverTable<TimeLog>()
  }

  private var sources: [Source] = []
  private var changes: [(change: Change, source: Int)] = []
  /// The receiver that the user chose; `nil` for the first receiver with a position.
  private var chosen: (source: Int, path: String?)?
  /// The last message to the user.
  private(set) var notice: String?
  /// Whether the recording is over.
  private(set) var isOver = false

  package init() {}

  /// Adds a source with the next number, or with the number of a source that has ended.
  ///
  /// - Parameter name: The name of one of several sources; `nil` for the only one.
  package mutating func add(_ name: String?, as source: Int) {
    // These changes belong to the source that had this number before.
    changes.removeAll { $0.source == source }
    if source < sources.count {
      sources[source] = Source(name: name)
      if chosen?.source == source { chosen = nil }
    }
    makeRoom(for: source)
    sources[source].name = name
  }

  private mutating func makeRoom(for source: Int) {
    while sources.count <= source { sources.append(Source()) }
  }

  package mutating func record(_ update: LocationUpdate, of source: Int = 0, at moment: Moment) {
    makeRoom(for: source)
    sources[source].board.record(update, at: moment)
    switch update {
    case .state(let change):
      record(.state(change), of: source)
      if change.state.hasFix { notice = nil }
    case .change(let change):
      if case .selected(let name, _) = change.kind { sources[source].selected = name }
      record(.receiver(change), of: source)
    case .fix(let fix):
      sources[source].trails.edit(fix.device, default: FixTrail()) { $0.add(fix, at: moment) }
    case .event(.other(let report)):
      sources[source].times.edit(report.device, default: TimeLog()) { $0.add(report, at: moment) }
    case .retry, .event: break
    }
  }

  private mutating func record(_ change: Change, of source: Int) {
    changes.append((change, source))
    if changes.count > Self.maximumChanges { changes.removeFirst() }
  }

  package mutating func show(_ message: String) { notice = message }

  package mutating func end() { isOver = true }

  /// Removes everything except the choice of a receiver, because a recording is read again.
  mutating func restart() {
    let chosen = chosen
    self = ViewModel()
    self.chosen = chosen
  }

  /// A place in the list of receivers.
  package enum Place: Equatable, Sendable {
    /// A number of places after the receiver that is shown.
    case next(Int)
    /// A place in the list, counted from 1.
    case number(Int)
  }

  package mutating func choose(_ place: Place, at now: Moment) {
    switch place {
    case .next(let step): choose(next: step, at: now)
    case .number(let number): choose(number: number, at: now)
    }
  }

  /// Makes the same choice as another model of the same sources.
  mutating func takeChoice(of other: ViewModel) { chosen = other.chosen }

  /// Chooses the receiver a number of places further in the list.
  package mutating func choose(next step: Int, at now: Moment) {
    let receivers = receivers(at: now)
    guard receivers.count > 1 else { return }
    let next = receivers[(index(in: receivers) + step + receivers.count) % receivers.count]
    chosen = (next.source, next.path)
  }

  /// Chooses the receiver at a place in the list, counted from 1.
  package mutating func choose(number: Int, at now: Moment) {
    let receivers = receivers(at: now)
    guard receivers.indices.contains(number - 1) else { return }
    chosen = (receivers[number - 1].source, receivers[number - 1].path)
  }

  /// Returns the index of the receiver that is shown: the chosen one, or else its link.
  private func index(in receivers: [ViewContent.Receiver]) -> Int {
    if let chosen {
      let own = receivers.indices.filter { receivers[$0].source == chosen.source }
      let place = own.first { isSamePath(receivers[$0].path, chosen.path) } ?? own.first
      if let place { return place }
    }
    return receivers.firstIndex(where: \.status.state.hasFix) ?? 0
  }

  private func receivers(at now: Moment) -> [ViewContent.Receiver] {
    sources.indices.flatMap { index in
      let lines = lines(of: index, at: now)
      return lines.map { line in
        ViewContent.Receiver(
          source: index, name: sources[index].name ?? sources[index].selected, path: line.path,
          isAlone: lines.count < 2, status: line.status)
      }
    }
  }

  /// Returns the lines of a source. A chosen receiver keeps its line after it is gone, if other receivers are
  /// present.
  private func lines(of source: Int, at now: Moment) -> [StatusBoard.Line] {
    var lines = sources[source].board.lines(at: now)
    if let chosen, chosen.source == source, let path = chosen.path,
      lines.contains(where: { $0.path != nil }),
      !lines.contains(where: { isSamePath($0.path, path) })
    {
      lines.append(StatusBoard.Line(path: path, status: LiveStatus(state: .noDevice)))
    }
    return lines
  }

  /// Returns the contents of the view.
  package func content(at now: Moment) -> ViewContent {
    let receivers = receivers(at: now)
    let changes = changes.map { change in
      ViewContent.Change(
        change: change.change, source: sources[change.source].name,
        hasOneReceiver: receivers.count { $0.source == change.source } < 2)
    }
    var content = ViewContent(receivers: receivers, chosen: index(in: receivers), changes: changes)
    content.notice = notice
    content.isOver = isOver
    guard receivers.indices.contains(content.chosen) else { return content }
    // The entry of the link has no path, no satellites and no positions.
    let shown = receivers[content.chosen]
    let device: String? = shown.path.flatMap { $0.isEmpty ? nil : $0 }
    content.path = device
    guard shown.status.state != .connecting, shown.status.state != .noService else {
      return content
    }
    let source = sources[shown.source]
    let satellites = shown.path.flatMap(source.board.satellites(of:)) ?? []
    content.satellites = TrackedSatellite.all(in: satellites).inOrder
    content.deviations = source.trails[device]?.deviations
    content.lateness = source.times[device]?.lateness.flatMap(TimingText.lateness)
    return content
  }
}

/// The contents of a view at one moment.
package struct ViewContent: Sendable {
  /// A receiver of a source, or the link of a source that has none.
  struct Receiver: Sendable {
    var source: Int
    /// The name of one of several sources, or of the best of them; `nil` for the only source.
    var name: String?
    /// The path of the receiver; `nil` for the link.
    var path: String?
    /// Whether the source has no other receiver.
    var isAlone: Bool
    var status: LiveStatus

    /// A short text that distinguishes the receiver from the others.
    var label: String {
      let device = path?.shortName
      guard let name else { return device ?? "-" }
      return isAlone ? name : "\(name) \(device ?? "-")"
    }
  }

  /// A transition or another change, with its source.
  struct Change: Sendable {
    var change: ViewModel.Change
    /// The name of one of several sources; `nil` for the only source.
    var source: String?
    var hasOneReceiver: Bool
  }

  var receivers: [Receiver]
  /// The index of the receiver that is shown.
  var chosen: Int
  /// The path of that receiver; `nil` for the link, and for a receiver without a name.
  package var path: String?
  var changes: [Change]
  var satellites: [Satellite] = []
  var deviations: Deviations?
  /// How late times come over the serial line; `nil` if this is unknown.
  var lateness: String?
  var notice: String?
  var isOver = false
  /// Whether the picture is frozen while locwatch runs.
  var isFrozen = false
  /// The state of the replay that is shown; `nil` for live use.
  var playback: Playback.Status?
  /// Whether the list of keys is shown.
  package var showsKeys = false

  init(receivers: [Receiver], chosen: Int, changes: [Change]) {
    self.receivers = receivers
    self.chosen = chosen
    self.changes = changes
  }

  private var shown: Receiver? {
    receivers.indices.contains(chosen) ? receivers[chosen] : nil
  }

  var status: LiveStatus? { shown?.status }

  /// The source and the path of the receiver that is shown, as far as they are known.
  var title: String { [shown?.name, path].compactMap(\.self).joined(separator: " ") }

  /// The ``title`` with only the last part of the path.
  var shortTitle: String {
    [shown?.name, path?.shortName].compactMap(\.self).joined(separator: " ")
  }
}

extension String {
  /// The last part of the path of a device.
  var shortName: String? { split(separator: "/").last.map(String.init) }
}

extension ReceiverTable {
  /// Changes the value of a receiver in its place, or a default value if it has none.
  fileprivate mutating func edit(
    _ path: String?, default value: @autoclosure () -> Value, _ change: (inout Value) -> Void
  ) {
    guard let index = find(path) ?? insert(value(), for: path) else { return }
    change(&values[index])
  }
}
