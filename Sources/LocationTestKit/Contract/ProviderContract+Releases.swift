import LocationCore

extension ProviderContract {
  /// Drops a connection and an iteration, and waits until no more connections are open than before the check.
  func releaseViolations(openBefore: Int) async throws(Stuck) -> [ContractViolation] {
    guard let openConnections else { return [] }
    let (provider, first) = (provider, min(1, expected.count))
    _ = try await observe(.releasesConnections) { log in
      var connection = ObservedConnection(to: provider, limit: first, log: log)
      await connection.readOn()
      var iteration = ObservedIteration(of: provider, limit: first, log: log)
      await iteration.readOn()
    }
    let step = Duration.milliseconds(10)
    var rest = patience
    var open = openConnections()
    while open > openBefore {
      guard rest > .zero, await LocationClock.patient.sleep(for: step) else {
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
}
