import GPSDLocation

/// Targets with distinct names, from the command line or a file.
struct TargetList {
  private(set) var targets: [NamedTarget] = []

  init(_ operands: [String]) throws(UsageError) {
    for operand in operands { try add(operand) }
  }

  /// Reads a file with one target a line. Empty lines and lines that begin with `#` are skipped.
  ///
  /// - Parameter operands: The targets of the command line, which come first.
  init(_ operands: [NamedTarget], contentsOf path: FilePath) throws(Failure) {
    targets = operands
    let text: String
    do throws(GPSDError) {
      let file = path.isStandardStream ? .standardInput : try RecordingFile(path: path)
      text = String(decoding: try file.contents(), as: UTF8.self)
    } catch {
      throw Failure(.noInput, error.detail)
    }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let words = line.split(whereSeparator: \.isWhitespace)
      guard let word = words.first, !word.hasPrefix("#") else { continue }
      do throws(UsageError) {
        if words.count > 1, !words[1].hasPrefix("#") {
          throw UsageError("'\(words[1])' follows the target")
        }
        try add(String(word))
      } catch {
        throw Failure(.usage, "\(path):\(index + 1): \(error.message)")
      }
    }
    guard !targets.isEmpty else { throw Failure(.usage, "\(path) lists no target") }
  }

  private mutating func add(_ operand: String) throws(UsageError) {
    let target = try NamedTarget(operand: operand)
    guard !targets.contains(where: { $0.name == target.name }) else {
      throw UsageError("two targets are named '\(target.name)'")
    }
    targets.append(target)
  }
}
