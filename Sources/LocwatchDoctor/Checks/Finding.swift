package import LocwatchSystem

/// What a check found.
package struct Finding: Equatable, Sendable {
  /// The name of the check, which ``Check/findings(of:by:)`` sets.
  package var name = ""
  /// Whether all is well; `nil` if that could not be seen.
  var isWell: Bool?
  /// What was seen.
  var seen: String
  /// What to do; empty if all is well.
  package var remedy = Remedy.none
  /// The receiver that the check looked at; `nil` if it looked at no single one.
  package var device: String?

  static func well(_ seen: String) -> Finding { Finding(isWell: true, seen: seen) }

  /// - Parameters:
  ///   - words: What to do, in sentences.
  ///   - commands: What to run.
  static func wrong(
    _ seen: String, _ words: Message = "", run commands: [ShellText]? = nil
  ) -> Finding {
    Finding(isWell: false, seen: seen, remedy: Remedy(words, run: commands))
  }

  static func unknown(
    _ seen: String, _ words: Message = "", run commands: [ShellText]? = nil
  ) -> Finding {
    Finding(isWell: nil, seen: seen, remedy: Remedy(words, run: commands))
  }

  /// Something that only root can see.
  static func hidden(_ seen: String) -> Finding {
    Finding(isWell: nil, seen: seen, remedy: .root)
  }

  /// Returns the finding about one of several receivers.
  func on(_ device: String) -> Finding {
    var finding = self
    finding.device = device
    return finding
  }
}

extension [Finding] {
  /// 0 if all is well, 1 if something is wrong, 2 if something may be.
  package var exitStatus: ExitStatus {
    if contains(where: { $0.isWell == false }) { return .wrong }
    return contains { $0.isWell == nil } ? .doubt : .success
  }
}
