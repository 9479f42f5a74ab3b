import GPSDLocation
import LocationCore
import LocwatchSystem

/// What is asked of a source: its receiver, and the fixes that are wanted.
package struct Question: Sendable {
  var target: Target
  /// The selected receiver; `nil` for all receivers.
  var device: String?
  var request = LocationRequest()
  /// Whether only the first fix is wanted.
  var isOnce = false
  /// The number of fixes that are wanted; `nil` for no limit.
  var count: Int?
  /// The last file that is replayed; `nil` for a live source.
  var recording: FilePath?

  var isReplay: Bool { recording != nil }
}
