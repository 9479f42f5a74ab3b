import Foundation
import LocationCore
import LocationSamples
import TestSupport
import Testing

@testable import LocationFormats

@Suite struct GPXRendererTests {
  private static let header = """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx version="1.1" creator="locwatch" xmlns="http://www.topografix.com/GPX/1/1" \
    xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" \
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
    xsi:schemaLocation="http://www.topografix.com/GPX/1/1 http://www.topografix.com/GPX/1/1/gpx.xsd \
    http://www.garmin.com/xmlschemas/TrackPointExtension/v2 \
    https://www8.garmin.com/xmlschemas/TrackPointExtensionv2.xsd">

    """

  private static let flatPoint =
    #"<trkpt lat="-0.5" lon="-71.0"><time>2026-11-20T07:05:13.000Z</time><fix>2d</fix></trkpt>"#
    + "\n"

  /// Five minutes later.
  private static var later: LocationFix {
    var fix = Samples.flat
    fix.time = Samples.time(10, 13)
    return fix
  }
  private static let laterPoint = flatPoint.replacing("07:05", with: "07:10")

  @Test(
    arguments: [
      (.gps, "<fix>2d</fix>"), (.dgps, "<src>dgps</src><fix>dgps</fix>"),
      (.rtkFixed, "<src>rtk-fixed</src><fix>dgps</fix>"),
      (.rtkFloat, "<src>rtk-float</src><fix>dgps</fix>"), (.pCode, "<src>py</src><fix>pps</fix>"),
      (.deadReckoning, "<src>dr</src><fix>2d</fix>"),
      (.simulated, "<src>simulated</src><fix>2d</fix>"),
    ] as [(FixQuality, String)])
  func `The fix element has the quality if GPX has a word for it`(quality: FixQuality, part: String)
  {
    var renderer = GPXRenderer()
    var fix = Samples.flat
    fix.quality = quality
    #expect(renderer.fix(fix).contains("</time>\(part)</trkpt>"))
  }

