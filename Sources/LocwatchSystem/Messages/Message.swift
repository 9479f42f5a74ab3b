import LocationText

/// A message for people, of one or more lines.
///
/// Its literal text is locwatch's own. What is inserted is escaped, so a newline or a control character that
/// comes from outside neither begins a line nor reaches a terminal:
///
///     let message: Message = "cannot open \(path)\nIs it there?"
///
/// A message that is inserted keeps its lines. A `String` becomes part of a message only by being inserted.
package struct Message: Equatable, Sendable {
  /// The lines, separated by newlines.
  package private(set) var text: String

  package var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

  /// - Parameter lines: Messages that each begin a line.
  package init(lines: [Message]) { text = lines.map(\.text).joined(separator: "\n") }

  package var isEmpty: Bool { text.isEmpty }

  /// The message with a full stop instead of a colon at its end.
  package var withoutColon: Message {
    guard text.hasSuffix(":") else { return self }
    var message = self
    message.text.removeLast()
    message.text += "."
    return message
  }

  package static func + (left: Message, right: Message) -> Message {
    var sum = left
    sum.text += right.text
    return sum
  }
}

extension Message: CustomStringConvertible {
  package var description: String { text }
}

extension Message: ExpressibleByStringInterpolation {
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    package init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity)
    }

    package mutating func appendLiteral(_ literal: String) { text += literal }

    package mutating func appendInterpolation(_ message: Message) { text += message.text }

    package mutating func appendInterpolation(_ value: some LookedUp) { text += value.shellText }

    package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      var buffer = TextBuffer()
      buffer.append(visible: value.description, maximum: .max)
      text += buffer.string
    }
  }

  package init(stringLiteral literal: String) { text = literal }

  package init(stringInterpolation interpolation: StringInterpolation) { text = interpolation.text }
}
