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

  /// All variables as `NAME=value` for a child process, without the user and the password of a caster.
  package var entries: [String] {
    (given?.map { "\($0.key)=\($0.value)" } ?? Self.entriesOfProcess)
      .filter { !$0.hasPrefix("NTRIP_") }
  }

  /// Returns the ``entries`` with one of them set.
  package func entries(setting name: String, to value: String) -> [String] {
    entries.filter { !$0.hasPrefix("\(name)=") } + ["\(name)=\(value)"]
  }

  /// Returns the path of a program in a directory of PATH or in one of others; `nil` if it is in none.
  package func program(_ name: String, or directories: [String]) -> String? {
    let path = self["PATH", default: ""].split(separator: ":").map(String.init)
    return (path + directories).lazy.map { "\($0)/\(name)" }.first { program in
      var status = stat()
      return unsafe stat(program, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        && access(program, X_OK) == 0
    }
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
