import GPSDProtocol
import LocwatchSystem

/// Parses the arguments of a command line.
struct OptionParser {
  private(set) var options: Options
  /// The options on the line.
  private(set) var given: [Option.Name] = []
  private(set) var operands: [String] = []
  /// The first error. Parsing continues, because a `--help` may follow.
  private(set) var failure: UsageError?
  private var rest: ArraySlice<Argument> = []

  init(options: Options) { self.options = options }

  mutating func read(_ arguments: [Argument]) {
    rest = arguments[...]
    while let argument = rest.popFirst() {
      let dashes = argument.bytes.prefix { $0 == UInt8(ascii: "-") }
      do throws(UsageError) {
        switch (dashes.count, argument.bytes.count) {
        case (0, _), (1, 1):
          operands.append(try argument.validText)
        case (1, _):
          try readShort(argument)
        case (2, 2):
          for operand in rest { operands.append(try operand.validText) }
          return
        default:
          try readLong(argument)
        }
      } catch {
        failure = failure ?? error
      }
    }
  }

  private mutating func readLong(_ argument: Argument) throws(UsageError) {
    let bytes = argument.bytes.dropFirst(2)
    let end = bytes.firstIndex(of: UInt8(ascii: "=")) ?? bytes.endIndex
    let name = Argument(bytes: bytes[..<end]).text
    let value = end < bytes.endIndex ? Argument(bytes: bytes[end...].dropFirst()) : nil
    guard let option = OptionTable.option(long: name) else {
      let nearest =
        GeneratedFile(rawValue: name).map { "generate \($0.rawValue)" }
        ?? nearestName(to: name, among: OptionTable.options.map(\.long))
      throw Self.unknown("--\(name)", nearest: nearest)
    }
    try apply(option, as: "--\(name)", attached: value)
  }

  private mutating func readShort(_ argument: Argument) throws(UsageError) {
    var bytes = argument.bytes.dropFirst()
    var letters = argument.text.dropFirst()
    while let letter = letters.popFirst() {
      // The letters of all options are ASCII.
      bytes = bytes.dropFirst()
      guard let option = OptionTable.option(short: letter) else {
        // An argument such as `-json` probably lacks a dash.
        let nearest = OptionTable.option(long: String(argument.text.dropFirst()))?.long
        failure = failure ?? Self.unknown("-\(letter)", nearest: nearest)
        continue
      }
      let takesRest = option.valueName != nil && !letters.isEmpty
      try apply(option, as: "-\(letter)", attached: takesRest ? Argument(bytes: bytes) : nil)
      if takesRest { return }
    }
  }

  private mutating func apply(
    _ option: Option, as name: @autoclosure () -> String, attached: Argument?
  ) throws(UsageError) {
    given.append(option.name)
    guard let valueName = option.valueName else {
      if attached != nil { throw UsageError("option \(name()) takes no value") }
      return try option.apply(&options, Argument(""))
    }
    // A `--help` instead of a value requests the help.
    if attached == nil, let next = rest.first?.text, ["-h", "--help", "--version"].contains(next) {
      throw UsageError("option \(name()) needs a value: \(valueName)")
    }
    guard let value = attached ?? rest.popFirst() else {
      throw UsageError("option \(name()) needs a value: \(valueName)")
    }
    do throws(UsageError) {
      try option.apply(&options, value)
    } catch {
      throw UsageError("option \(name()): \(error.message)")
    }
  }

  private static func unknown(_ name: String, nearest: String?) -> UsageError {
    UsageError("unknown option \(name)" + (nearest.map { "; did you mean --\($0)?" } ?? ""))
  }
}

/// An argument of the command line.
package struct Argument: Sendable {
  /// The bytes, which need not be UTF-8.
  package let bytes: ArraySlice<UInt8>

  package init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  package init(_ text: String) { bytes = Array(text.utf8)[...] }

  /// The argument as text. Bytes that are not UTF-8 are replaced.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The argument as text. If bytes that are not UTF-8 were replaced, it would name something else.
  var validText: String {
    get throws(UsageError) {
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw UsageError("'\(text.withoutTypedUserInfo)' is not UTF-8")
      }
      return text
    }
  }
}
