import LocationCore

/// What the line that is redrawn has to show: the receiver that said something last.
struct StatusBoard {
  private var state: (value: LocationState, since: Moment)?
  private var fix: (value: LocationFix, at: Moment)?
  private var device: String?
  private var devices: Set<String> = []
  private var sky: (used: Int?, seen: Int?) = (nil, nil)

  mutating func note(_ update: LocationUpdate, at moment: Moment) {
    switch update {
    case .state(let change):
      state = (change.state, moment)
      name(change.device)
      if !change.state.hasFix { fix = nil }
      if change.device == nil { sky = (nil, nil) }
    case .fix(let fix):
      self.fix = (fix, moment)
      name(fix.device)
    case .report(.sky(let sky)):
      self.sky = (sky.used ?? self.sky.used, sky.seen ?? self.sky.seen)
    case .report: break
    }
  }

  func status(at now: Moment) -> LiveStatus? {
    guard let state else { return nil }
    return LiveStatus(
      state: state.value, fix: fix?.value,
      elapsed: (fix?.at ?? state.since).duration(to: now), device: device,
      satellitesUsed: sky.used, satellitesSeen: sky.seen)
  }

  /// One receiver needs no name.
  private mutating func name(_ path: String?) {
    guard let path, !path.isEmpty else { return }
    if devices.count < 64 { devices.insert(path) }
    device = devices.count > 1 ? path : nil
  }
}
