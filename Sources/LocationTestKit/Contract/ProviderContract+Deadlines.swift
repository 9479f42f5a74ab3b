import LocationCore

extension ProviderContract {
  /// Reads connections with deadlines in the past, with deadlines that have just passed, and with
  /// deadlines in the near future.
  func deadlineViolations() async throws(Stuck) -> [ContractViolation] {
    let (provider, limit) = (provider, limit)
    let alternating = try await observe(.deadlinesLoseNothing) { log in
      var connection = ObservedConnection(to: provider, limit: limit, log: log)
      while connection.isUnread {
        let timeouts = connection.transcript.timeouts
        await connection.read(until: .past)
        if connection.isUnread, connection.transcript.timeouts > timeouts {
          await connection.read()
        }
      }
      await connection.close()
      return connection.transcript
    }
    var found = difference(
      of: alternating, events: .deadlinesLoseNothing, end: .deadlinesLoseNothing)
    guard found.isEmpty else { return found }
    let passed = try await observe(.passedDeadlinesReport) { log in
      await readWithDeadlines(thatHavePassed: true, log)
    }
    found += difference(of: passed, events: .passedDeadlinesReport, end: .passedDeadlinesReport)
    let ahead = try await observe(.deadlinesLoseNothing) { log in
      await readWithDeadlines(thatHavePassed: false, log)
    }
    found += difference(of: ahead, events: .deadlinesLoseNothing, end: .deadlinesLoseNothing)
    // A single late one may be the machine's fault.
    if let delay = ahead.delays.min(), ahead.delays.count >= 3,
      delay > Self.promptness + (await LocationClock.slack())
    {
      found.append(
        ContractViolation(
          .deadlinesEndWaits, "each wait ended at least \(delay) after its deadline"))
    }
    return found
  }

  /// Reads with a deadline each time; where the provider stays open, also after its events.
  ///
  /// A deadline is 4 ms ahead, and after each time-out twice as far. Deadlines that have passed come
  /// that long after each other.
  private func readWithDeadlines(
    thatHavePassed havePassed: Bool, _ log: TranscriptLog
  ) async -> Transcript {
    let clock = provider.clock
    var connection = ObservedConnection(to: provider, limit: limit, log: log)
    var step = Duration.milliseconds(4)
    var extra = ending == .staysOpen ? 5 : 0
    var latest = LocationClock.live.now
    while !Task.isCancelled, latest.duration(to: LocationClock.live.now) < patience / 2 {
      if !connection.isUnread {
        guard extra > 0, connection.transcript.canContinue else { break }
        extra -= 1
      }
      let timeouts = connection.transcript.timeouts
      await connection.read(until: clock.now.advanced(by: havePassed ? .zero : step))
      guard connection.transcript.timeouts > timeouts else {
        latest = LocationClock.live.now
        step = .milliseconds(4)
        continue
      }
      if havePassed {
        let wake = clock.now.advanced(by: step)
        connection.record(.deadline(wake))
        _ = await clock.sleep(until: wake)
      }
      step = min(step * 2, .seconds(1))
    }
    await connection.close()
    return connection.transcript
  }
}
