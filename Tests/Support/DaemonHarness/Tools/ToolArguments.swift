/// The command line of a tool, word by word.
package struct ToolArguments {
  private var rest: ArraySlice<String>

  package init(_ words: some Sequence<String>) {
    rest = Array(words)[...]
  }

  /// Removes the first word and returns it; `nil` after the last one.
  package mutating func next() -> String? { rest.popFirst() }

  /// Removes the value of an option.
  package mutating func value(of option: String) throws(UsageError) -> String {
    guard let value = next() else { throw UsageError("\(option) needs a value") }
    return value
  }

  /// Removes the value of an option, which is a number.
  package mutating func value<Value: LosslessStringConvertible & Comparable>(
    of option: String, in range: ClosedRange<Value>
  ) throws(UsageError) -> Value {
    let text = try value(of: option)
    guard let value = Value(text), range.contains(value) else {
      throw UsageError("\(option): '\(text)' is not in \(range)")
    }
    return value
  }
}

/// A command line that makes no sense, in words.
package struct UsageError: Error {
  package let message: String

  package init(_ message: String) {
    self.message = message
  }
}
