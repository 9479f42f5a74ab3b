package import LocationCore

/// What a line that is redrawn shows of the link, or of a receiver.
package struct LiveStatus: Equatable, Sendable {
  package var state: LocationState
  /// The current fix.
  package var fix: LocationFix?
  /// Where the receiver was last; only where there is no current fix.
  package var lastFix: LocationFix?
  /// How old the fix is now, the current or the last one.
  package var age: Duration?
  /// How long the state lasts.
  package var duration: Duration?
  /// How long until gpsd is tried again; not more than zero while it is being tried.
  package var retryIn: Duration?
  /// Why the fix was lost.
  package var reason: String?
  /// The receiver to name; `nil` where there is no doubt.
  package var device: String?
  package var satellitesUsed: Int?
  package var satellitesSeen: Int?

  package init(state: LocationState, fix: LocationFix? = nil) {
    self.state = state
    self.fix = fix
  }
}
