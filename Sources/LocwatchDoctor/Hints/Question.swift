package import LocationCore
package import LocwatchReceivers
import LocwatchSystem

/// What is requested from a source: its receiver, and the fixes.
package struct Question: Sendable {
  package var target: Target
  /// The selected receiver; `nil` for all receivers.
  package var device: String?
  var request = LocationRequest()
  /// Whether only the first fix is requested.
  var isOnce = false
  /// The number of requested fixes; `nil` for no limit.
  var count: Int?
  /// The last file that is replayed; `nil` for a live source.
  var recording: FilePath?

  package init(
    target: Target, device: String? = nil, request: LocationRequest = LocationRequest(),
    isOnce: Bool = false, count: Int? = nil, recording: FilePath? = nil
  ) {
    self.target = target
    self.device = device
    self.request = request
    self.isOnce = isOnce
    self.count = count
    self.recording = recording
  }

  package var isReplay: Bool { recording != nil }
}
