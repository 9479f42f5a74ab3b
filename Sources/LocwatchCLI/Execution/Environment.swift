import Glibc

/// The variables that the command was started with. Few of them matter, and those are looked up.
package struct Environment: Sendable {
  /// `nil` where they are the process's own.
  private let given: [String: String]?

  package static let ofProcess = Environment(given: nil)

  package init(_ variables: [String: String]) { self.init(given: variables) }

  private init(given: [String: String]?) { self.given = given }

  subscript(name: String) -> String? {
    if let given { return given[name] }
    return unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  subscript(name: String, default value: String) -> String { self[name] ?? value }

  /// All of them as `NAME=value`, with one set that a child is to have.
  func entries(setting name: String, to value: String) -> [String] {
    (given?.map { "\($0.key)=\($0.value)" } ?? Self.entriesOfProcess)
      .filter { !$0.hasPrefix("\(name)=") } + ["\(name)=\(value)"]
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
