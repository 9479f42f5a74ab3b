import LocationCore
import LocationSamples
import Testing

@testable import LocationFormats

@Suite struct OwnTracksRendererTests {
  var renderer = OwnTracksRenderer(source: "boat")

  private func id(_ record: String) -> Substring { record.split(separator: "\"")[7] }

  @Test
  mutating func `A tracker keeps its ID when others appear, and their IDs are from their paths`() {
    #expect(id(renderer.fix(Samples.fix)) == "at")
    #expect(id(renderer.fix(Samples.flat)) == "at")
    let other = Samples.position(1, 2, at: Samples.time(0, 0), device: "/dev/bow")
    #expect(id(renderer.fix(other)) == "ow")
    renderer.receivers([Receiver(path: "/dev/bow"), Receiver(path: "/dev/ttyACM0")])
    #expect(id(renderer.fix(Samples.flat)) == "at")
    // The last of them is gone when all are.
    #expect(renderer.state(Samples.lost) == "")
    #expect(
      renderer.state(Samples.lost.of("/dev/bow"))
        == #"{"_type":"lwt","tid":"ow","tst":1795158391}"# + "\n")
    _ = renderer.fix(other)
    #expect(renderer.state(Samples.noService).hasPrefix(#"{"_type":"lwt","tid":"ow","tst":"#))
  }

  @Test mutating func `The best of several sources is one tracker`() {
    _ = renderer.change(
      ReceiverChange(.selected("bow", previous: nil), at: Moment(uptime: .zero)))
    #expect(id(renderer.fix(Samples.fix)) == "at")
    _ = renderer.change(
      ReceiverChange(.selected("stern", previous: "bow"), at: Moment(uptime: .zero)))
    let other = Samples.position(1, 2, at: Samples.time(0, 0), device: "/dev/bow")
    #expect(id(renderer.fix(other)) == "at")
    renderer.begin(source: "van")
    #expect(id(renderer.fix(other)) == "an" && id(renderer.fix(Samples.flat)) == "M0")
  }

  @Test mutating func `Receivers that are listed together have the IDs of their paths`() {
    renderer.receivers([Receiver(path: "/dev/ttyACM0")])
    #expect(id(renderer.fix(Samples.fix)) == "at")
    renderer.begin(source: "van")
    renderer.receivers([Receiver(path: "/dev/bow"), Receiver(path: "/dev/ttyACM0")])
    #expect(id(renderer.fix(Samples.flat)) == "M0")
    #expect(id(renderer.fix(Samples.position(1, 2, at: Samples.time(0, 0), device: nil))) == "an")
  }

  @Test mutating func `A course that rounds to 360 is 0, and absurd numbers are left out`() {
    var fix = Samples.flat
    fix.course = 359.5
    fix.altitude = 1e300
    fix.speed = -.infinity
    fix.quality = .simulated
    #expect(
      renderer.fix(fix)
        == #"{"_type":"location","tid":"at","lat":-0.5,"lon":-71.0,"tst":1795158313,"cog":0,"#
        + #""quality":"simulated"}"# + "\n")
  }

  @Test(arguments: [("a", "a"), ("é€", "é€"), ("x\"", #"x\""#), ("a\u{1b}", #"a\u001b"#)])
  func `The tracker's ID is the end of the source's name`(source: String, id: String) {
    var renderer = OwnTracksRenderer(source: source)
    #expect(
      renderer.fix(Samples.flat)
        == #"{"_type":"location","tid":"\#(id)","lat":-0.5,"lon":-71.0,"tst":1795158313}"# + "\n")
  }
}

extension StateChange {
  /// This change of another receiver.
  func of(_ device: String) -> StateChange {
    var change = self
    change.subject = .receiver(device)
    return change
  }
}
