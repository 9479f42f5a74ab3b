/// A check for one problem between a receiver and the programs that need its position.
package struct Check: Sendable {
  /// The name in the text and in JSON.
  package let name: String
  /// What can be wrong, as a sentence for the manual page.
  package let problem: String
  /// How far the chain has to reach before the check can find anything.
  package let reach: Conversation.Reach
  /// The names of the checks that explain what this one finds: if one of them finds something wrong, this one
  /// has nothing to add.
  let causes: [String]
  /// Returns how long the finding can still change; `nil` if nothing that may come would change it.
  let wait: @Sendable (Listening) -> Wait?
  /// Returns what was found, without the name: for each receiver, or for all.
  let look: @Sendable (Examination) -> [Finding]

  /// - Parameter look: Returns what is found; `nil` if there is nothing to say.
  init(
    _ name: String, _ problem: String, from reach: Conversation.Reach = .nothing,
    unless causes: [String] = [], wait: @escaping @Sendable (Listening) -> Wait? = { _ in nil },
    look: @escaping @Sendable (Examination) -> Finding?
  ) {
    self.init(
      name, problem, from: reach, unless: causes, wait: wait,
      each: { [look($0)].compactMap(\.self) })
  }

  /// - Parameter each: Returns what was found for each receiver.
  init(
    _ name: String, _ problem: String, from reach: Conversation.Reach = .nothing,
    unless causes: [String] = [], wait: @escaping @Sendable (Listening) -> Wait? = { _ in nil },
    each: @escaping @Sendable (Examination) -> [Finding]
  ) {
    self.name = name
    self.problem = problem
    self.reach = reach
    self.causes = causes
    self.wait = wait
    look = each
  }
}

extension Check {
  /// All checks, in the order of the chain: each one follows the checks that explain what it finds.
  package static let all: [Check] = [
    container, ipv6, network, sentences, replug,
    port, uart, permissions, appArmor, console, probing, sharing,
    gpsd, startup, listening, devices,
    receiver, speed, binary,
    jamming, sky,
    date, pps, chrony,
    client,
  ]

  /// Checks that explain why gpsd has no receiver or receives nothing from it. The hints of a run use their findings.
  static let withoutReports = [
    replug, port, uart, permissions, appArmor, console, sharing, devices, receiver, speed,
  ]

  /// Returns the findings of checks, without problems that another problem explains.
  package static func findings(of examination: Examination, by checks: [Check] = all) -> [Finding] {
    var findings: [Finding] = []
    for check in checks where check.reach <= examination.conversation?.reach ?? .nothing {
      for var finding in check.look(examination) {
        finding.name = check.name
        let isExplained = findings.contains {
          check.causes.contains($0.name) && $0.explains(finding)
        }
        if finding.isWell == true || !isExplained { findings.append(finding) }
      }
    }
    return findings
  }
}

extension Finding {
  /// Whether this is a problem of the same receiver.
  fileprivate func explains(_ other: Finding) -> Bool {
    isWell == false && (device == nil || other.device == nil || device == other.device)
  }
}
