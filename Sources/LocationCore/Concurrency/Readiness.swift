#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Whether a descriptor is ready. Tasks wait for one on the event loop; this is for those who only ask, and for
/// those who have nothing else to do on their thread.
package enum Readiness {
  /// POLLRDHUP, which Swift does not import: the peer sends nothing more.
  package static let peerHasEnded: CInt = 0x2000

  /// Returns whether one of several events has come, or an error, as poll(2) does.
  ///
  /// - Parameter milliseconds: How long to wait for it; negative for no limit.
  package static func isReady(
    _ descriptor: CInt, for events: CInt, within milliseconds: CInt = 0
  ) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    return unsafe poll(&request, 1, milliseconds) > 0
  }
}

/// What waits for descriptors on the thread of a task, which then needs no other: an event loop.
package protocol DescriptorWaiter: Sendable {
  /// Waits until there is something to read, or until the task is cancelled.
  func waitUntilReadable(_ descriptor: CInt) async
}

extension Readiness {
  /// What waits for the descriptors of this task; `nil` if its thread cannot.
  @TaskLocal package static var waiter: (any DescriptorWaiter)?
}
