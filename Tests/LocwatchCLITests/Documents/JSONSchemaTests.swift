import Foundation
import GPSDLocation
import GPSDProtocol
import LocationCore
@testable import LocationFormats
@testable import LocationText
@testable import LocwatchCLI
@testable import LocwatchDoctor
@testable import LocwatchSystem
import Testing

@Suite struct JSONSchemaTests {
  @Test func `Every kind of record matches the schema`() throws {
    var renderer = JSONRenderer(source: Samples.hostile, showsSatellites: true)
    var output = renderer.fix(Samples.fix)
    for state in LocationState.allCases {
      output += renderer.state(StateChange(state, previous: .lost, at: Samples.moment(nil)))
    }
    for change in [Samples.searching, Samples.lost, Samples.noService] {
      output += renderer.state(change)
    }
    _ = renderer.sky(Samples.sky)
    var full = Samples.fix
    full.isCurrent = false
    full.signalsUsed = 11
    full.signalsSeen = 65_535
    full.timeJump = .milliseconds(1500)
    for quantity in LocationFix.Quantity.allCases {
      full[quantity] = quantity.row.kind == .number ? 1.5 : 1
    }
    for antenna in [AntennaStatus.ok, .open, .short] {
      full.antenna = antenna
      full.isAntennaPowered = antenna == .ok
      output += renderer.fix(full)
      output += renderer.change(Samples.change(.antenna(antenna, previous: nil)))
      output += renderer.change(Samples.change(.antenna(antenna, previous: .open)))
      output += renderer.change(Samples.change(.jamming(antenna == .ok)))
    }
    for doubt in Doubt.allCases {
      full.doubts = [doubt]
      output += renderer.fix(full)
      output += renderer.change(Samples.change(.doubt([doubt], previous: [], detail: "why")))
      output += renderer.change(Samples.change(.doubt([], previous: [doubt], detail: nil)))
    }
    for quality in FixQuality.all {
      full.quality = quality
      output += renderer.fix(full)
      output += renderer.change(Samples.change(.quality(quality, previous: nil)))
      output += renderer.change(Samples.change(.quality(nil, previous: quality)))
    }
    for nanoseconds in [0, 123_000_000, 123_456_000, 123_456_789] as [Int64] {
      full.time = Timestamp(nanosecondsSince1970: 1_795_158_312_000_000_000 + nanoseconds)
      output += renderer.fix(full)
    }
    output += renderer.fix(Samples.position(-90, 180, device: Samples.hostile))
    output += renderer.change(Samples.pulses)
    output += renderer.change(
      ReceiverChange(.pulses(.lost, previous: .present), at: Samples.moment(nil)))
    output += renderer.change(Samples.corrections)
    output += renderer.report(Samples.pulse)
    output += renderer.report(ServiceReport(.att, text: #"{"class":"ATT","heading":1e3}"#))
    for presence in RegionPresence.allCases {
      output += renderer.change(
        Samples.change(.region(Samples.hostile, presence: presence, previous: .unknown)))
    }
    var style = RecordStyle()
    style.source = Samples.hostile
    for mean in [
      MeanPosition(
        device: Samples.hostile, start: Samples.time(1, 2), end: Samples.time(3, 4),
        coordinate: Samples.fix.coordinate, altHAE: 1, altMSL: -2,
        standardError: MeanPosition.StandardError(east: 0, north: 1, up: 2), fixCount: 3,
        outlierCount: 4),
      MeanPosition(coordinate: Samples.fix.coordinate, fixCount: 1),
    ] {
      var text = TextBuffer()
      var renderer = AverageRenderer(.json, style)
      renderer.average(mean, into: &text)
      output += text.string
    }
    renderer.begin(source: "boat")
    output += renderer.change(Samples.selected)
    let findings = [
      Finding(name: "port", isWell: true, seen: "/dev/ttyACM0 is there", remedy: .none),
      Finding(
        name: "permissions", isWell: false, seen: Samples.hostile,
        remedy: Remedy("Join that group:", run: ["sudo adduser pi dialout", "b \"c\""])),
      Finding(
        name: "sharing", isWell: nil, seen: "who reads it", remedy: .root, device: "/dev/a"),
    ]
    output += DoctorReport(findings: findings).json.string
    #expect(try JSONSchema.output().complaints(about: output) == [])
    #expect(output.split(separator: "\n").count == 20 + 33 + 27 + 16 + 3 + 3)
  }

  @Test func `The schema and the manual page know the same fields`() throws {
    let schema = try JSONSchema.output()
    let members = Set(schema.root["$defs"]?["fix"]?["properties"]?.members.keys.map { $0 } ?? [])
    let fields = Set(FixField.allCases.map(\.name))
    #expect(
      members.symmetricDifference(fields) == [
        "type", "source", "satellites", "maidenhead", "utm", "mgrs", "speed:kn", "speed:kmh",
        "unix", "unixms",
      ])
  }

  @Test(arguments: [
    """
            "geoidSep": {
              "type": "number",
              "minimum": -200,
              "maximum": 200,
              "description": "height of mean sea level above the ellipsoid, in metres; gpsd's own value is up to 12 m off"
            },
    """,
    """
            "dgpsSta": {
              "type": "integer",
              "minimum": 0,
    """,
    """
            "antenna": {
              "enum": [
                "ok",
                "open",
                "short"
              ],
              "description": "fault of the antenna: open or short; gpsd does not report an antenna that works (ok)"
            },
    """,
  ])
  func `A quantity has its range or its words`(property: String) {
    #expect(GeneratedFile.schema.text(version: "").contains(property))
  }

  @Test(arguments: [
    #"{"type":"fix","mode":3,"fix":"3d","lat":1.5}"#,
    #"{"type":"fix","mode":1,"fix":"3d","lat":1.5,"lon":2.5}"#,
    #"{"type":"fix","mode":3,"fix":"3d","lat":91.5,"lon":2.5}"#,
    #"{"type":"fix","mode":3,"fix":"3d","lat":1.5,"lon":2.5,"alt":3.5}"#,
    #"{"type":"fix","mode":3,"fix":"3d","lat":1.5,"lon":null}"#,
    #"{"type":"state","state":"dozing"}"#,
    #"{"type":"state","state":"lost","device":""}"#,
    #"{"type":"state","state":"lost","received":"yesterday"}"#,
    #"{"type":"other"}"#,
  ])
  func `The schema refuses anything but a record`(line: String) throws {
    #expect(try !JSONSchema.output().complaints(about: line).isEmpty)
  }
}

/// A JSON Schema, as far as the one of the NDJSON output needs it. A keyword that is not known
/// is an error, so that none is passed over.
struct JSONSchema {
  let root: JSONValue

  /// That of the NDJSON output.
  static func output() throws -> JSONSchema {
    let text = GeneratedFile.schema.text(version: "")
    return JSONSchema(root: try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)))
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
      case "$schema", "$id", "$defs", "title", "description", "additionalProperties": return []
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

/// Any JSON, for looking into.
enum JSONValue: Hashable, Decodable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members[name]
  }

  var members: [String: JSONValue] {
    if case .object(let members) = self { members } else { [:] }
  }

  var elements: [JSONValue] {
    if case .array(let elements) = self { elements } else { [] }
  }

  var text: String? { if case .string(let text) = self { text } else { nil } }

  var number: Double? { if case .number(let number) = self { number } else { nil } }
}
