/// What the command line asks for.
struct FuzzOptions {
  /// The most mutated lines.
  var lines = 1_000_000
  /// No further round begins after so many seconds.
  var seconds = 60.0
  /// The first round's; each has the next number.
  var seed: UInt64 = 1

  /// How many mutated lines Python's json reads, too.
  var comparedLines = 300_000

  static let usage = "Usage: fuzz [--lines N] [--compared-lines N] [--seconds S] [--seed N]\n"

  /// `nil` where it makes no sense.
  init?(_ arguments: [String]) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let value = rest.popFirst() ?? ""
      switch argument {
      case "--lines":
        guard let lines = Int(value) else { return nil }
        self.lines = lines
      case "--compared-lines":
        guard let lines = Int(value) else { return nil }
        comparedLines = lines
      case "--seconds":
        guard let seconds = Double(value) else { return nil }
        self.seconds = seconds
      case "--seed":
        guard let seed = UInt64(value) else { return nil }
        self.seed = seed
      default: return nil
      }
    }
  }
}
