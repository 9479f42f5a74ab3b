import CVirtualTime
import Synchronization

/// The actor of Swift's runtime on which the current job runs.
enum RuntimeActor {
  /// Whether other jobs wait for it; `false` as well if the runtime's layout is unknown.
  static var hasMore: Bool { isKnown.load(ordering: .relaxed) && vt_actor_has_more() }

  private static let isKnown = Atomic(false)

  /// Finds out whether the layout is known.
  static func probe() async { isKnown.store(await Probe().seesWaitingJob(), ordering: .relaxed) }

  private actor Probe {
    func seesWaitingJob() -> Bool {
      if vt_actor_has_more() { return false }
      // It runs when this function has ended.
      Task { end() }
      return vt_actor_has_more()
    }

    private func end() {}
  }
}
