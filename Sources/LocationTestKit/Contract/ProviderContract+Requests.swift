import LocationCore

extension ProviderContract {
  /// Reads connections for requests, which may leave out fixes that the request excludes.
  ///
  /// - Returns: At most one violation.
  func requestViolations() async throws(Stuck) -> [ContractViolation] {
    let (provider, limit, isOpen) = (provider, limit, ending == .staysOpen)
    for request in requests {
      let isRequired = events.map { event in
        guard case .fix(let fix) = event else { return true }
        return fix.satisfies(request)
      }
      let transcript = try await observe(.answersRequests) { log in
        var connection = ObservedConnection(to: provider, for: request, limit: limit, log: log)
        while connection.isUnread,
          !isOpen || rest(of: connection.transcript, requiring: isRequired) == nil
        {
          await connection.read()
        }
        connection.close()
        return connection.transcript
      }
      let isComplete = rest(of: transcript, requiring: isRequired)?.isEmpty == true
      let found = try difference(
        of: transcript, .answersRequests, "asked for \(request), ",
        requiring: isComplete ? transcript.events.map(comparable) : expected)
      if !found.isEmpty { return found }
    }
    return []
  }

  /// Requests that a fix only just meets.
  private var requests: [LocationRequest] {
    var fixes: [LocationFix] = []
    var kinds: Set<ServiceReport.Kind> = []
    for event in events {
      if case .fix(let fix) = event { fixes.append(fix) }
      if case .other(let report) = event { kinds.insert(report.kind) }
    }
    let accuracies = fixes.compactMap(\.horizontalError)
    return [
      LocationRequest(),
      LocationRequest(desiredAccuracy: accuracies.max() ?? 1, distanceFilter: fixes.shortestStep),
      LocationRequest(
        minimumMode: .fix3D, minimumQuality: .gps, desiredAccuracy: accuracies.min() ?? 1,
        reports: kinds),
    ]
  }

  /// Compares a transcript with the expected events, of which some are not required.
  ///
  /// - Returns: What was reported beyond them; `nil` if a required event is missing.
  private func rest(
    of transcript: Transcript, requiring isRequired: [Bool]
  ) -> ArraySlice<LocationEvent>? {
    var rest = transcript.events.map(comparable)[...]
    for (event, isRequired) in zip(expected, isRequired) {
      if rest.first == event {
        rest.removeFirst()
      } else if isRequired {
        return nil
      }
    }
    return rest
  }
}

extension [LocationFix] {
  /// The shortest distance between two fixes in a row of a receiver, in metres; 0 if there are none.
  fileprivate var shortestStep: Double {
    let receivers = Dictionary(grouping: self, by: \.device).values
    return receivers.flatMap { fixes in
      zip(fixes, fixes.dropFirst()).map { $0.coordinate.distance(to: $1.coordinate) }
    }.min() ?? 0
  }
}
