import Glibc
import Synchronization

/// What a program wrote, as far as it has come.
package final class CollectedOutput: Sendable {
  private let state = Mutex(State())

  private struct State {
    var bytes: [UInt8] = []
    var lines: [String] = []
    /// Where the line begins that has not ended yet.
    var lineStart = 0
    /// The owner of the descriptor that is read.
    var owner: (any AnyObject & Sendable)?
    var isPaused = false
    var hasEnded = true
    var error: CInt?

    mutating func take(_ fresh: ArraySlice<UInt8>) {
      let known = bytes.count
      bytes += fresh
      for end in known..<bytes.count where bytes[end] == UInt8(ascii: "\n") {
        let line = bytes[lineStart..<end]
        let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        lines.append(String(decoding: text, as: UTF8.self))
        lineStart = end + 1
      }
    }
  }

  package var bytes: [UInt8] { state.withLock(\.bytes) }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The whole lines so far, without their line ends (LF or CRLF).
  package var lines: [String] { state.withLock(\.lines) }

  /// Whether nothing more will come.
  package var hasEnded: Bool { state.withLock(\.hasEnded) }

  /// The error that reading ended with: ECONNRESET, of a connection that was reset.
  package var error: CInt? { state.withLock(\.error) }

  /// Waits for a line, among those that are there and those that come.
  ///
  /// - Parameter start: How many lines are not to be looked at.
  /// - Throws: ``TimedOut`` or, when the program wrote its last and it was not that, ``Ended``; what `matching` throws.
  package func waitForLine(
    after start: Int = 0, timeout: Duration = .seconds(30), matching: (String) throws -> Bool
  ) async throws -> String {
    var start = start
    return try await waitFor("matching line", timeout: timeout) {
      let hadEnded = hasEnded
      let lines = lines.dropFirst(start)
      if let line = try lines.first(where: matching) { return line }
      start += lines.count
      if hadEnded { throw Ended(text: text) }
      return nil
    }
  }

  package func waitForLine(
    containing part: String, after start: Int = 0, timeout: Duration = .seconds(30)
  ) async throws -> String {
    try await waitForLine(after: start, timeout: timeout) { $0.contains(part) }
  }

  /// Reads no more until ``resume()``: the program's writes block once the pipe is full.
  package func pause() { state.withLock { $0.isPaused = true } }

  package func resume() { state.withLock { $0.isPaused = false } }

  /// Starts to read, and at the end releases `owner`, to which the descriptor belongs.
  func collect(
    from descriptor: CInt, of owner: some AnyObject & Sendable,
    onBytes: @escaping @Sendable ([UInt8]) -> Void = { _ in }
  ) {
    state.withLock { state in
      state.hasEnded = false
      state.owner = owner
    }
    BackgroundThread.start { [self] in
      while takeSome(from: descriptor, onBytes) {}
      state.withLock { state in
        // First: who waits for the end may count on the descriptor's being closed.
        state.owner = nil
        state.hasEnded = true
      }
    }
  }

  /// - Returns: Whether there may be more.
  private func takeSome(
    from descriptor: CInt, _ onBytes: @Sendable ([UInt8]) -> Void
  ) -> Bool {
    let isPaused = state.withLock(\.isPaused)
    var request = pollfd(
      fd: isPaused ? -1 : descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, 10) > 0 else { return true }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(descriptor, &buffer, buffer.count)
    if count < 0 {
      let error = errno
      if error == EAGAIN || error == EINTR { return true }
      state.withLock { $0.error = error }
      return false
    }
    buffer.removeSubrange(count...)
    onBytes(buffer)
    state.withLock { $0.take(buffer[...]) }
    return count > 0
  }

  /// The program closed its end, or ended.
  package struct Ended: Error, CustomStringConvertible {
    package let text: String

    package var description: String { "the output ended without the line waited for:\n\(text)" }
  }
}
