package import LocwatchSystem
import Synchronization

/// The serial receivers of this process that have a gpsd of their own, to notice one with two names.
///
/// Two gpsds of one receiver share its bytes, and each gets only a part of them.
package final class ServedReceivers: Sendable {
  private let receivers = Mutex<[SerialDevice]>([])

  package init() {}

  /// Adds a receiver.
  ///
  /// - Returns: What to tell the user; `nil` if it is the only one of its device.
  package func add(_ receiver: SerialDevice) -> String? {
    let other = receivers.withLock { receivers in
      defer { receivers.append(receiver) }
      return receivers.first { $0.realPath == receiver.realPath }?.path
    }
    guard let other else { return nil }
    let others = other == receiver.path ? "another target" : other
    return "\(receiver.path) is the receiver of \(others): each gets only part of the data"
  }

  /// Removes a receiver that was added.
  package func remove(_ receiver: SerialDevice) {
    receivers.withLock { receivers in
      let index = receivers.firstIndex {
        ($0.realPath, $0.path) == (receiver.realPath, receiver.path)
      }
      if let index { receivers.remove(at: index) }
    }
  }
}
