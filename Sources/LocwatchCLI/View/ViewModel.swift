package import LocationCore
import LocationFormats

/// What the view knows: the states of the receivers, their satellites, their latest positions and the
/// last transitions.
package struct ViewModel: Sendable {
  /// So many transitions are kept.
  private static let maximumChanges = 40

  /// A transition or another change, as it scrolls by in a stream.
  enum Change: Sendable {
    case state(StateChange)
    case receiver(ReceiverChange)
  }

  private var board = StatusBoard()
  private var skies = SkyMemory()
  private var trails = ReceiverTable<FixTrail>()
  private var changes: [Change] = []
  /// The receiver that was chosen; `nil` for the first one with a position.
  private var chosen: String?
  /// The last message to the user.
  private(set) var notice: String?
  /// Whether the recording is over.
  private(set) var isOver = false

  package init() {}

  package mutating func note(_ update: LocationUpdate, at moment: Moment) {
    board.note(update, at: moment)
    switch update {
    case .state(let change):
      skies.update(after: change)
      note(.state(change))
      if change.state.hasFix { notice = nil }
    case .change(let change): note(.receiver(change))
    case .fix(let fix): trails[fix.device, default: FixTrail()].add(fix, at: moment)
    case .report(.sky(let sky)): skies.remember(sky)
    case .retry, .report: break
    }
  }

  private mutating func note(_ change: Change) {
    changes.append(change)
    if changes.count > Self.maximumChanges { changes.removeFirst() }
  }

  package mutating func show(_ message: String) { notice = message }

  package mutating func end() { isOver = true }

  /// Chooses the receiver that is so many places further in the list.
  package mutating func choose(next step: Int, at now: Moment) {
    let lines = board.lines(at: now)
    guard lines.count > 1 else { return }
    chosen = lines[(index(in: lines) + step + lines.count) % lines.count].path
  }

  /// Chooses the receiver with a number in the list, counted from 1.
  package mutating func choose(number: Int, at now: Moment) {
    let lines = board.lines(at: now)
    if lines.indices.contains(number - 1) { chosen = lines[number - 1].path }
  }

  private func index(in lines: [StatusBoard.Line]) -> Int {
    lines.firstIndex { chosen != nil && isSamePath($0.path, chosen) }
      ?? lines.firstIndex(where: \.status.state.hasFix) ?? 0
  }

  /// Returns what to draw.
  package func content(at now: Moment) -> ViewContent {
    let lines = board.lines(at: now)
    var content = ViewContent(receivers: lines, chosen: index(in: lines), changes: changes)
    content.notice = notice
    content.isOver = isOver
    guard lines.indices.contains(content.chosen) else { return content }
    // The entry of the link has no path, and neither satellites nor positions.
    let status = lines[content.chosen].status
    let device: String? = lines[content.chosen].path.flatMap { $0.isEmpty ? nil : $0 }
    content.path = device
    guard status.state != .connecting, status.state != .noService else { return content }
    content.satellites = TrackedSatellite.all(in: skies.satellites(of: device) ?? []).inOrder
    content.deviations = trails[device]?.deviations
    return content
  }
}

/// What a view shows at one moment.
package struct ViewContent: Sendable {
  var receivers: [StatusBoard.Line]
  /// The index of the receiver that is shown.
  var chosen: Int
  /// The path of that receiver; `nil` for the link, and for a receiver without a name.
  var path: String?
  var changes: [ViewModel.Change]
  var satellites: [Satellite] = []
  var deviations: Deviations?
  var notice: String?
  var isOver = false

  init(receivers: [StatusBoard.Line], chosen: Int, changes: [ViewModel.Change]) {
    self.receivers = receivers
    self.chosen = chosen
    self.changes = changes
  }

  var status: LiveStatus? {
    receivers.indices.contains(chosen) ? receivers[chosen].status : nil
  }
}

extension ReceiverTable {
  /// The value of a receiver; a default one if it has none.
  fileprivate subscript(path: String?, default value: @autoclosure () -> Value) -> Value {
    get { self[path] ?? value() }
    set { self[path] = newValue }
  }
}
