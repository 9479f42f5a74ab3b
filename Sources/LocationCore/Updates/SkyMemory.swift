/// What is known of the sky of each receiver: its satellites, and how many are seen and used.
///
/// It lasts until ``StateChange/endsSky(of:)``.
package struct SkyMemory: Sendable {
  private struct Sky {
    var summary = SkySummary()
    /// The last view with a list of satellites; `nil` if there was none.
    var list: SkyView?
  }

  private var skies = ReceiverTable<Sky>()

  package init() {}

  /// Records a sky view. A view without a list leaves the last list as it is.
  package mutating func record(_ view: SkyView) {
    let index =
      skies.find(view.device) ?? skies.insert(Sky(), for: view.device)
    guard let index else { return }
    skies.values[index].summary.add(view)
    if view.satellites != nil { skies.values[index].list = view }
  }

  /// Forgets the skies that a change ends.
  package mutating func record(_ change: StateChange) {
    skies.removeAll(where: change.endsSky(of:))
  }

  /// Returns the last list of a receiver's satellites; `nil` if none is known.
  package func satellites(of device: String?) -> [Satellite]? { skies[device]?.list?.satellites }

  /// Returns what is known of a receiver's satellites in all.
  package func summary(of device: String?) -> SkySummary {
    skies[device]?.summary ?? SkySummary()
  }
}

extension StateChange {
  /// Returns whether nothing is known any longer of a receiver's sky: after a change of the link, after the
  /// receiver was removed, and once it is silent.
  ///
  /// Nothing else decides that.
  package func endsSky(of device: String?) -> Bool {
    switch subject {
    case .link: true
    case .receiver(let path):
      isSamePath(path, device) && (state == .noDevice || loss == .silence)
    }
  }
}
