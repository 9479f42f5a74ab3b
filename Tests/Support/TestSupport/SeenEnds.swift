import Foundation

/// Closes an end of a pipe, and waits until the other end sees that: a process that another test is starting has copies
/// of all descriptors until it runs its program.
package func close(_ end: Int32, seenBy other: Int32?) {
  close(end)
  waitUntilOver(other ?? -1)
}

/// Waits until the other end of a pipe is closed.
package func waitUntilOver(_ end: Int32) {
  var request = pollfd(fd: end, events: 0, revents: 0)
  precondition(poll(&request, 1, 20_000) == 1, "the other end is open after 20 s")
}
