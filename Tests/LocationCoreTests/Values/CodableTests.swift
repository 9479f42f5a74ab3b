import Foundation
import LocationCore
import Testing

@Suite struct `Values are encoded` {
  private let noon = Timestamp(secondsSince1970: 1_795_158_312, nanoseconds: 250_000_000)

  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func decoded<Value: Decodable>(_ text: String, as type: Value.Type = Value.self) throws
    -> Value
  {
    try JSONDecoder().decode(Value.self, from: Data(text.utf8))
  }

  @Test func `a place`() throws {
    let place = Coordinate(latitude: -33.5, longitude: 151.25)!
    #expect(try json(place) == #"{"lat":-33.5,"lon":151.25}"#)
    #expect(try decoded(json(place)) == place)
    #expect(throws: DecodingError.self) {
      try decoded(#"{"lat":-91,"lon":0}"#, as: Coordinate.self)
    }
  }

  @Test func `an instant is read from text, and now is after 2025`() {
    #expect(Timestamp(iso8601: "2026-11-20T07:05:12.25Z") == noon)
    #expect(Timestamp(iso8601: "x2026-11-20T07:05:12.25Zx".dropFirst().dropLast()) == noon)
    #expect(Timestamp(iso8601: "\(noon)") == noon)
    #expect(Timestamp(iso8601: "2026-11-20") == nil)
    #expect(Timestamp.now > Timestamp(secondsSince1970: 1_767_225_600))
  }
}
