package import LocationCore

/// The content of a live line, about the link or a receiver.
package struct LiveStatus: Equatable, Sendable {
  package var state: LocationState
  /// The current fix.
  package var fix: LocationFix?
  /// The last fix, if there is no current one.
  package var lastFix: LocationFix?
  /// The age of the current or last fix.
  package var age: Duration?
  /// The time since the state began.
  package var duration: Duration?
  /// The time until the next connection attempt; zero or less during the attempt.
  package var retryIn: Duration?
  /// Why the fix was lost.
  package var reason: String?
  /// Why gpsd cannot be reached, or why the receiver cannot be opened.
  package var failure: String?
  /// The corrections of the receivers; `nil` if none were reported.
  package var corrections: Corrections?
  /// The receiver to name; `nil` if there is only one.
  package var device: String?
  package var satellitesUsed: Int?
  package var satellitesSeen: Int?

  package init(state: LocationState, fix: LocationFix? = nil) {
    self.state = state
    self.fix = fix
  }
}
