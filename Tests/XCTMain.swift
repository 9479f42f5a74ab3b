import Foundation
import Testing

/// The entry point of all tests, which use Swift Testing.
///
/// SwiftPM would write one, and would need an index of all sources to find the tests of XCTest: a fifth of a
/// build. Where a package has an entry point, `swift test` starts it as it would start the tests of XCTest:
///
/// - without arguments, for all tests;
/// - with `--dump-tests-json`, if tests are to be selected, for their names, of which it then passes those that it
///   selects. It selects nothing here: its options are passed on to Swift Testing.
@main
struct TestRunner {
  static func main() async {
    // A thousand tests at a time would wait for a processor, and those of processes would start a thousand of them.
    let width = 2 * ProcessInfo.processInfo.activeProcessorCount
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "\(width)", 0)
    switch CommandLine.arguments.dropFirst().first {
    case "--dump-tests-json": dumpNames()
    case let name? where !name.hasPrefix("-"): runSelection()
    default: await Testing.__swiftPMEntryPoint() as Never
    }
  }

  /// Prints one name, which its own pattern selects.
  private static func dumpNames() {
    let patterns = selection(of: ["--filter"]).map(\.pattern)
    let name = patterns.joined(separator: "|")
    func group(_ tests: [Any]) -> [String: Any] { ["name": "All", "tests": tests] }
    let names = group([group([group([["name": name]])])])
    FileHandle.standardOutput.write((try? JSONSerialization.data(withJSONObject: names)) ?? Data())
  }

  /// Starts this program again, with the options of `swift test` that select tests.
  private static func runSelection() -> Never {
    let options = selection(of: ["--filter", "--skip"]).flatMap { [$0.option, $0.pattern] }
    let arguments = ([CommandLine.arguments[0]] + options).map { strdup($0) }
    execv("/proc/self/exe", arguments + [nil])
    perror("/proc/self/exe")
    exit(71)
  }

  /// The options of the program that has started this one: `swift test`.
  private static func selection(of names: Set<String>) -> [(option: String, pattern: String)] {
    let command = (try? Data(contentsOf: URL(filePath: "/proc/\(getppid())/cmdline"))) ?? Data()
    let words = command.split(separator: 0, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    return words.indices.compactMap { index in
      let parts = words[index].split(separator: "=", maxSplits: 1).map(String.init)
      guard let name = parts.first, names.contains(name) else { return nil }
      let pattern = parts.count > 1 ? parts[1] : index + 1 < words.count ? words[index + 1] : ""
      return (name, pattern)
    }
  }
}
