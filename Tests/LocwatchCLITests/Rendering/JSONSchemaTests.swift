import LocationCore
import Testing

@testable import LocwatchCLI

@Suite struct JSONSchemaTests {
  @Test func `Every kind of record is as the schema says`() throws {
    var renderer = JSONRenderer(source: Samples.hostile, showsSatellites: true)
    var output = renderer.fix(Samples.fix)
    for state in LocationState.allCases {
      output += renderer.state(StateChange(state, previous: .lost, at: Samples.moment(nil)))
    }
    for change in [Samples.searching, Samples.lost, Samples.noDaemon] {
      output += renderer.state(change)
    }
    _ = renderer.sky(Samples.sky)
    var full = Samples.fix
    full.isCurrent = false
    full.timeJump = .milliseconds(1500)
    for quantity in LocationFix.Quantity.allCases { full[quantity] = 1.5 }
    output += renderer.fix(full)
    output += renderer.fix(Samples.position(-90, 180, device: Samples.hostile))
    #expect(try JSONSchema.output().complaints(about: output) == [])
    #expect(output.split(separator: "\n").count == 13)
  }

  @Test func `The schema and the manual page know the same fields`() throws {
    let schema = try JSONSchema.output()
    let members = Set(schema.root["$defs"]?["fix"]?["properties"]?.members.keys.map { $0 } ?? [])
    let fields = Set(FixField.allCases.map(\.rawValue))
    #expect(members.symmetricDifference(fields) == ["type", "source", "satellites", "maidenhead"])
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
  func `The schema refuses what is no record`(line: String) throws {
    #expect(try !JSONSchema.output().complaints(about: line).isEmpty)
  }
}
