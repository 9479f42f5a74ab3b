import LocationCore
import LocationSamples
import Testing

@testable import LocationFormats

@Suite struct SignalKRendererTests {
  var renderer = SignalKRenderer(source: "boat")

  @Test mutating func `Each receiver is a separate source`() {
    func source(_ record: String) -> Substring { record.split(separator: "\"")[9] }
    var other = Samples.position(1, 2, at: Samples.time(0, 0), device: "/dev/b")
    other[.hdop] = 2
    #expect(source(renderer.fix(Samples.fix)) == "locwatch.boat_dev_ttyACM0")
    #expect(source(renderer.fix(other)) == "locwatch.boat_dev_b")
    let lost = renderer.state(Samples.lost)
    #expect(source(lost) == "locwatch.boat_dev_ttyACM0")
    #expect(lost.contains("no GPS") && lost.contains("navigation.speedOverGround"))
    other[.hdop] = nil
    #expect(!renderer.fix(other).contains("navigation.speedOverGround"))
    _ = renderer.fix(Samples.flat)
    let all = renderer.state(Samples.noService).split(separator: "\n").map { source(String($0)) }
    #expect(all == ["locwatch.boat_dev_b", "locwatch.boat_dev_ttyACM0"])
    #expect(renderer.state(Samples.lost.of("/dev/b")) == "")
    // What is null is not written again.
    #expect(!renderer.fix(other).contains("null"))
    let unnamed = Samples.position(1, 2, at: Samples.time(0, 1), device: nil)
    #expect(source(renderer.fix(unnamed)) == "locwatch.boat")
    renderer = SignalKRenderer(source: "/dev/b")
    #expect(source(renderer.fix(other)) == "locwatch._dev_b")
  }

  @Test(arguments: [
    (FixQuality.dgps, "DGNSS fix"), (.rtkFixed, "RTK fixed integer"), (.rtkFloat, "RTK float"),
    (.deadReckoning, "Estimated (DR) mode"), (.gnssDeadReckoning, "GNSS Fix"),
    (.timeOnly, "Manual input"), (.simulated, "Simulator mode"), (.pCode, "Precise GNSS"),
    (.gps, "GNSS Fix"),
  ])
  func `A quality has Signal K's word`(quality: FixQuality, word: String) {
    var renderer = renderer
    var fix = Samples.flat
    fix.quality = quality
    #expect(renderer.fix(fix).hasSuffix("methodQuality\",\"value\":\"\(word)\"}]}]}\n"))
  }
}
