import LocationCore
import LocationSamples
import Testing

@testable import LocationFormats

@Suite struct SignalKRendererTests {
  var renderer = SignalKRenderer(source: "boat")

  private static let start =
    #"{"context":"vessels.self","updates":[{"$source":"locwatch.boat_dev_ttyACM0","#

  @Test mutating func `A fix is a delta in radians and metres per second`() {
    var fix = Samples.fix
    fix[.magvar] = -90
    #expect(
      renderer.fix(fix)
        == Self.start + #""timestamp":"2026-11-20T07:05:12.000Z","values":["#
        + #"{"path":"navigation.position","value":{"latitude":48.118633333,"longitude":11.517333333,"#
        + #""altitude":545.4}},{"path":"navigation.speedOverGround","value":11.524},"#
        + #"{"path":"navigation.courseOverGroundTrue","value":1.473057889},"#
        + #"{"path":"navigation.magneticVariation","value":-1.570796327},"#
        + #"{"path":"navigation.gnss.satellites","value":8},"#
        + #"{"path":"navigation.gnss.horizontalDilution","value":1.3},"#
        + #"{"path":"navigation.gnss.geoidalSeparation","value":46.9},"#
        + #"{"path":"navigation.gnss.methodQuality","value":"GNSS Fix"}]}]}"# + "\n")
  }

  @Test mutating func `A heading is in radians, and null when it is gone`() {
    var fix = Samples.flat
    fix.heading = 180
    fix[.mheading] = 90
    #expect(
      renderer.fix(fix).contains(
        #"{"path":"navigation.headingTrue","value":3.141592654},"#
          + #"{"path":"navigation.headingMagnetic","value":1.570796327},"#))
    #expect(
      renderer.fix(Samples.flat).contains(
        #"{"path":"navigation.headingTrue","value":null},"#
          + #"{"path":"navigation.headingMagnetic","value":null},"#))
    #expect(!renderer.fix(Samples.flat).contains("heading"))
  }

  @Test mutating func `A value is null if a fix lacks it and the previous fix had it`() {
    var fix = Samples.flat
    fix.speed = 2
    _ = renderer.fix(fix)
    let flat =
      Self.start + #""timestamp":"2026-11-20T07:05:13.000Z","values":["#
      + #"{"path":"navigation.position","value":{"latitude":-0.5,"longitude":-71.0}},"#
    let end = #"{"path":"navigation.gnss.methodQuality","value":"GNSS Fix"}]}]}"# + "\n"
    let null = #"{"path":"navigation.speedOverGround","value":null},"#
    #expect(renderer.fix(Samples.flat) == flat + null + end)
    #expect(renderer.fix(Samples.flat) == flat + end)
  }

  @Test mutating func `After a loss all values are null`() {
    var fix = Samples.fix
    fix.time = nil
    #expect(renderer.fix(fix) == "")
    #expect(renderer.state(Samples.lost) == "")
    fix = Samples.flat
    fix[.hdop] = 2
    _ = renderer.fix(fix)
    #expect(
      renderer.state(Samples.lost)
        == Self.start + #""timestamp":"2026-11-20T07:06:31.090Z","values":["#
        + #"{"path":"navigation.position","value":null},"#
        + #"{"path":"navigation.gnss.horizontalDilution","value":null},"#
        + #"{"path":"navigation.gnss.methodQuality","value":"no GPS"}]}]}"# + "\n")
  }

  @Test mutating func `A fix that is not current is not written`() {
    var fix = Samples.flat
    fix.isCurrent = false
    #expect(renderer.fix(fix) == "")
  }

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

  @Test(arguments: [("boat.example:2947", "boat_example_2947"), ("a-B 1é\"", "a-B_1__")])
  func `A source has only letters that Signal K allows`(source: String, name: String) {
    var renderer = SignalKRenderer(source: source)
    #expect(
      renderer.fix(Samples.flat).contains("\"$source\":\"locwatch.\(name)_dev_ttyACM0\","))
  }
}
