import LocationCore

/// How a read ended after its task was cancelled.
private struct CancelledRead: Sendable {
  var end: Transcript.End
  /// The events that were reported after the cancellation.
  var surplus: Int
  /// How long the read lasted.
  var delay: Duration
}

extension ProviderContract {
  /// Cancels iterations and connections before they read, and while they wait for the first event, the
  /// second one, and what follows the last one.
  ///
  /// - Returns: At most one violation.
  func cancellationViolations() async throws(Stuck) -> [ContractViolation] {
    let counts: [Int?] = Set([0, min(1, expected.count), expected.count]).sorted()
    for count in [nil] + counts {
      let circumstance = count == nil ? "a cancelled" : "a waiting"
      var found = try await violations(of: "\(circumstance) connection", after: count) { log in
        ObservedConnection(to: provider, limit: .max, log: log)
      }
      if !found.isEmpty { return found }
      found = try await violations(of: "\(circumstance) iteration", after: count) { log in
        ObservedIteration(of: provider, limit: .max, log: log)
      }
      if !found.isEmpty { return found }
    }
    return []
  }

  /// Cancels a read after `count` events; `nil` cancels the task before it reads.
  ///
  /// - Returns: At most one violation.
  private func violations(
    of name: String, after count: Int?,
    by makeReader: @escaping @Sendable (TranscriptLog) -> some ObservedReader
  ) async throws(Stuck) -> [ContractViolation] {
    var delay = Duration.zero
    // A single delay may be the machine's fault.
    for _ in 0..<5 {
      let read = try await observe(.cancellationEnds) { log in
        await cancelledRead(name, after: count, by: makeReader, log)
      }
      if read.surplus > 0 {
        return [violation("\(name) reported \(read.surplus) more events after it was cancelled")]
      }
      // Before the cancellation, it may have reported an event, or failed as expected.
      let ends = count == nil ? [.ended] : [.ended, .unread, expectedEnd]
      if !ends.contains(read.end) { return [violation("the end of \(name) is \(read.end)")] }
      if read.delay <= Self.promptness + (await LocationClock.slack()) { return [] }
      delay = max(delay, read.delay)
    }
    return [violation("\(name) ended \(delay) after it was cancelled")]
  }

  private func violation(_ detail: String) -> ContractViolation {
    ContractViolation(.cancellationEnds, detail)
  }

  private func cancelledRead(
    _ name: String, after count: Int?,
    by makeReader: @escaping @Sendable (TranscriptLog) -> some ObservedReader, _ log: TranscriptLog
  ) async -> CancelledRead {
    let clock = LocationClock.measuring
    let isWaiting = Mailbox<Void>()
    let mostSurplus = limit
    let task = Task {
      // A separate log, because later reports are not progress of the check.
      var reader = makeReader(log.aside)
      while reader.transcript.isUnread(below: count ?? 0) { await reader.read() }
      isWaiting.send(())
      if count == nil { await Self.waitForCancellation() }
      var before = reader.transcript.events.count
      if reader.transcript.canContinue { await reader.read() }
      let end = clock.now
      await Self.waitForCancellation()
      if count != nil { before = reader.transcript.events.count }
      while reader.transcript.isUnread(below: before + mostSurplus) { await reader.read() }
      await reader.close()
      let surplus = reader.transcript.events.count - before
      return (transcript: reader.transcript, surplus: surplus, end: end)
    }
    guard case .value = await isWaiting.take() else {
      task.cancel()
      return CancelledRead(end: .unread, surplus: 0, delay: .zero)
    }
    log.record(.cancellation(of: name))
    if count != nil { await Self.wait(for: .milliseconds(2), by: provider.clock) }
    let cancellation = clock.now
    task.cancel()
    let result = await task.value
    return CancelledRead(
      end: result.transcript.end, surplus: result.surplus,
      delay: cancellation.duration(to: result.end))
  }

  private static func waitForCancellation() async { _ = await Mailbox<Void>().take() }
}
