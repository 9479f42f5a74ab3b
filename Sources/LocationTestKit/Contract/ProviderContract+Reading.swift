import LocationCore

extension ProviderContract {
  /// Reads iterations: one, another one, and two alternately.
  func iterationViolations() async throws(Stuck) -> [ContractViolation] {
    let (provider, limit) = (provider, limit)
    let first = try await observe(.reportsEvents) { log in
      await Self.iterate(provider, limit: limit, log)
    }
    let found = difference(of: first, events: .reportsEvents, end: .endsAsExpected)
    guard found.isEmpty else { return found }
    let second = try await observe(.connectsAnew) { log in
      await Self.iterate(provider, limit: limit, log)
    }
    let pair = try await observe(.connectsAnew) { log in
      var first = ObservedIteration(of: provider, limit: limit, log: log)
      var second = ObservedIteration(of: provider, limit: limit, log: log)
      while first.isUnread || second.isUnread {
        if first.isUnread { await first.read() }
        if second.isUnread { await second.read() }
      }
      return [first.transcript, second.transcript]
    }
    return firstDifference(among: [second] + pair)
  }

  /// Reads a connection while another one is opened, while one is closed, and while one is cancelled.
  func independenceViolations() async throws(Stuck) -> [ContractViolation] {
    let (provider, limit, hasEvents) = (provider, limit, !expected.isEmpty)
    // The clock of a replay follows the connection that was opened last.
    let byTheClock: Set<ProviderRule> = [
      .returnsTogether, .momentsOfArrival, .wallTimesAgree,
    ]
    let besideOpened = try await observe(.connectsAnew, excusing: byTheClock) { log in
      var connection = ObservedConnection(to: provider, limit: limit, log: log)
      if hasEvents { await connection.read() }
      var other = ObservedConnection(to: provider, limit: limit, log: log)
      await other.readOn()
      await connection.readOn()
      await other.close()
      await connection.close()
      return connection.transcript
    }
    let besideClosed = try await observe(.connectsAnew, excusing: byTheClock) { log in
      var other = ObservedConnection(to: provider, limit: limit, log: log)
      var connection = ObservedConnection(to: provider, limit: limit, log: log)
      if hasEvents {
        await other.read()
        await connection.read()
      }
      await other.close()
      await connection.readOn()
      await connection.close()
      return connection.transcript
    }
    let besideCancelled = try await observe(.connectsAnew, excusing: byTheClock) { log in
      let isReading = Mailbox<Void>()
      let other = Task {
        var other = ObservedConnection(to: provider, limit: .max, log: log.aside)
        if hasEvents { await other.read() }
        isReading.send(())
        await other.readOn()
      }
      var connection = ObservedConnection(to: provider, limit: limit, log: log)
      _ = await isReading.take()
      if hasEvents { await connection.read() }
      other.cancel()
      connection.record(.cancellation(of: "a connection"))
      await other.value
      await connection.readOn()
      await connection.close()
      return connection.transcript
    }
    return [
      (besideOpened, "opened and read"), (besideClosed, "closed"), (besideCancelled, "cancelled"),
    ].flatMap { transcript, event in
      difference(
        of: transcript, events: .connectsAnew, end: .connectsAnew,
        "after another connection was \(event), ")
    }
  }

  /// Reads a connection to its end.
  func promptReading() async throws(Stuck) -> Transcript {
    let (provider, limit) = (provider, limit)
    return try await observe(.reportsEvents) { log in
      var connection = ObservedConnection(to: provider, limit: limit, log: log)
      await connection.readOn()
      await connection.close()
      return connection.transcript
    }
  }

  /// Reads connections slowly, late and closed early.
  ///
  /// - Parameter pause: How long to wait before or after the first event.
  func connectionViolations(pausing pause: Duration) async throws(Stuck) -> [ContractViolation] {
    let (provider, limit) = (provider, limit)
    let slow = try await observe(.keepsUnreadEvents) { log in
      var connection = ObservedConnection(to: provider, limit: limit, log: log)
      if limit > 0 { await connection.read() }
      await Self.wait(for: pause, by: provider.clock)
      await connection.readOn()
      await connection.close()
      return connection.transcript
    }
    let late = try await observe(.keepsUnreadEvents) { log in
      var connection = ObservedConnection(to: provider, limit: limit, log: log)
      await Self.wait(for: pause, by: provider.clock)
      await connection.readOn()
      await connection.close()
      return connection.transcript
    }
    var found = difference(of: slow, events: .keepsUnreadEvents, end: .keepsUnreadEvents)
    found += difference(
      of: late, events: .keepsUnreadEvents, end: .keepsUnreadEvents,
      "first read \(pause) after it was made, a connection ")
    // Closed early, the connection still has events that it could wrongly report.
    let early = min(1, expected.count)
    found += try await observe(.closedStaysClosed) { log in
      var connection = ObservedConnection(to: provider, limit: early, log: log)
      await connection.readOn()
      await connection.close()
      return connection.transcript
    }.violations
    return found
  }

  /// Waits by the provider's clock if a test moves it, and else in real time, even if the provider's clock is faster.
  static func wait(for pause: Duration, by clock: LocationClock) async {
    let wait = Task { await clock.sleep(for: pause) }
    if !clock.isManual {
      _ = await LocationClock.measuring.sleep(for: pause)
      wait.cancel()
    }
    _ = await wait.value
  }

  private static func iterate(
    _ provider: Provider, limit: Int, _ log: TranscriptLog
  ) async -> Transcript {
    var iteration = ObservedIteration(of: provider, limit: limit, log: log)
    await iteration.readOn()
    return iteration.transcript
  }

  private func firstDifference(among transcripts: [Transcript]) -> [ContractViolation] {
    for transcript in transcripts {
      let found = difference(of: transcript, events: .connectsAnew, end: .connectsAnew)
      if !found.isEmpty { return found }
    }
    return []
  }
}
