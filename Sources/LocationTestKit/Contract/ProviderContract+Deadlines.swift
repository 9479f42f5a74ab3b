import LocationCore

extension ProviderContract {
  /// Reads connections with deadlines in the past, with deadlines that have just passed, with
  /// deadlines in the near future, just before events, and without one.
  ///
  /// - Parameter moments: When the events of a connection arrive.
  func deadlineViolations(
    expectedAt moments: [Moment]
  ) async throws(Stuck) -> [ContractViolation] {
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
    found += try await passedDeadlineViolations()
    if found.isEmpty, provider.clock.isManual {
      found += try await arrivedAtDeadlineViolations(expectedAt: moments)
    }
    let ahead = try await observe(.deadlinesLoseNothing) { log in
      await readWithDeadlines(thatHavePassed: false, log)
    }
    found += difference(of: ahead, events: .deadlinesLoseNothing, end: .deadlinesLoseNothing)
    // Only where a test moves the clock can a deadline be hit exactly.
    for lead in provider.clock.isManual ? [Duration.milliseconds(1), .zero] : [.milliseconds(1)] {
      let narrow = try await observe(.deadlinesLoseNothing) { log in
        await read(lead, before: moments, log)
      }
      found += difference(
        of: narrow, events: .deadlinesLoseNothing, end: .deadlinesLoseNothing,
        "with deadlines \(lead) before its events, a connection ")
    }
    if ending == .staysOpen { found += try await observe(.deadlinesEndWaits, longWait).violations }
    // A single late read may be the machine's fault.
    if let delay = ahead.delays.min(), ahead.delays.count >= 3,
      delay > (provider.clock.isManual ? .zero : Self.promptness + (await LocationClock.slack()))
    {
      found.append(
        ContractViolation(
          .deadlinesEndWaits, "each wait ended at least \(delay) after its deadline"))
    }
    return found
  }

  /// Reads connections with deadlines that have just passed.
  private func passedDeadlineViolations() async throws(Stuck) -> [ContractViolation] {
    // By chance, each event may arrive during the very read that returns it, but not three times.
    for attempt in 1...3 {
      let passed = try await observe(.passedDeadlinesReport) { log in
        await readWithDeadlines(thatHavePassed: true, log)
      }
      let found = difference(
        of: passed, events: .passedDeadlinesReport, end: .passedDeadlinesReport)
      guard found.isEmpty, !passed.leads.isEmpty, passed.leads.allSatisfy({ $0 <= .zero }) else {
        return found
      }
      // On a busy machine, it is possible that nothing runs between two reads.
      if passed.longestOversleep > .milliseconds(2) { return [] }
      if attempt == 3, await LocationClock.slack() < .milliseconds(10) {
        return [
          ContractViolation(
            .momentsOfArrival,
            "events that came between two reads have the moment of the second read")
        ]
      }
    }
    return []
  }

  /// Reads each event after it has arrived, with the moment of its arrival as the deadline.
  private func arrivedAtDeadlineViolations(
    expectedAt moments: [Moment]
  ) async throws(Stuck) -> [ContractViolation] {
    let (provider, limit) = (provider, limit)
    let transcript = try await observe(.passedDeadlinesReport) { log in
      let clock = provider.clock
      var connection = ObservedConnection(to: provider, limit: limit, log: log)
      if limit > 0 { await connection.read() }
      while connection.isUnread {
        let count = connection.transcript.moments.count
        guard let first = connection.transcript.moments.first, count < moments.count else {
          await connection.read()
          continue
        }
        // The connection begins to wait, because it may produce events only when it is read.
        await connection.read(until: .past)
        guard connection.isUnread, connection.transcript.moments.count == count else { continue }
        let timeouts = connection.transcript.timeouts
        let deadline = first.advanced(by: moments[0].duration(to: moments[count]))
        _ = await clock.sleep(until: deadline.advanced(by: .milliseconds(1)))
        await connection.read(until: deadline)
        if connection.transcript.timeouts > timeouts {
          connection.violate(
            .passedDeadlinesReport,
            "an event that arrived at the deadline, \(deadline.uptime), was not reported")
        }
      }
      await connection.close()
      return connection.transcript
    }
    return difference(of: transcript, events: .passedDeadlinesReport, end: .passedDeadlinesReport)
  }

