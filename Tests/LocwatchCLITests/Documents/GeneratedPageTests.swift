import LocwatchSystem
import TestSupport
import Testing

@testable import LocwatchCLI

/// The completions, compared with the files in Stories.
///
/// After a change of an option, `make approve FILTER=GeneratedPageTests`
/// writes them again; look at each difference.
@Suite struct `The approved output of --generate` {
  @Test(arguments: [GeneratedFile.bash, .zsh, .fish])
  func `is unchanged`(file: GeneratedFile) throws {
    let text = file.text(version: "1.2.3")
    let difference = try ApprovedText.difference(of: text, from: file.rawValue)
    #expect(difference == nil)
  }
}
