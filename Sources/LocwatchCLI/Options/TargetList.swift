import GPSDLocation
import LocationCore
import LocwatchSystem

/// Targets with distinct names, from the command line or a file.
struct TargetList {
  private(set) var targets: [NamedTarget] = []
  /// The names of the targets.
  private var names: Set<String> = []

  /// The maximum length of a list, in bytes: a hundred thousand targets.
  private static let maximumLength = 8 << 20

  init(_ operands: [String]) throws(UsageError) {
    for operand in operands { try add(NamedTarget(operand: operand)) }
  }

  /// Reads a file with one target per line. Empty lines and lines that begin with `#` are skipped.
  ///
  /// - Parameter operands: The targets of the command line, which come first.
  init(_ operands: [NamedTarget], contentsOf path: FilePath) throws(Failure) {
    let bytes: [UInt8]
    do throws(LocationError) {
      let file = path.isStandardStream ? .standardInput : try RecordingFile(path: path)
      bytes = try file.contents(upTo: Self.maximumLength + 1)
    } catch {
      throw Failure(.noInput, "\(error.detail)")
    }
    guard bytes.count <= Self.maximumLength else {
      throw Failure(
        .usage,
        "\(path) is longer than \(Self.maximumLength >> 20) MiB, too long for a list of targets")
    }
    try self.init(operands, bytes, of: path)
  }

  /// - Parameters:
  ///   - bytes: The contents of the file.
  ///   - path: The file, for messages.
  init(_ operands: [NamedTarget], _ bytes: [UInt8], of path: FilePath) throws(Failure) {
    targets = operands
    names = Set(operands.map(\.name))
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      do throws(UsageError) {
        try add(line: line)
      } catch {
        throw Failure(.usage, "\(path):\(index + 1): \(error.message)")
      }
    }
    guard !targets.isEmpty else { throw Failure(.usage, "\(path) lists no target") }
  }

  private mutating func add(line: ArraySlice<UInt8>) throws(UsageError) {
    let words = line.split(maxSplits: 2, whereSeparator: Self.isBlank)
    guard let word = words.first, word.first != UInt8(ascii: "#") else { return }
    let named = try NamedTarget(operand: Argument(bytes: word).validText)
    if words.count > 1, words[1].first != UInt8(ascii: "#") {
      let text = String(decoding: words[1], as: UTF8.self).withoutTypedUserInfo
      throw UsageError("'\(text)' follows the target")
    }
    try add(named)
  }

  /// Whether a byte separates words. The bytes of other blank characters are part of a word.
  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
  }

  private mutating func add(_ target: NamedTarget) throws(UsageError) {
    guard names.insert(target.name).inserted else {
      throw UsageError("two targets are named '\(target.name)'")
    }
    targets.append(target)
  }
}

extension TargetList {
  /// The changes from one list of targets to another.
  struct Changes: Equatable {
    /// The targets that are no longer listed, or have another address or device.
    var gone: [NamedTarget] = []
    /// The targets that are new, or have another address or device.
    var added: [NamedTarget] = []
  }

  /// Returns the changes from one list to another, in the order of each list.
  static func changes(from old: [NamedTarget], to new: [NamedTarget]) -> Changes {
    Changes(gone: old.without(new), added: new.without(old))
  }
}

extension [NamedTarget] {
  /// Returns the targets that another list does not have. Names are distinct in each.
  fileprivate func without(_ others: [NamedTarget]) -> [NamedTarget] {
    let others = Dictionary(others.map { ($0.name, $0) }) { first, _ in first }
    return filter { others[$0.name] != $0 }
  }
}