  /// Reads with deadlines shortly before events are expected.
  private func read(
    _ lead: Duration, before moments: [Moment], _ log: TranscriptLog
  ) async -> Transcript {
    let clock = provider.clock
    var connection = ObservedConnection(to: provider, limit: limit, log: log)
    while connection.isUnread {
      let count = connection.transcript.moments.count
      if let first = connection.transcript.moments.first, count < moments.count {
        let offset = moments[0].duration(to: moments[count]) - lead
        let deadline = first.advanced(by: offset)
        if clock.now < deadline { await connection.read(until: deadline) }
      }
      if connection.isUnread, connection.transcript.moments.count == count {
        await connection.read()
      }
    }
    await connection.close()
    return connection.transcript
  }

  /// Reads without a deadline after the events: for an hour if a test moves the clock, or else for 100 ms.
  private func longWait(_ log: TranscriptLog) async -> Transcript {
    let (provider, count) = (provider, expected.count)
    let isWaiting = Mailbox<Void>()
    let isOver = Mailbox<Void>()
    let reading = Task {
      var connection = ObservedConnection(to: provider, limit: .max, log: log)
      while connection.transcript.isUnread(below: count) { await connection.read() }
      isWaiting.send(())
      if connection.transcript.canContinue { await connection.read() }
      isOver.send(())
      await connection.close()
      return connection.transcript
    }
    _ = await isWaiting.take()
    let clock = provider.clock
    if clock.isManual {
      _ = await isOver.take(until: clock.now.advanced(by: .seconds(3600)), by: clock)
    } else {
      let end = LocationClock.patient.now.advanced(by: .milliseconds(100))
      _ = await isOver.take(until: end, by: .patient)
    }
    log.record(.cancellation(of: "a waiting connection"))
    reading.cancel()
    return await reading.value
  }

  /// Reads with a deadline each time, and also after the events if the provider stays open.
  ///
  /// A deadline is 4.1 ms ahead, so that it never coincides with an event. After each time-out, the distance
  /// doubles. It is also the distance between deadlines that have passed.
  private func readWithDeadlines(
    thatHavePassed havePassed: Bool, _ log: TranscriptLog
  ) async -> Transcript {
    let clock = provider.clock
    var connection = ObservedConnection(to: provider, limit: limit, log: log)
    let firstStep = Duration.microseconds(4100)
    var step = firstStep
    var extra = ending == .staysOpen ? 5 : 0
    // The machine's time, although a busy machine gives a provider little of it, or the time that a test moves.
    let progress = clock.isManual ? clock : .measuring
    var latest = progress.now
    var timeoutsInARow = 0
    while !Task.isCancelled,
      timeoutsInARow < 12 || latest.duration(to: progress.now) < patience / 2
    {
      if !connection.isUnread {
        guard extra > 0, connection.transcript.canContinue else { break }
        extra -= 1
      }
      let (timeouts, count) = (connection.transcript.timeouts, connection.transcript.moments.count)
      let start = clock.now
      await connection.read(until: havePassed ? start : start.advanced(by: step))
      guard connection.transcript.timeouts > timeouts else {
        if timeoutsInARow > 0, count < connection.transcript.moments.count {
          connection.record(lead: connection.transcript.moments[count].duration(to: start))
        }
        latest = progress.now
        timeoutsInARow = 0
        step = firstStep
        continue
      }
      timeoutsInARow += 1
      if havePassed {
        let wake = clock.now.advanced(by: step)
        connection.record(.deadline(wake))
        _ = await clock.sleep(until: wake)
        connection.record(oversleep: wake.duration(to: clock.now))
      }
      step = min(step * 2, patience / 10)
    }
    await connection.close()
    return connection.transcript
  }
}
