/// The key of a member with any name.
struct NameKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
  init(_ name: String) { stringValue = name }
}

/// Any JSON, as its text, with the members of objects in the order of their keys.
struct AnyJSON: Decodable {
  let text: String

  init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: NameKey.self) {
      let members = try object.allKeys.sorted { $0.stringValue < $1.stringValue }.map { key in
        "\(key.stringValue.quotedForJSON):\(try object.decode(AnyJSON.self, forKey: key).text)"
      }
      text = "{\(members.joined(separator: ","))}"
    } else if var list = try? decoder.unkeyedContainer() {
      var elements: [String] = []
      while !list.isAtEnd { elements.append(try list.decode(AnyJSON.self).text) }
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
    let object = try decoder.container(keyedBy: NameKey.self)
    guard let key = object.allKeys.first, object.allKeys.count == 1 else {
      throw DecodingError.noSingleKey(at: decoder.codingPath)
    }
    let text = try object.decode(AnyJSON.self, forKey: key).text
    return ServiceReport(ServiceReport.Kind(rawValue: key.stringValue), text: text)
  }
}

extension String {
  fileprivate var quotedForJSON: String { "\"\(escapedForJSON)\"" }
}
