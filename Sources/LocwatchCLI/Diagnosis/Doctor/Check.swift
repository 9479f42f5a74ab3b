/// One thing that can be wrong between a receiver and the programs that want its position.
struct Check: Sendable {
  /// The name in the text and in JSON.
  let name: String
  /// What can be wrong, as a sentence for the manual page.
  let problem: String
  /// How far the chain has to reach for the check to say anything.
  let reach: Conversation.Reach
  /// Returns what is found; `nil` if there is nothing to say.
  let look: @Sendable (Examination) -> Verdict?

  init(
    _ name: String, _ problem: String, from reach: Conversation.Reach = .nothing,
    look: @escaping @Sendable (Examination) -> Verdict?
  ) {
    self.name = name
    self.problem = problem
    self.reach = reach
    self.look = look
  }
}

extension Check {
  /// All checks, in the order of the chain.
  static let all: [Check] = [
    container, ipv6,
    port, uart, permissions, appArmor, console, probing, sharing,
    gpsd, startup, listening, devices,
    receiver, speed, binary,
    sky, jamming,
    date, pps, chrony,
    client,
  ]

  /// Returns what all checks find.
  static func findings(of examination: Examination) -> [Finding] {
    all.compactMap { check in
      guard check.reach <= examination.conversation?.reach ?? .nothing,
        let verdict = check.look(examination)
      else { return nil }
      return Finding(
        name: check.name, isWell: verdict.isWell, seen: verdict.seen, remedy: verdict.remedy)
    }
  }
}
