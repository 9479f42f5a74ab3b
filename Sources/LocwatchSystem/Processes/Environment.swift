import Glibc

/// The environment variables of the command.
package struct Environment: Sendable {
  /// `nil` for the variables of the process, which are looked up one by one.
  private let given: [String: String]?

  package static let ofProcess = Environment(given: nil)

  package init(_ variables: [String: String]) { self.init(given: variables) }

  private init(given: [String: String]?) { self.given = given }

  package subscript(name: String) -> String? {
    if let given { return given[name] }
    return unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  package subscript(name: String, default value: String) -> String { self[name] ?? value }

  /// Returns all variables as `NAME=value` for a child process, with one of them set, and without the user
  /// and the password of a caster.
  package func entries(setting name: String, to value: String) -> [String] {
    (given?.map { "\($0.key)=\($0.value)" } ?? Self.entriesOfProcess)
      .filter { !$0.hasPrefix("\(name)=") && !$0.hasPrefix("NTRIP_") } + ["\(name)=\(value)"]
  }

  private static var entriesOfProcess: [String] {
    var entries: [String] = []
    var next = unsafe environ
    while let entry = unsafe next.pointee {
      entries.append(unsafe String(cString: entry))
      unsafe next += 1
    }
    return entries
  }
}

extension Environment: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral variables: (String, String)...) {
    self.init(Dictionary(uniqueKeysWithValues: variables))
  }
}
