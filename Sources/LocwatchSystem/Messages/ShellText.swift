/// A command for a shell, or a part of one, which is printed to be copied and run, perhaps by root.
///
/// It consists of locwatch's own literal text, of what locwatch has looked up itself (``LookedUp``), and of
/// arguments of the command line, which are quoted. Nothing else can be inserted: what gpsd, a caster or
/// another user's process says does not become part of a command.
package struct ShellText: Equatable, Sendable {
  package private(set) var text: String

  /// Returns texts with a blank between each two of them.
  package static func joined(_ parts: [ShellText]) -> ShellText {
    var text: ShellText = ""
    text.text = parts.map(\.text).joined(separator: " ")
    return text
  }
}

extension ShellText: CustomStringConvertible {
  package var description: String { text }
}

extension ShellText: ExpressibleByStringInterpolation {
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    package init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity)
    }

    package mutating func appendLiteral(_ literal: String) { text += literal }

    package mutating func appendInterpolation(_ part: ShellText) { text += part.text }

    package mutating func appendInterpolation(_ value: some LookedUp) { text += value.shellText }

    /// - Parameter argument: An argument of locwatch's own command line.
    package mutating func appendInterpolation(argument: String) {
      text +=
        argument.isPlainInShell && !argument.hasPrefix("-")
        ? argument
        : "'\(argument.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#))'"
    }
  }

  package init(stringLiteral literal: String) { text = literal }

  package init(stringInterpolation interpolation: StringInterpolation) { text = interpolation.text }
}

extension String {
  /// Whether a shell and sed take the text for what it is, without quotation marks.
  var isPlainInShell: Bool { !isEmpty && utf8.allSatisfy(\.isPlainInShell) }
}

extension UInt8 {
  fileprivate var isPlainInShell: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: "/._-+:,@=".utf8.contains(self)
    }
  }
}
