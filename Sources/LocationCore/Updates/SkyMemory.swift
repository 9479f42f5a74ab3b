/// The satellites of each receiver, and how many are seen and used.
///
/// They are kept until ``StateChange/endsSky(of:)`` returns `true`.
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

  /// Returns the summary of a receiver's satellites; empty if none is known.
  package func summary(of device: String?) -> SkySummary {
    skies[device]?.summary ?? SkySummary()
  }
}

extension StateChange {
  /// Returns whether this change ends what is known of a receiver's satellites: any change of the link does, and
  /// so does the removal or silence of the receiver.
  ///
  /// This is the only place that decides it.
  package func endsSky(of device: String?) -> Bool {
    switch subject {
    case .link: true
    case .receiver(let path):
      isSamePath(path, device) && (state == .noDevice || loss == .silence)
    }
  }
}
