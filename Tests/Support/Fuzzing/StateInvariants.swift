import LocationCore

/// What holds of any sequence of updates, whatever was sent.
struct StateInvariants {
  private let stale: Duration?
  /// By the bytes of their paths.
  private var receivers: [[UInt8]?: Known] = [:]

  private struct Known {
    var state: LocationState
    var loss: LossReason?
    var lastFix: Moment
  }

  /// - Parameter stale: The silence after which a fix is no longer current; `nil` where the receiver
  ///   decides it.
  init(stale: Duration?) { self.stale = stale }

  /// What is wrong with an update, in words.
  mutating func complaint(about update: LocationUpdate, at moment: Moment) -> String? {
    if let stale {
      for (path, known) in receivers where known.state.hasFix {
        if known.lastFix.duration(to: moment) > stale {
          return
            "'\(path.map { String(decoding: $0, as: UTF8.self) } ?? "")' is still \(known.state)"
        }
      }
    }
    switch update {
    case .fix(let fix): return complaint(about: fix, at: moment)
    case .state(let change): return complaint(about: change)
    case .change, .retry, .event: return nil
    }
  }

  private mutating func complaint(about fix: LocationFix, at moment: Moment) -> String? {
    let (latitude, longitude) = (fix.coordinate.latitude, fix.coordinate.longitude)
    guard abs(latitude) <= 90, abs(longitude) <= 180 else { return "\(latitude), \(longitude)" }
    for row in LocationFix.Quantity.rows {
      guard let number = fix[row.quantity], !row.range.contains(number) else { continue }
      return "\(row.wireName) is \(number)"
    }
    guard fix.isCurrent else { return nil }
    let expected: LocationState = fix.mode == .fix3D ? .fix3D : .fix2D
    let path = fix.device.map { Array($0.utf8) }
    guard let known = receivers[path], known.state == expected else {
      return "a current fix in state \(receivers[path]?.state.rawValue ?? "unknown")"
    }
    receivers[path]?.lastFix = moment
    return nil
  }

  private mutating func complaint(about change: StateChange) -> String? {
    guard case .receiver(let path) = change.subject else {
      if change.state == .noService { receivers.removeAll() }
      return nil
    }
    let bytes = path.map { Array($0.utf8) }
    let before = receivers[bytes]
    receivers[bytes] = Known(state: change.state, loss: change.loss, lastFix: change.moment)
    // Without a previous state, the receiver had made room for others.
    guard let before, change.previous != nil else { return nil }
    if before.state == change.state, before.loss == change.loss {
      return "'\(path ?? "")' is \(change.state) twice"
    }
    if before.state != change.previous {
      return "'\(path ?? "")' was not \(change.previous ?? .lost)"
    }
    return nil
  }
}
