/// What a search for one fix has seen, for the words where it found none.
struct FixSearch: Sendable {
  private var service: String?
  private var latest: StateChange?
  private var sky: SkyView?

  mutating func note(_ update: LocationUpdate) {
    switch update {
    case .state(let change): latest = change
    case .report(.service(let service)): self.service = service.name
    case .report(.sky(let sky)) where sky.seen != nil: self.sky = sky
    case .retry(let retry): latest?.reason = retry.error.description
    case .report, .fix: break
    }
  }

  func timedOut(after timeout: Duration) -> LocationError {
    let clauses = [service.map { "\($0) answers" }, stateClause, skyClause].compactMap { $0 }
    let words = clauses.isEmpty ? "" : ": " + clauses.joined(separator: ", ")
    return LocationError(.timedOut, "no fix within \(timeout)\(words)")
  }

  private var stateClause: String? {
    guard let latest else { return nil }
    let receiver =
      latest.device.flatMap { $0.isEmpty ? nil : $0 } ?? "the receiver"
    return switch latest.state {
    case .connecting: service == nil ? "no answer yet" : nil
    case .noDaemon: latest.reason ?? "nothing answers"
    case .noDevice: latest.device == nil ? "there is no receiver" : "\(receiver) is gone"
    case .searching, .lost: "\(receiver) has no position"
    case .fix2D, .fix3D: "\(receiver) has no fix that is good enough"
    }
  }

  private var skyClause: String? {
    guard let sky, let seen = sky.seen else { return nil }
    return "\(seen) satellites seen" + (sky.used.map { ", \($0) used" } ?? "")
  }
}
