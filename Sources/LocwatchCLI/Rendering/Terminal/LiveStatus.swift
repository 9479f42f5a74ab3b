package import LocationCore

/// What the last line of a terminal shows.
package struct LiveStatus: Equatable, Sendable {
  package var state: LocationState
  /// The last fix; `nil` where there is none that is current.
  package var fix: LocationFix?
  /// How old the fix is now; without one, how long the state lasts.
  package var elapsed: Duration?
  /// The receiver to name; `nil` where there is no doubt.
  package var device: String?
  package var satellitesUsed: Int?
  package var satellitesSeen: Int?

  /// The counts of satellites are those of the fix, where they are not given.
  package init(
    state: LocationState, fix: LocationFix? = nil, elapsed: Duration? = nil,
    device: String? = nil, satellitesUsed: Int? = nil, satellitesSeen: Int? = nil
  ) {
    self.state = state
    self.fix = fix
    self.elapsed = elapsed
    self.device = device
    self.satellitesUsed = satellitesUsed ?? fix?.satellitesUsed
    self.satellitesSeen = satellitesSeen ?? fix?.satellitesSeen
  }
}
