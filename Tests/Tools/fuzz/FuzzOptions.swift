import Fuzzing

/// What the command line asks for.
struct FuzzOptions {
  /// What is fed: everything unless some are named.
  var targets: [FuzzTargetName] = []
  /// How long all targets take together. Each has an equal part, and begins no round after it.
  var seconds = 120.0
  /// The most rounds of a target; `nil` if only the time limits them.
  var rounds: Int?
  /// The seed of the first round; each has the next number.
  var seed: UInt64 = 1
  /// Whether only the names of the targets are asked for.
  var lists = false

  static let usage = """
    Usage: fuzz [--target NAME]... [--seconds S] [--rounds N] [--seed N] | --list
    Targets: \(FuzzTargetName.allCases.map(\.rawValue).joined(separator: ", "))

    """

  /// `nil` if the arguments make no sense.
  init?(_ arguments: [String]) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--list" {
        lists = true
        continue
      }
      let value = rest.popFirst() ?? ""
      switch argument {
      case "--target":
        guard let target = FuzzTargetName(rawValue: value) else { return nil }
        targets.append(target)
      case "--seconds":
        guard let seconds = Double(value) else { return nil }
        self.seconds = seconds
      case "--rounds":
        guard let rounds = Int(value) else { return nil }
        self.rounds = rounds
      case "--seed":
        guard let seed = UInt64(value) else { return nil }
        self.seed = seed
      default: return nil
      }
    }
    if targets.isEmpty { targets = FuzzTargetName.allCases }
  }
}
