import LocwatchSystem
import TestSupport
import Testing

@testable import LocwatchCLI

/// What `--generate` prints, compared with the files in Stories.
///
/// After a change of an option or of the manual, `LOCWATCH_WRITE_STORIES=1 make test-one FILTER=GeneratedPageTests`
/// writes them again; look at each difference.
@Suite struct `The pages of --generate, as they were read and approved` {
  @Test(arguments: GeneratedFile.allCases)
  func `are these`(file: GeneratedFile) throws {
    let text = file.text(version: "1.2.3").replacing(versionDate, with: "2001-02-03")
    let difference = try ApprovedText.difference(of: text, from: file.rawValue)
    #expect(difference == nil)
  }
}
