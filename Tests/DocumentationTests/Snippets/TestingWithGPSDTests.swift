// snippet: gpsd suite
import GPSDTestKit
import Testing

@Suite struct HarbourOfGPSDTests {
  let sydney = Coordinate(latitude: -33.85, longitude: 151.21)!

  @Test func survivesARestartOfGPSD() async throws {
    try await withVirtualTime { clock in
      let gpsd = ScriptedGPSD(
        clock: clock,
        scripts: [.lines(#"{"class":"TPV","mode":1}"#), .hangUp], [.refuse],
        [.lines(#"{"class":"TPV","mode":3,"lat":-33.85,"lon":151.21,"eph":9.5}"#)])
      let fix = try await clock.whileAdvancing {
        try await gpsd.source().currentLocation(retries: RetryPolicy())
      }
      #expect(fix.coordinate == sydney)
    }
  }
  // end

  // snippet: calls
  @Test func requestsOneReceiver() async throws {
    try await withVirtualTime { clock in
      let gpsd = ScriptedGPSD(clock: clock, scripts: [.hangUp])
      let source = gpsd.source(device: "/dev/ttyACM0")
      _ = try? await Harbour(place: sydney, provider: source).isNear()
      let watch = GPSDCommand.watch(device: "/dev/ttyACM0")
      #expect(gpsd.calls == [.open(GPSDEndpoint()), .send(watch), .read, .close])
    }
  }
  // end

  // snippet: recorded
  @Test func readsReportsOfGPSD() async throws {
    let source = GPSDLocationSource.recorded(lines: [
      #"{"class":"TPV","device":"/dev/ttyACM0","mode":1}"#,
      #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"lat":-33.85,"lon":151.21,"eph":9.5}"#,
    ])
    #expect(try await Harbour(place: sydney, provider: source).isNear())
  }
  // end
  // snippet: gpsd suite
}
// end

// snippet: recorded gpsd
func restartingGPSD(sending path: String, by clock: ManualClock) throws -> ScriptedGPSD {
  let drive = try [ScriptedGPSD.Step].recorded(contentsOf: path)
  return ScriptedGPSD(clock: clock, scripts: drive.prefix(10) + [.hangUp], [.refuse], drive)
}
// end
