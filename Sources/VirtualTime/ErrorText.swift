/// Errors in one line.
enum ErrorText {
  /// The maximum number of characters of an error.
  private static let maximumLength = 300

  static func line(_ error: any Error) -> String {
    let text = expectation(of: error) ?? "\(error)"
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    // It can end in the test's own error, which is that long at most.
    if error is VirtualTimeError { return line }
    return line.count > maximumLength ? "\(line.prefix(maximumLength))…" : line
  }

  /// The condition of a failed `#require`, its values and its place; `nil` for other errors. Swift Testing's error
  /// describes itself by all of its members, and this module does not depend on Swift Testing.
  private static func expectation(of error: any Error) -> String? {
    guard let expectation = Mirror(reflecting: error).descendant("expectation"),
      let expression = Mirror(reflecting: expectation).descendant("evaluatedExpression")
    else { return nil }
    var values: [String] = []
    let condition = source(of: expression, addingTo: &values)
    var text = "failed: \(condition)"
    if !values.isEmpty { text += ", where \(values.joined(separator: ", "))" }
    let location = Mirror(reflecting: expectation)
    if let file = location.descendant("sourceLocation", "fileID"),
      let line = location.descendant("sourceLocation", "line")
    {
      text += " (\(file):\(line))"
    }
    return text
  }

  /// Returns the source of an expression, and adds what its parts were.
  private static func source(of expression: Any, addingTo values: inout [String]) -> String {
    let mirror = Mirror(reflecting: expression)
    guard let kind = mirror.descendant("kind").map(Mirror.init(reflecting:))?.children.first else {
      return "\(expression)"
    }
    let parts = Mirror(reflecting: kind.value)
    func part(_ name: String) -> String? {
      parts.descendant(name).map { source(of: $0, addingTo: &values) }
    }
    switch kind.label {
    case "binaryOperation":
      let sides = [part("lhs"), parts.descendant("operator").map { "\($0)" }, part("rhs")]
      return sides.compactMap(\.self).joined(separator: " ")
    case "functionCall":
      let subject = parts.descendant("value", "some").map {
        source(of: $0, addingTo: &values) + "."
      }
      let arguments =
        parts.descendant("arguments").map { Mirror(reflecting: $0).children } ?? .init([])
      let words = arguments.map { argument -> String in
        let argument = Mirror(reflecting: argument.value)
        let label = argument.descendant("label", "some").map { "\($0): " } ?? ""
        let value = argument.descendant("value").map { source(of: $0, addingTo: &values) } ?? ""
        return label + value
      }
      return
        "\(subject ?? "")\(parts.descendant("functionName") ?? "")(\(words.joined(separator: ", ")))"
    case "negation":
      return "!" + (parts.children.first.map { source(of: $0.value, addingTo: &values) } ?? "")
    default:
      let source =
        kind.value as? String ?? parts.descendant("sourceCode").map { "\($0)" } ?? "\(kind.value)"
      if let value = mirror.descendant("runtimeValue", "some", "description").map({ "\($0)" }),
        value != source, !source.hasPrefix("\"")
      {
        values.append("\(source) is \(value)")
      }
      return source
    }
  }
}
