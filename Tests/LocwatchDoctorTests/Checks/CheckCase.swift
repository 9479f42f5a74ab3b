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
  static let restart: ShellText = "sudo systemctl restart gpsd"
  static let noReceivers = [SickMachine.answer, LocationEvent.receivers([])]
  static let silent = [SickMachine.answer, SickMachine.receivers(driver: nil)]

  static func setDevices(_ path: ShellText) -> [ShellText] {
    [#"sudo sed -i 's|^DEVICES=.*|DEVICES="\#(path)"|' /etc/default/gpsd"#, restart]
  }

  static func setOptions(_ options: ShellText) -> [ShellText] {
    [#"sudo sed -i 's|^GPSD_OPTIONS=.*|GPSD_OPTIONS="\#(options)"|' /etc/default/gpsd"#, restart]
  }

  static func listen(_ addresses: ShellText) -> [ShellText] {
    [
      "sudo mkdir -p /etc/systemd/system/gpsd.socket.d",
      """
      printf '[Socket]\\nListenStream=\\nListenStream=/run/gpsd.sock\\n\(addresses)\\n' | \
      sudo tee /etc/systemd/system/gpsd.socket.d/locwatch.conf
      """,
      "sudo systemctl daemon-reload",
      "sudo systemctl stop gpsd.service gpsd.socket",
      "sudo systemctl start gpsd.socket",
    ]
  }

  static let user = SickMachine.status(user: 4711, groups: 4, 24)

  /// Each problem, in the order of the checks.
  static let all = ofPorts + ofReplug + ofNetwork + ofGPSD + ofReceivers + ofSeveral

  static let quiet: Message =
    "Move the antenna away from USB 3 plugs, cameras, displays and radios."
}
