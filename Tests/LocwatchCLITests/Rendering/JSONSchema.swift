import Foundation

/// A JSON Schema, as far as the one of the NDJSON output needs it. A keyword that is not known
/// is an error, so that none is passed over.
struct JSONSchema {
  let root: JSONValue

  /// That of the NDJSON output.
  static func output() throws -> JSONSchema {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
    let file = folder.appendingPathComponent("Schema/locwatch.schema.json")
    return JSONSchema(
      root: try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: file)))
  }

  /// What is wrong with the text, line by line; empty where nothing is.
  func complaints(about lines: String) throws -> [String] {
    try lines.split(separator: "\n").flatMap { line in
      let value = try JSONDecoder().decode(JSONValue.self, from: Data(line.utf8))
      return complaints(about: value, schema: root, at: "$").map { "\($0) in \(line)" }
    }
  }

  private func complaints(about value: JSONValue, schema: JSONValue, at path: String) -> [String] {
    schema.members.flatMap { keyword, rule -> [String] in
      let holds: Bool
      switch keyword {
      case "$schema", "$defs", "title", "description", "additionalProperties": return []
      case "$ref":
        let name = String(rule.text?.split(separator: "/").last ?? "")
        guard let definition = root["$defs"]?[name] else { return ["no definition \(name)"] }
        return complaints(about: value, schema: definition, at: path)
      case "oneOf":
        let failures = rule.elements.map { complaints(about: value, schema: $0, at: path) }
        let passes = failures.count { $0.isEmpty }
        return passes == 1 ? [] : ["\(path): \(passes) of oneOf"] + failures.joined()
      case "properties":
        return value.members.flatMap { name, member -> [String] in
          if let known = rule[name] {
            return complaints(about: member, schema: known, at: "\(path).\(name)")
          }
          return schema["additionalProperties"] == .bool(false) ? ["\(path).\(name): unknown"] : []
        }
      case "items":
        return value.elements.flatMap { complaints(about: $0, schema: rule, at: "\(path)[]") }
      case "required": holds = rule.elements.allSatisfy { value.members[$0.text ?? ""] != nil }
      case "type": holds = value.isOf(type: rule.text ?? "")
      case "const": holds = value == rule
      case "enum": holds = rule.elements.contains(value)
      case "minimum": holds = (value.number ?? .nan) >= (rule.number ?? .nan)
      case "maximum": holds = (value.number ?? .nan) <= (rule.number ?? .nan)
      case "minLength": holds = Double(value.text?.count ?? 0) >= (rule.number ?? .nan)
      case "pattern":
        holds = value.text?.range(of: rule.text ?? "", options: .regularExpression) != nil
      default: return ["keyword \(keyword) is not known"]
      }
      return holds ? [] : ["\(path): not \(keyword) \(rule)"]
    }
  }
}

extension JSONValue {
  fileprivate func isOf(type: String) -> Bool {
    switch (type, self) {
    case ("object", .object), ("array", .array), ("string", .string), ("boolean", .bool),
      ("number", .number):
      true
    case ("integer", .number(let number)): number == number.rounded()
    default: false
    }
  }
}
