import LocationCore
import Testing

@testable import LocwatchDoctor
@testable import LocwatchSystem

/// One thing that is wrong with a machine, and what the check for it says.
struct CheckCase: Sendable, CustomTestStringConvertible {
  let check: String
  let target: String
  let finding: Finding
  /// Makes the machine sick.
  let change: @Sendable (inout SickMachine) throws -> Void

  init(
    _ check: String, _ target: String = "localhost", is finding: Finding,
    if change: @escaping @Sendable (inout SickMachine) throws -> Void
  ) {
    self.check = check
    self.target = target
    self.finding = finding
    self.change = change
  }

  var testDescription: String { "\(check): \(finding.seen)" }
}

extension CheckCase {
  static let noReceivers = [SickMachine.answer, LocationEvent.receivers([])]
  static let silent = [SickMachine.answer, SickMachine.receivers(driver: nil)]
  static let user = SickMachine.status(user: 4711, groups: 4, 24)

  /// Problems that no session shows, in the order of the checks.
  static let all = ofPorts + ofNetwork + ofGPSD + ofReceivers
}
