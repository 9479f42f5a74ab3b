import Foundation
import Testing

/// The entry point of all tests, which use Swift Testing.
///
/// SwiftPM would write one, and would need an index of all sources to find the tests of XCTest: a fifth of a
/// build. Where a package has an entry point, 'swift test' starts it as it would start the tests of XCTest.
@main
struct TestRunner {
  static func main() async {
    // How 'swift test' asks for the names of the tests of XCTest, to run those that a filter matches.
    guard !CommandLine.arguments.contains("--dump-tests-json") else {
      let hint = """
        error: 'swift test' filters with --disable-xctest --enable-swift-testing --filter PATTERN; \
        'make test-one FILTER=PATTERN' compiles only what it needs.

        """
      FileHandle.standardError.write(Data(hint.utf8))
      exit(1)
    }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