  @Test func `A track has a new segment after a loss`() {
    var renderer = GPXRenderer()
    #expect(renderer.begin() == Self.header)
    #expect(renderer.trailer == "</gpx>\n")
    #expect(
      renderer.fix(Samples.fix) == """
        <trk>
        <src>/dev/ttyACM0</src>
        <trkseg>
        <trkpt lat="48.118633333" lon="11.517333333"><ele>545.4</ele>\
        <time>2026-11-20T07:05:12.000Z</time><geoidheight>46.9</geoidheight><fix>3d</fix>\
        <sat>8</sat><hdop>1.3</hdop><extensions><gpxtpx:TrackPointExtension>\
        <gpxtpx:speed>11.524</gpxtpx:speed><gpxtpx:course>84.4</gpxtpx:course>\
        </gpxtpx:TrackPointExtension></extensions></trkpt>

        """)
    #expect(renderer.trailer == "</trkseg>\n</trk>\n</gpx>\n")
    #expect(renderer.fix(Samples.flat) == Self.flatPoint)
    #expect(renderer.state(Samples.lost) == "")
    #expect(renderer.state(Samples.noService) == "")
    #expect(renderer.fix(Self.later) == "</trkseg>\n<trkseg>\n" + Self.laterPoint)
    #expect(renderer.end() == "</trkseg>\n</trk>\n</gpx>\n")
  }

  @Test func `A link that fails ends the segment of every receiver`() {
    var renderer = GPXRenderer()
    _ = renderer.fix(Samples.flat)
    #expect(renderer.state(Samples.noService) == "")
    #expect(renderer.fix(Self.later) == "</trkseg>\n<trkseg>\n" + Self.laterPoint)
  }

  /// How many segments points have that come and go.
  ///
  /// - Parameter points: The seconds of each point, by the receiver's clock and by the local one; `nil` if unknown.
  private func segments(_ points: [(time: Double?, received: Double?)]) -> Int {
    func time(_ seconds: Double?) -> Timestamp? {
      seconds.map { Samples.time(0, 0).advanced(by: .milliseconds(Int64(($0 * 1000).rounded()))) }
    }
    var renderer = GPXRenderer()
    var text = ""
    for point in points {
      var fix = Samples.position(1, 2, at: time(point.time))
      fix.received = time(point.received)
      text += renderer.fix(fix)
      _ = renderer.state(Samples.lost)
    }
    return text.split(separator: "<trkseg>").count - 1
  }

  @Test(
    arguments: [
      ([0, 2, 4, 6, 8], 1), ([0, 1, 2, 12, 13], 1), ([0, 1, 2, 12.001, 13], 2),
      // Three intervals.
      ([0, 6, 12, 30, 36], 1), ([0, 6, 12, 30.001, 36], 2), ([0, 1, 2, 100, 101, 200], 3),
      // The interval is not known yet.
      ([0, 65], 1), ([0, 65.001], 2), ([5], 1),
    ] as [([Double], Int)])
  func `A fix that comes and goes is one line, and a loss that lasts is none`(
    seconds: [Double], count: Int
  ) {
    #expect(segments(seconds.map { ($0, $0 + 0.25) }) == count)
    #expect(segments(seconds.map { ($0, nil) }) == count)
    #expect(segments(seconds.map { (nil, $0) }) == count)
  }

  @Test func `A loss is measured by the clock that was not set`() {
    // The receiver's clock is set, forward and back; the local clock is.
    #expect(segments([(0, 0), (1, 1), (2, 2), (1_000_000, 3), (1_000_001, 4)]) == 1)
    #expect(segments([(500, 0), (501, 1), (502, 2), (3, 3), (4, 4)]) == 1)
    #expect(segments([(0, 0), (1, 1), (2, 2), (3, 900), (4, 901)]) == 1)
    #expect(segments([(0, 0), (1, 1), (2, 2), (62, 2.5), (63, 3.5)]) == 2)
    #expect(segments([(0, 0), (1, 1), (2, 2), (62.501, 2.5), (63.5, 3.5)]) == 1)
    // Nothing is known, or only that the clock was set.
    #expect(segments([(nil, nil), (nil, nil)]) == 2)
    #expect(segments([(5, nil), (4, nil)]) == 2)
  }

  @Test func `A point without a loss before it continues the line, whenever it comes`() {
    var renderer = GPXRenderer()
    _ = renderer.fix(Samples.flat)
    _ = renderer.fix(Samples.flat)
    #expect(renderer.fix(Self.later) == Self.laterPoint)
  }

  @Test func `Another receiver's loss does not break the segment, and its fix has its own track`() {
    var renderer = GPXRenderer()
    _ = renderer.fix(Samples.flat)
    var loss = Samples.lost
    loss.subject = .receiver("/dev/ttyUSB0")
    _ = renderer.state(loss)
    #expect(renderer.fix(Samples.flat) == Self.flatPoint)
    #expect(renderer.fix(Samples.position(1, 2, device: "<&>\"'\u{1b}")) == "")
    #expect(
      renderer.end().hasPrefix(
        "</trkseg>\n</trk>\n<trk>\n<src>&lt;&amp;&gt;&quot;&apos;\\u{1b}</src>\n<trkseg>\n<trkpt "))
  }

  @Test func `Speed and course are written independently`() {
    var renderer = GPXRenderer()
    var fix = Samples.flat
    fix.course = 0
    #expect(
      renderer.fix(fix).contains(
        "<fix>2d</fix><extensions><gpxtpx:TrackPointExtension><gpxtpx:course>0.0</gpxtpx:course>"
          + "</gpxtpx:TrackPointExtension></extensions></trkpt>"))
  }

  @Test func `The antimeridian is written as the schema requires`() {
    var renderer = GPXRenderer()
    #expect(renderer.fix(Samples.position(0, 180)).contains(#"lat="0.0" lon="-180.0""#))
  }

  @Test func `The document is well-formed after every record`() {
    var renderer = GPXRenderer()
    var document = renderer.begin()
    for step in 0..<12 {
      let device = step % 5 == 0 ? Samples.hostile : Samples.device
      document += renderer.fix(Samples.position(Double(step), 1e-10, device: device))
      if step % 3 == 0 { _ = renderer.state(Samples.noService) }
      #expect(isWholeXML((document + renderer.trailer).utf8) && !isWholeXML(document.utf8))
    }
    document += renderer.end()
    #expect(isWholeXML(document.utf8))
    #expect(document.split(separator: "<trkpt ").count == 13)
    #expect(!document.contains("e-"))
  }
}
