/// Which fixes of a receiver count, and how far apart those that are taken are.
package struct FixCriteria: Hashable, Sendable {
  /// What a fix has to be like to count. Its distance filter is not used.
  package var request = LocationRequest()
  /// Fixes within this distance of the last one taken are left out, in metres; `nil` for none.
  package var minMove: Double?
  /// The shortest time between two fixes taken; `nil` for any.
  package var interval: Duration?

  /// Creates criteria that every fix meets.
  package init() {}
}
