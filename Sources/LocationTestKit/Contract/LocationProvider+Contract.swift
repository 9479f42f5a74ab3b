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
  /// - Returns: What is broken; empty where nothing is. While the provider waits for ever where it
  ///   should not, so does the check: give the test a time limit. It ends when its task is cancelled,
  ///   and returns what it was waiting for.
  public func contractViolations(
    reporting expected: [LocationEvent], then ending: ContractEnding = .ends,
    comparing comparable: @escaping @Sendable (LocationEvent) -> LocationEvent = { $0 }
  ) async -> [ContractViolation] {
    let contract = ProviderContract(
      provider: self, expected: expected.map(comparable), ending: ending, comparable: comparable)
    let result = Rendezvous<[ContractViolation]>()
    // Apart, for a provider may not end when it is cancelled.
    let check = Task { result.bring(await contract.violations()) }
    switch await result.take() {
    case .value(let found):
      return found
    case .gaveUp:
      check.cancel()
      return [
        ContractViolation(
          contract.progress.rule, "the check was cancelled while it waited for the provider")
      ]
    }
  }
}
