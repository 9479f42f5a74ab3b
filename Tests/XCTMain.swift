import Foundation
import Testing

/// The entry point of all tests.
///
/// SwiftPM would write one, and would need an index of all sources to find the tests of XCTest: a fifth of a
/// build. Swift Testing finds its tests by itself, and runs the few tests of XCTest in processes of their own.
@main
struct TestRunner {
  static func main() async {
    // Where a package has an entry point, 'swift test' runs XCTest alone, and would pass without a test.
    guard CommandLine.arguments.contains("swift-testing") else {
      let hint = """
        error: no test was run. 'make test-one FILTER=UpdateFilterTests' runs a few, \
        'make test' all; 'swift test' needs the options --disable-xctest and --enable-swift-testing.

        """
      FileHandle.standardError.write(Data(hint.utf8))
      exit(1)
    }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
