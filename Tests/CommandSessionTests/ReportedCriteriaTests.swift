import LocationCore
import LocwatchTestSupport
import TestSupport
import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem

/// A report says which fixes count. Its words stand beside the options, which may get another criterion.
@Suite struct `What a report says of criteria` {
  private static let session = Session(
    file: "", rule: "",
    inputs: [Session.Input(kind: .gpsd, name: "", lines: ["0..5 TPV mode=2", "6..9 TPV"])])

  /// Values of options, by the names that the help gives them.
  private static let values = ["M": "7", "DUR": "7s", "Q": "dgps", "2d|3d": "3d"]

  /// The options that change the criteria.
  private static let criteria: [[String]] = OptionTable.options.map { option in
    ["--\(option.long)"] + (option.valueName.map { [values[$0] ?? "?"] } ?? [])
  }.filter { words in
    var criteria =
      (try? Options(arguments: words.map { Argument($0) }, environment: [:]))?.criteria
      ?? FixCriteria()
    criteria.request.correctsDates = false
    return criteria != FixCriteria()
  }

  @Test func `is that of each option that leaves out fixes`() async throws {
    let usual = try await reports(with: [])
    var sentences: Set<String> = []
    for option in Self.criteria {
      let (text, json) = try await reports(with: option)
      #expect(json.contains { $0.contains(#""filter":{""#) }, "\(option)")
      let new = text.filter { $0.contains("only those") && !usual.text.contains($0) }
      #expect(new.count == 1, "\(option): \(text)")
      sentences.formUnion(
        new.compactMap { $0.split(separator: "only those ").last.map(String.init) })
    }
    #expect(sentences.count == 6 && Self.criteria.count == 6)
  }

  /// Returns the lines of the reports of a run as text and as JSON.
  private func reports(with option: [String]) async throws -> (text: [String], json: [String]) {
    var reports: [[String]] = []
    for ending in ["txt", "json"] {
      let folder = try TemporaryFolder()
      _ = try await Play.output(
        of: option + ["--duration", "9s", "--report", "./report.\(ending)"], in: Self.session,
        folder)
      reports.append(Stage.shell("cat report.\(ending)", in: folder))
    }
    return (reports[0], reports[1])
  }
}
