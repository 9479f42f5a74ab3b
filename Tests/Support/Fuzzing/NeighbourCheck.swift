import LocationCore

/// Whether each valid line gave its fix, once and in order.
struct NeighbourCheck {
  private(set) var delivered = 0

  mutating func complaint(about update: LocationUpdate) -> String? {
    guard let fix = fix(in: update), fix.device == FuzzStream.neighbour, let time = fix.time,
      let index = index(of: time)
    else { return nil }
    defer { delivered = max(delivered, index + 1) }
    if index < delivered { return "neighbour \(index) comes again" }
    if index > delivered { return "neighbours \(delivered)..<\(index) are missing" }
    guard fix.coordinate.latitude == Neighbour.latitude(of: index), fix[.altMSL] == 545.4
    else { return "neighbour \(index) is not as it was sent" }
    return nil
  }

  /// Where 64 others have all the places, its fixes are passed on as they are.
  private func fix(in update: LocationUpdate) -> LocationFix? {
    switch update {
    case .fix(let fix), .event(.fix(let fix)): fix
    case .state, .change, .retry, .event: nil
    }
  }

  /// `nil` where the time is not one of ours: a report without a device may count for the neighbour.
  private func index(of time: Timestamp) -> Int? {
    let first = Neighbour.time(of: 0)
    guard first <= time else { return nil }
    let index = first.duration(to: time) / .seconds(1)
    return index < 1_000_000 && index == index.rounded() ? Int(index) : nil
  }
}
