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
