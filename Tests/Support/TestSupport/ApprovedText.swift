import Foundation

/// Texts that were read and approved, as files in the folder `Stories` beside the test that compares them.
package enum ApprovedText {
  /// Returns the first line of a text that is not in its file; `nil` if they are the same.
  ///
  /// With ``Approval``, the file is written first.
  ///
  /// - Parameters:
  ///   - name: The name of the file, without `.txt`.
  ///   - test: The path of the test.
  package static func difference(
    of text: String, from name: String, beside test: String = #filePath
  ) throws -> String? {
    let file = URL(filePath: test).deletingLastPathComponent()
      .appending(path: "Stories/\(name).txt")
    if Approval.isGiven {
      try Data(text.utf8).write(to: file)
    }
    let actual = text.split(separator: "\n", omittingEmptySubsequences: false)
    let expected = try String(contentsOf: file, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    for (number, (line, other)) in zip(actual, expected).enumerated() where line != other {
      return "\(name).txt:\(number + 1): \(line), not \(other)"
    }
    guard actual.count != expected.count else { return nil }
    return "\(name).txt has \(expected.count) lines, not \(actual.count)"
  }
}

/// Whether what comes out is written into the texts that tests compare, as `make approve` does.
package enum Approval {
  package static let isGiven = ProcessInfo.processInfo.environment["LOCWATCH_APPROVE"] != nil
}
