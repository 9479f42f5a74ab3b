import Foundation
import FoundationXML
import LocationCore
import LocationSamples
import Testing

@testable import LocationFormats

@Suite struct `KML` {
  private static let end =
    "</gx:Track>\n</gx:MultiTrack>\n</Placemark>\n</Document>\n</kml>\n"

  @Test func `has a track for a receiver, with a new segment after each loss`() {
    var renderer = KMLRenderer()
    #expect(
      renderer.begin() == """
        <?xml version="1.0" encoding="UTF-8"?>
        <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
        <Document>

        """)
    #expect(renderer.trailer == "</Document>\n</kml>\n")
    #expect(
      renderer.fix(Samples.fix) == """
        <Placemark>
        <name>/dev/ttyACM0</name>
        <gx:MultiTrack>
        <gx:Track>
        <when>2026-11-20T07:05:12.000Z</when><gx:coord>11.517333333 48.118633333 545.4</gx:coord>

        """)
    #expect(renderer.trailer == Self.end)
    let flat = "<when>2026-11-20T07:05:13.000Z</when><gx:coord>-71.0 -0.5</gx:coord>\n"
    #expect(renderer.fix(Samples.flat) == flat)
    _ = renderer.state(Samples.lost)
    #expect(renderer.fix(Samples.flat) == "</gx:Track>\n<gx:Track>\n" + flat)
    #expect(renderer.end() == Self.end)
  }

  @Test func `has a time for each point, empty if it is unknown, and no height of a 2D fix`() {
    var renderer = KMLRenderer()
    _ = renderer.fix(Samples.flat)
    var fix = Samples.position(1, 2, .fix2D)
    fix.altMSL = 9
    #expect(renderer.fix(fix) == "<when/><gx:coord>2.0 1.0</gx:coord>\n")
  }

  @Test(
    arguments: [
      (nil, nil, ""), ("a<b", nil, "<name>a&lt;b</name>\n"),
      (nil, "/dev/x", "<name>/dev/x</name>\n"),
      ("bow", "/dev/x", "<name>bow /dev/x</name>\n"),
    ] as [(String?, String?, String)])
  func `names the source and the receiver`(source: String?, device: String?, name: String) {
    var renderer = KMLRenderer(source: source)
    #expect(
      renderer.fix(Samples.position(1, 2, device: device)).hasPrefix(
        "<Placemark>\n\(name)<gx:MultiTrack>\n"))
  }

  @Test func `is well-formed after every record`() {
    var renderer = KMLRenderer()
    var document = renderer.begin()
    for step in 0..<12 {
      let device = step % 5 == 0 ? Samples.hostile : Samples.device
      document += renderer.fix(Samples.position(Double(step), 1e-10, device: device))
      if step % 3 == 0 { _ = renderer.state(Samples.noService) }
      #expect(XMLParser(data: Data((document + renderer.trailer).utf8)).parse())
    }
    document += renderer.end()
    #expect(XMLParser(data: Data(document.utf8)).parse())
    #expect(document.split(separator: "<gx:coord>").count == 13)
  }
}
