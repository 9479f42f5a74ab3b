/// What a check found.
struct Finding: Equatable, Sendable {
  /// The name of the check.
  var name: String
  /// Whether all is well; `nil` if that could not be seen.
  var isWell: Bool?
  /// What was seen.
  var seen: String
  /// What to do; empty if all is well.
  var remedy: Remedy

  /// What mends something.
  struct Remedy: Equatable, Sendable {
    /// Sentences; empty if the commands say it all.
    var words = ""
    /// Commands for a shell, in their order.
    var commands: [String] = []

    static let none = Remedy()
    /// What to do where only root can look.
    static let root = Remedy(words: "Only root can see that: 'sudo locwatch --doctor'.")

    var isEmpty: Bool { words.isEmpty && commands.isEmpty }
  }
}

/// What a check says, without its name.
struct Verdict: Equatable, Sendable {
  var isWell: Bool?
  var seen: String
  var remedy = Finding.Remedy.none

  static func well(_ seen: String) -> Verdict { Verdict(isWell: true, seen: seen) }

  /// - Parameters:
  ///   - words: What to do, in sentences.
  ///   - commands: What to run.
  static func wrong(_ seen: String, _ words: String = "", run commands: [String] = []) -> Verdict {
    Verdict(
      isWell: false, seen: seen, remedy: Finding.Remedy(words: words, commands: commands))
  }

  static func unknown(
    _ seen: String, _ words: String = "", run commands: [String] = []
  ) -> Verdict {
    Verdict(isWell: nil, seen: seen, remedy: Finding.Remedy(words: words, commands: commands))
  }

  /// Something that only root can see.
  static func hidden(_ seen: String) -> Verdict {
    Verdict(isWell: nil, seen: seen, remedy: .root)
  }
}

extension [Finding] {
  /// 0 if all is well, 1 if something is wrong, 2 if something may be.
  var exitStatus: ExitStatus {
    if contains(where: { $0.isWell == false }) { return .wrong }
    return contains { $0.isWell == nil } ? .doubt : .success
  }
}
