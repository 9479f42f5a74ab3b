import Foundation
import LocwatchSystem
import TestSupport
import Testing

@testable import LocationFormats
@testable import LocwatchCLI

/// What COMPATIBILITY in the manual promises to scripts, compared with `Stories/promise.txt`.
///
/// `make approve FILTER=PromiseTests` adds what is new, and removes nothing.
@Suite struct PromiseTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Stories/promise.txt")

  @Test func `What was promised is still there`() throws {
    let kept = Set(Promise.ofCommand + Promise(try JSONSchema.output().root).lines)
    let promised = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n")
      .map(String.init)
    #expect(promised.filter { !kept.contains($0) } == [])
    #expect(promised.count > 500)
    if Approval.isGiven {
      let lines = kept.union(promised).sorted().joined(separator: "\n")
      try Data("\(lines)\n".utf8).write(to: Self.file)
    }
  }

  private static let schema = """
    {"oneOf":[{"$ref":"#/$defs/a"}],"$defs":{"word":{"enum":["x","y"]},"a":{"type":"object",
    "required":["n"],"properties":{"n":{"type":"number"},"w":{"$ref":"#/$defs/word"},
    "l":{"type":"array","items":{"$ref":"#/$defs/word"}},"t":{"const":"a"}}}}}
    """

  private static func lines(_ text: String) throws -> Set<String> {
    Set(Promise(try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))).lines)
  }

  @Test func `A promise names records, fields, types, words, and what is always there`() throws {
    #expect(
      try Self.lines(Self.schema) == [
        "record a", "a requires n", "a.n: number", "a.w = x", "a.w = y", "a.l: array", "a.l[] = x",
        "a.l[] = y", "a.t = a",
      ])
  }

  @Test(arguments: [
    ("\"x\",\"y\"", "\"x\"", ["a.w = y", "a.l[] = y"]),
    ("\"type\":\"number\"", "\"type\":\"string\"", ["a.n: number"]),
    ("\"required\":[\"n\"]", "\"required\":[]", ["a requires n"]),
    (",\"t\":{\"const\":\"a\"}", "", ["a.t = a"]),
    ("{\"$ref\":\"#/$defs/a\"}", "", ["record a"]),
  ])
  func `Less of anything breaks it`(old: String, new: String, broken: [String]) throws {
    let before = try Self.lines(Self.schema)
    let after = try Self.lines(Self.schema.replacing(old, with: new))
    #expect(before.subtracting(after) == Set(broken))
  }

  @Test(arguments: [
    ("\"x\",\"y\"", "\"x\",\"y\",\"z\""), ("\"n\":{", "\"m\":{\"type\":\"number\"},\"n\":{"),
    ("\"required\":[", "\"required\":[\"w\","),
  ])
  func `More of anything does not`(old: String, new: String) throws {
    let after = try Self.lines(Self.schema.replacing(old, with: new))
    #expect(try after.isStrictSuperset(of: Self.lines(Self.schema)))
  }

  @Test func `The schema has a version, which the manual page names`() throws {
    #expect(try JSONSchema.output().root["$id"]?.text == "urn:locwatch:records:1")
    #expect(GeneratedFile.formats.text(version: "").contains("urn:locwatch:records:1"))
  }
}

/// What a schema promises, a fact a line.
private struct Promise {
  private let root: JSONValue
  private(set) var lines: [String] = []

  init(_ schema: JSONValue) {
    root = schema
    for record in schema["oneOf"]?.elements ?? [] {
      guard let name = record["$ref"]?.text?.split(separator: "/").last else { continue }
      lines.append("record \(name)")
      add(record, named: String(name))
    }
    if schema["oneOf"]?.elements.isEmpty == true {
      for (name, definition) in schema["$defs"]?.members ?? [:]
      where definition["properties"] != nil { add(definition, named: name) }
    }
  }

  private mutating func add(_ schema: JSONValue, named name: String) {
    if let target = schema["$ref"]?.text?.split(separator: "/").last {
      return add(root["$defs"]?[String(target)] ?? .null, named: name)
    }
    if let value = schema["const"] { lines.append("\(name) = \(value.plain)") }
    for word in schema["enum"]?.elements ?? [] { lines.append("\(name) = \(word.plain)") }
    for member in schema["required"]?.elements ?? [] {
      lines.append("\(name) requires \(member.plain)")
    }
    for (member, rule) in schema["properties"]?.members ?? [:] {
      add(rule, named: "\(name).\(member)")
    }
    if let items = schema["items"] { add(items, named: "\(name)[]") }
    if let type = schema["type"]?.text, schema["properties"] == nil {
      lines.append("\(name): \(type)")
    }
  }

  /// The options with their words, the exit statuses, and the fields of csv and templates.
  static var ofCommand: [String] {
    var lines = ExitStatus.allCases.map { "status \($0.rawValue)" }
    lines += FixField.allCases.map { "field \($0.name)" }
    for option in OptionTable.options {
      lines.append("option --\(option.long)" + (option.valueName == nil ? "" : " VALUE"))
      if let short = option.short { lines.append("option --\(option.long) is -\(short)") }
      if case .words(let words) = option.completion {
        lines += words.map { "option --\(option.long) takes \($0)" }
      }
    }
    return lines
  }
}

extension JSONValue {
  fileprivate var plain: String {
    switch self {
    case .string(let text): text
    case .number(let number): "\(Int(exactly: number).map(String.init) ?? "\(number)")"
    case .bool(let flag): "\(flag)"
    default: "null"
    }
  }
}
