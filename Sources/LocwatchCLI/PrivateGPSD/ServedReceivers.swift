import Synchronization

/// The serial receivers of this process that have a gpsd of their own, to notice one with two names.
///
/// Two gpsds of one receiver share its bytes, and each gets only a part of them.
final class ServedReceivers: Sendable {
  /// The paths by which a device is read, by its path without links.
  private let paths = Mutex<[String: [String]]>([:])

  /// Adds a receiver.
  ///
  /// - Returns: What to tell the user; `nil` if it is the only one of its device.
  func add(_ receiver: SerialDevice) -> String? {
    let other = paths.withLock { paths in
      defer { paths[receiver.realPath, default: []].append(receiver.path) }
      return paths[receiver.realPath]?.first
    }
    guard let other else { return nil }
    let others = other == receiver.path ? "another target" : other
    return "\(receiver.path) is the receiver of \(others): each gets only a part of what is sent"
  }

  /// Removes a receiver that was added.
  func remove(_ receiver: SerialDevice) {
    paths.withLock { paths in
      guard let index = paths[receiver.realPath]?.firstIndex(of: receiver.path) else { return }
      paths[receiver.realPath]?.remove(at: index)
      if paths[receiver.realPath]?.isEmpty == true { paths[receiver.realPath] = nil }
    }
  }
}
