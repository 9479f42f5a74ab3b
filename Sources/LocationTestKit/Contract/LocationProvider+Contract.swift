public import LocationCore

extension LocationProvider {
  /// Checks the provider, yours or ours, against everything that its users rely on.
  ///
  /// Each of its connections has to report the same. It returns values, so that any test framework
  /// can say what is wrong:
  ///
  /// ```swift
  /// #expect(await provider.contractViolations(reporting: [.fix(sydney)]) == [])  // Swift Testing
  ///
  /// let violations = await provider.contractViolations(reporting: [.fix(sydney)])
  /// XCTAssertEqual(violations, [])                                               // XCTest
  /// ```
  ///
  /// - Parameters:
  ///   - expected: The events of one connection, in order.
  ///   - ending: What follows them.
  ///   - comparable: Takes from an event what differs from connection to connection, such as the
  ///     time of a fix.
  /// - Returns: What is broken; empty where nothing is. It does not return while the provider waits
  ///   for ever where it should not: give the test a time limit.
  public func contractViolations(
    reporting expected: [LocationEvent], then ending: ContractEnding = .ends,
    comparing comparable: @escaping @Sendable (LocationEvent) -> LocationEvent = { $0 }
  ) async -> [ContractViolation] {
    let contract = ProviderContract(
      provider: self, expected: expected.map(comparable), ending: ending, comparable: comparable)
    var found = await contract.iterationViolations()
    found += await contract.connectionViolations()
    found += await contract.cancellationViolations()
    return found
  }
}
