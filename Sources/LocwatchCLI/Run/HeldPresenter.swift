import LocationCore

/// Holds the output of a replay back until a report says something of a receiver: what turns out to
/// be no recording leaves nothing behind.
struct HeldPresenter<Base: Presenter>: Presenter {
  private var base: Base
  private let isWorthless: @Sendable () -> Bool
  private var isHeld = true

  /// - Parameter isWorthless: Asked at the end, where nothing has been let out.
  init(_ base: Base, isWorthless: @escaping @Sendable () -> Bool) {
    self.base = base
    self.isWorthless = isWorthless
  }

  var hasPending: Bool { !isHeld && base.hasPending }
  var isWorthFlushing: Bool { !isHeld && base.isWorthFlushing }
  var nextTick: Moment? { isHeld ? nil : base.nextTick }

  func hasRoom(for update: LocationUpdate) -> Bool { base.hasRoom(for: update) }

  mutating func begin(at now: Moment) { base.begin(at: now) }

  mutating func present(_ update: LocationUpdate, at moment: Moment) {
    if isHeld {
      switch update {
      case .fix: isHeld = false
      case .state(let change): isHeld = change.state == .connecting
      case .retry, .report: break
      }
    }
    base.present(update, at: moment)
  }

  mutating func flush(at now: Moment) throws(OutputError) {
    if !isHeld { try base.flush(at: now) }
  }

  mutating func makeRoom() {
    if !isHeld { base.makeRoom() }
  }

  mutating func finish(waitsForReader: Bool) throws(OutputError) {
    // Whoever ends it before anything came gets an empty document.
    guard !isHeld || Task.isCancelled || !isWorthless() else { return }
    try base.finish(waitsForReader: waitsForReader)
  }
}

extension Presenter {
  /// The same, held back until a report says something of a receiver.
  func held(unless isWorthless: @escaping @Sendable () -> Bool) -> any Presenter {
    HeldPresenter(self, isWorthless: isWorthless)
  }
}
