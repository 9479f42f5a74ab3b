import LocationCore

/// Everything that has to hold of the updates of one round.
struct UpdateCheck {
  private var neighbours = NeighbourCheck()
  private var invariants: StateInvariants
  private var rendered: RenderedRecords
  private(set) var fixes = 0

  init(stale: Duration?) throws {
    invariants = StateInvariants(stale: stale)
    rendered = try RenderedRecords()
  }

  var delivered: Int { neighbours.delivered }
  var records: Int { rendered.records }

  mutating func complaint(about update: LocationUpdate, at moment: Moment) -> String? {
    if case .fix = update { fixes += 1 }
    return neighbours.complaint(about: update)
      ?? invariants.complaint(about: update, at: moment) ?? rendered.complaint(about: update)
  }

  /// - Parameter expected: How many valid lines there were.
  mutating func complaintAboutEnd(expected: Int) -> String? {
    guard delivered == expected else { return "\(delivered) of \(expected) neighbours came" }
    return rendered.complaintAboutDocuments()
  }
}
