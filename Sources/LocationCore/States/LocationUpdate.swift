/// What a ``LocationWatcher`` has to say: what changed, where we are, and what came with it.
public enum LocationUpdate: Hashable, Sendable {
  // Rare and large: the others are moved about faster without it.
  /// The link or a receiver changed its state.
  indirect case state(StateChange)
  /// One epoch's fix, complete.
  case fix(LocationFix)
  /// What the provider reported beside fixes: the service, its receivers, satellites, notices.
  case report(LocationEvent)
}
