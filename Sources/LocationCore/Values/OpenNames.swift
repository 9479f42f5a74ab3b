// What a later version encodes can have names that this one does not know.

/// The reason why a `DecodingError` was thrown for a name that a later version may have added.
private struct UnknownName: Error {}

extension DecodingError {
  static func unknownName(_ name: String, at path: [any CodingKey]) -> DecodingError {
    .dataCorrupted(
      Context(
        codingPath: path, debugDescription: "'\(name)' is not known",
        underlyingError: UnknownName()))
  }

  static func noSingleKey(at path: [any CodingKey]) -> DecodingError {
    .dataCorrupted(
      Context(codingPath: path, debugDescription: "an event is an object with one key"))
  }

  /// Whether it was thrown by ``unknownName(_:at:)``.
  var isOfUnknownName: Bool {
    if case .dataCorrupted(let context) = self {
      context.underlyingError is UnknownName
    } else {
      false
    }
  }
}

extension Decoder {
  /// Decodes the name of a case.
  func caseOfName<Case: RawRepresentable<String>>() throws -> Case {
    let name = try singleValueContainer().decode(String.self)
    guard let known = Case(rawValue: name) else {
      throw DecodingError.unknownName(name, at: codingPath)
    }
    return known
  }
}

/// Any JSON, as its text, with the members of objects in the order of their keys.
struct JSONText: Decodable {
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  let text: String

  init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: Key.self) {
      let members = try object.allKeys.sorted { $0.stringValue < $1.stringValue }.map { key in
        "\(key.stringValue.quotedForJSON):\(try object.decode(JSONText.self, forKey: key).text)"
      }
      text = "{\(members.joined(separator: ","))}"
    } else if var list = try? decoder.unkeyedContainer() {
      var elements: [String] = []
      while !list.isAtEnd { elements.append(try list.decode(JSONText.self).text) }
      text = "[\(elements.joined(separator: ","))]"
    } else {
      text = try Self.text(of: decoder.singleValueContainer())
    }
  }

  private static func text(of value: any SingleValueDecodingContainer) throws -> String {
    if value.decodeNil() { return "null" }
    if let boolean = try? value.decode(Bool.self) { return "\(boolean)" }
    if let integer = try? value.decode(Int64.self) { return "\(integer)" }
    if let number = try? value.decode(Double.self) { return "\(number)" }
    return try value.decode(String.self).quotedForJSON
  }

  /// Returns the only member of an object as a report, with its name as the kind.
  static func onlyMember(of decoder: any Decoder) throws -> ServiceReport {
    let object = try decoder.container(keyedBy: Key.self)
    guard let key = object.allKeys.first, object.allKeys.count == 1 else {
      throw DecodingError.noSingleKey(at: decoder.codingPath)
    }
    let text = try object.decode(JSONText.self, forKey: key).text
    return ServiceReport(ServiceReport.Kind(rawValue: key.stringValue), text: text)
  }
}

extension String {
  fileprivate var quotedForJSON: String { "\"\(escapedForJSON)\"" }
}
