import LocationCore

extension ProviderContract {
  /// The longest permitted delay on an idle machine.
  private static var promptness: Duration { .milliseconds(50) }

  /// Reads a connection to its end, as its users do.
  ///
  /// - Returns: At most one violation.
  func promptViolations() async throws(Stuck) -> [ContractViolation] {
    var delay = Duration.zero
    // What takes long once may be the machine's fault.
    for attempt in 1...3 {
      let transcript = try await reading(.reportsEvents) { await $0.readOn() }
      let found = try difference(of: transcript, .reportsEvents, end: .endsAsExpected)
      if let violation = found.first { throw Stuck(violation) }
      let limit = Self.promptness + (await LocationClock.slack())
      let call = transcript.longestCall
      let isSlow = call.duration > limit
      if isSlow, attempt == 3 { throw Stuck(.returnsAtOnce, "\(call.name) took \(call.duration)") }
      let isManual = provider.clock.isManual
      delay = (isManual ? transcript.delays.max() : transcript.delays.min()) ?? .zero
      let isLate = delay > (isManual ? .zero : limit)
      if !isLate, !isSlow { return [] }
    }
    return [ContractViolation(.endsWaits, "a wait ended \(delay) after an event had come")]
  }

  /// Reads connections while another one is opened and read, and while one is closed.
  ///
  /// - Returns: At most one violation.
  func independenceViolations() async throws(Stuck) -> [ContractViolation] {
    let (provider, limit, hasEvents) = (provider, limit, !expected.isEmpty)
    // The clock of a replay follows the connection that was opened last.
    let byTheClock: Set<ProviderRule> = [
      .momentsOfArrival, .momentsGoForward, .wallTimesAgree, .quietUntilNow,
    ]
    let again = try await reading(.connectsAnew) { await $0.readOn() }
    let pair = try await observe(.connectsAnew, excusing: byTheClock) { log in
      var first = ObservedConnection(to: provider, limit: limit, log: log)
      if hasEvents { await first.read() }
      var second = ObservedConnection(to: provider, limit: limit, log: log)
      while first.isUnread || second.isUnread {
        if second.isUnread { await second.read() }
        if first.isUnread { await first.read() }
      }
      second.close()
      first.close()
      return [first.transcript, second.transcript]
    }
    let besideClosed = try await observe(.connectsAnew, excusing: byTheClock) { log in
      var other = ObservedConnection(to: provider, limit: limit, log: log)
      var connection = ObservedConnection(to: provider, limit: limit, log: log)
      if hasEvents {
        await other.read()
        await connection.read()
      }
      other.close()
      await connection.readOn()
      connection.close()
      return connection.transcript
    }
    for (transcript, circumstance) in [
      (again, ""), (pair[0], "after another connection was opened and read, "),
      (pair[1], "beside another connection, "),
      (besideClosed, "after another connection was closed, "),
    ] {
      let found = try difference(of: transcript, .connectsAnew, circumstance)
      if !found.isEmpty { return found }
    }
    return []
  }

  /// Reads connections late, slowly, more often than necessary, by tasks that are cancelled, and not to their end.
  ///
  /// - Parameter pause: How long all events of a connection take, and a little more.
  func pauseViolations(_ pause: Pause) async throws(Stuck) -> [ContractViolation] {
    let late = try await reading(.keepsUnreadEvents) {
      await $0.pause(for: pause)
      await $0.readOn()
    }
    var found = try difference(
      of: late, .keepsUnreadEvents,
      "first polled \(pause.duration) after it was made, a connection ")
    let slow = try await reading(.keepsUnreadEvents) {
      await $0.readOn(pausing: pause, isLong: true)
    }
    found += try difference(of: slow, .keepsUnreadEvents)
    for rule in [ProviderRule.quietPollsChangeNothing, .ignoresCancellation] {
      let often = try await reading(rule, isCancelled: rule == .ignoresCancellation) {
        await $0.readOn(pausing: pause.step, isLong: false)
      }
      found += try difference(of: often, rule)
      guard found.isEmpty else { return found }
    }
    // Closed early, the connection still has events that it could wrongly report.
    return try await reading(.closedStaysClosed, limit: min(1, expected.count)) {
      await $0.readOn()
    }.violations
  }

  /// Reads after the events if the provider stays open: for an hour if a test moves the clock, or else for 100 ms.
  func silenceViolations() async throws(Stuck) -> [ContractViolation] {
    guard ending == .staysOpen else { return [] }
    let clock = provider.clock
    let silence = try await reading(.endsAsExpected) {
      await $0.readOn()
      let end = clock.now.advanced(by: clock.isManual ? .seconds(3600) : .milliseconds(100))
      while $0.transcript.canContinue, clock.now < end { await $0.read(until: end) }
    }
    return try difference(of: silence, .endsAsExpected)
  }

  /// Drops a connection, and waits until no more are open than before the check.
  func releaseViolations(openBefore: Int) async throws(Stuck) -> [ContractViolation] {
    guard let openConnections else { return [] }
    let (provider, first) = (provider, min(1, expected.count))
    _ = try await observe(.releasesConnections) { log in
      var connection = ObservedConnection(to: provider, limit: first, log: log)
      await connection.readOn()
    }
    let step = Duration.milliseconds(10)
    var rest = patience
    var open = openConnections()
    while open > openBefore {
      guard rest > .zero, (try? await LocationClock.patient.sleep(for: step)) != nil else {
        return [
          ContractViolation(
            .releasesConnections, "\(open - openBefore) connections are open that nobody reads")
        ]
      }
      rest -= step
      open = openConnections()
    }
    return []
  }

  /// Reads a connection, and closes it.
  private func reading(
    _ rule: ProviderRule, limit: Int? = nil, isCancelled: Bool = false,
    _ read: @escaping @Sendable (inout ObservedConnection) async -> Void
  ) async throws(Stuck) -> Transcript {
    let (provider, limit) = (provider, limit ?? self.limit)
    return try await observe(rule) { log in
      var connection = ObservedConnection(
        to: provider, limit: limit, isCancelled: isCancelled, log: log)
      await read(&connection)
      connection.close()
      return connection.transcript
    }
  }
}
