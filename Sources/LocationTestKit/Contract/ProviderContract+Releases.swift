import LocationCore

extension ProviderContract {
  /// Drops a connection, and waits until no more are open than before the check, which has left iterations.
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
