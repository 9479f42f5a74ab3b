import LocationCore
import LocationSamples
import Testing

@testable import LocationFormats

@Suite struct InfluxRendererTests {
  var renderer = InfluxRenderer(source: "boat")

  @Test mutating func `A fix is a point at its own time`() {
    #expect(
      renderer.fix(Samples.fix)
        == "gps,source=boat,device=/dev/ttyACM0 lat=48.118633333,lon=11.517333333,altMSL=545.4,"
        + "altHAE=592.3,geoidSep=46.9,speed=11.524,track=84.4,climb=0.02,accuracy=24.7,epx=14.1,"
        + "epy=20.3,epv=48.3,hdop=1.3,age=0.31,satsUsed=8i,satsSeen=12i,mode=3i,"
        + "state=\"fix-3d\" 1795158312000000000\n")
    var late = Samples.flat
    late.isCurrent = false
    late.quality = .rtkFixed
    #expect(
      renderer.fix(late)
        == "gps,source=boat,device=/dev/ttyACM0 lat=-0.5,lon=-71.0,mode=2i,quality=\"rtk-fixed\","
        + "current=false,state=\"fix-2d\" 1795158313000000000\n")
  }

  @Test mutating func `A fix without a time has its receive time, or is not written`() {
    var fix = Samples.position(1, 2)
    #expect(renderer.fix(fix) == "")
    fix.received = Samples.time(1, 2, milliseconds: 3)
    #expect(renderer.fix(fix).hasSuffix(" 1795158062003000000\n"))
  }

  @Test mutating func `A loss is a point without a position`() {
    #expect(renderer.state(Samples.lost) == "")
    _ = renderer.fix(Samples.fix)
    #expect(
      renderer.state(Samples.lost)
        == "gps,source=boat,device=/dev/ttyACM0 state=\"lost\",reason=\"silence\" "
        + "1795158391090000000\n")
    #expect(renderer.state(Samples.lost) == "")
  }

  @Test mutating func `Without a link no receiver has a position`() {
    _ = renderer.fix(Samples.position(1, 2, at: Samples.time(0, 1), device: "/dev/a"))
    _ = renderer.fix(Samples.position(1, 2, at: Samples.time(0, 1), device: nil))
    #expect(
      renderer.state(Samples.noService)
        == "gps,source=boat,device=/dev/a state=\"no-daemon\",reason=\"closed by gpsd\" "
        + "1795158400002000000\n"
        + "gps,source=boat state=\"no-daemon\",reason=\"closed by gpsd\" 1795158400002000000\n")
  }

  @Test(arguments: [
    ("a b", #"a\ b"#), ("a,b=c", #"a\,b\=c"#), ("a  b", #"a\ \ b"#), ("a\nb", #"a\u{a}b"#),
    ("\"", "\""),
    // Servers disagree on what two backslashes are.
    (#"a\"#, #"a\u{5c}"#), (#"x\,y\=1"#, #"x\u{5c}\,y\u{5c}\=1"#), (#"x\ y"#, #"x\u{5c}\ y"#),
    (#"\\"#, #"\u{5c}\u{5c}"#), (#"\u{a}"#, #"\u{5c}u{a}"#),
  ])
  func `Text cannot break out of its tag`(device: String, tag: String) {
    var renderer = InfluxRenderer(source: device)
    let point = renderer.fix(Samples.position(1, 2, at: Samples.time(0, 0), device: device))
    #expect(point.hasPrefix("gps,source=\(tag),device=\(tag) lat=1.0,lon=2.0,mode=3i"))
  }

  @Test mutating func `Text cannot break out of its string`() {
    _ = renderer.fix(Samples.fix)
    var lost = Samples.lost
    lost.reason = "a\"b\\c\nd"
    #expect(renderer.state(lost).contains(#"reason="a\"b\\c\\u{a}d" "#))
  }
}
