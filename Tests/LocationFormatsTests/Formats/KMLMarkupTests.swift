import Foundation
import FoundationXML
import LocationCore
import LocationSamples
import LocationText
import TestSupport
import Testing

@testable import LocationFormats

@Suite struct `KML` {
  private static let end = "</gx:MultiTrack>\n</Placemark>\n</Document>\n</kml>\n"
  private static let start =
    "<Placemark>\n<name>/dev/ttyACM0</name>\n<gx:MultiTrack>\n"

  /// A track of points, which are numbered from 0 on. Each is a second after the one before.
  private static func track(_ points: some Sequence<Int>, height: String = "") -> String {
    let times = points.map { "<when>\(time($0))</when>\n" }
    let places = points.map { "<gx:coord>\(Double($0)) 1.0\(height)</gx:coord>\n" }
    let mode = height.isEmpty ? "" : "<altitudeMode>absolute</altitudeMode>\n"
    return "<gx:Track>\n" + mode + times.joined() + places.joined() + "</gx:Track>\n"
  }

  private static func time(_ point: Int) -> String {
    "2026-11-20T07:0\(point / 60):\(point % 60 < 10 ? "0" : "")\(point % 60).000Z"
  }

  private static func fix(
    _ point: Int, height: Double? = nil, device: String = Samples.device
  ) -> LocationFix {
    var fix = Samples.position(
      1, Double(point), at: Samples.time(Int64(point / 60), Int64(point % 60)), device: device)
    fix.altitude = height
    return fix
  }

  @Test func `has a track for a receiver, which the end of the document contains`() {
    var renderer = KMLRenderer()
    #expect(
      renderer.begin() == """
        <?xml version="1.0" encoding="UTF-8"?>
        <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
        <Document>

        """)
    #expect(renderer.trailer == "</Document>\n</kml>\n")
    #expect(renderer.fix(Self.fix(0)) == Self.start)
    #expect(renderer.trailer == Self.track(0...0) + Self.end)
    #expect(renderer.fix(Self.fix(1)) == "")
    #expect(renderer.trailer == Self.track(0...1) + Self.end)
    #expect(renderer.fix(Self.fix(2)) == "")
    #expect(renderer.end() == Self.track(0...2) + Self.end)
  }

  @Test func `has heights that count where all points have one`() {
    var renderer = KMLRenderer()
    var text = ""
    let heights: [Double?] = [nil, nil, 9, 9, 9, nil, 9, nil, nil]
    for (point, height) in heights.enumerated() {
      text += renderer.fix(Self.fix(point, height: height))
    }
    func place(_ point: Int, _ height: String) -> String {
      "<gx:coord>\(Double(point)) 1.0\(height)</gx:coord>\n"
    }
    func flat(_ points: ClosedRange<Int>, with heights: Int...) -> String {
      heights.reduce(Self.track(points)) {
        $0.replacing(place($1, ""), with: place($1, " 9.0"))
      }
    }
    #expect(
      text + renderer.end() == Self.start + flat(0...2, with: 2) + Self.track(2...4, height: " 9.0")
        + flat(4...6, with: 4, 6) + Self.track(6...6, height: " 9.0") + flat(6...8, with: 6)
        + Self.end)
  }

  @Test func `has no height of a 2D fix, and no point without a time`() {
    var renderer = KMLRenderer()
    var fix = Self.fix(0, height: 9)
    fix.mode = .fix2D
    _ = renderer.fix(fix)
    #expect(renderer.fix(Samples.position(1, 2)) == "")
    #expect(renderer.trailer == Self.track(0...0) + Self.end)
    var timeless = KMLRenderer()
    #expect(timeless.fix(Samples.position(1, 2)) == "")
    #expect(timeless.end() == "</Document>\n</kml>\n")
  }

  @Test func `holds a part of the points, and connects the parts`() {
    // A point has 67 bytes.
    var renderer = KMLRenderer(limits: TrackLimits(track: 1000, total: 10_000, segment: 200))
    let texts = (0..<8).map { renderer.fix(Self.fix($0)) }
    #expect(
      texts == [
        Self.start, "", "", Self.track(0...2), "", Self.track(2...4), "", Self.track(4...6),
      ])
    #expect(renderer.end() == Self.track(6...7) + Self.end)
    #expect(TrackLimits.live.segment == 4096 && TrackLimits.replay.segment == 4096)
  }

  @Test func `keeps tracks in a replay, and writes them as a whole`() {
    var renderer = KMLRenderer(limits: .held)
    for point in 0..<100 { #expect(renderer.fix(Self.fix(point)) == "") }
    _ = renderer.state(Samples.lost)
    _ = renderer.fix(Self.fix(0, device: "/dev/b"))
    #expect(renderer.fix(Self.fix(150)) == "")
    #expect(renderer.trailer == "</Document>\n</kml>\n")
    let trackEnd = "</gx:MultiTrack>\n</Placemark>\n"
    #expect(
      renderer.end() == Self.start + Self.track(0..<100) + Self.track(150...150) + trackEnd
        + Self.start.replacing(Samples.device, with: "/dev/b") + Self.track(0...0) + trackEnd
        + "</Document>\n</kml>\n")
    #expect(TrackLimits.held.track == .max && TrackLimits.held.total == 16 << 20)
    var style = RecordStyle()
    style.isReplay = true
    var replay = LocationFormat.kml.makeRenderer(style)
    var output = TextBuffer()
    replay.fix(Self.fix(0), into: &output)
    #expect(output.string == "" && replay.trailer == "</Document>\n</kml>\n")
  }

  @Test func `writes the largest track of a replay when too much is kept`() {
    var renderer = KMLRenderer(limits: TrackLimits(track: .max, total: 260, segment: 80))
    let devices = [Samples.device, "/dev/b", Samples.device, Samples.device, "/dev/b"]
    let texts = devices.enumerated().map { renderer.fix(Self.fix($0, device: $1)) }
    let trackEnd = "</gx:MultiTrack>\n</Placemark>\n"
    #expect(texts == ["", "", "", Self.start + Self.track([0, 2, 3]) + trackEnd, ""])
    #expect(renderer.trailer == "</Document>\n</kml>\n")
    #expect(
      renderer.end() == Self.start.replacing(Samples.device, with: "/dev/b")
        + Self.track([1, 4]) + trackEnd + "</Document>\n</kml>\n")
  }

  @Test(arguments: [TrackLimits.live, .held, TrackLimits(track: 300, total: 600, segment: 200)])
  func `is well-formed after every record, with all times of a track before its places`(
    limits: TrackLimits
  ) {
    var renderer = KMLRenderer(limits: limits)
    var document = renderer.begin()
    var points: Set<String> = []
    for step in 0..<60 {
      let device = step % 5 == 0 ? Samples.hostile : Samples.device
      var fix = Self.fix(step, height: step % 7 == 0 ? nil : 1e-10, device: device)
      if step % 11 == 0 { fix.time = nil } else { points.insert("\(Double(step)) 1.0") }
      document += renderer.fix(fix)
      if step % 13 == 0 { document += renderer.state(Samples.noService) }
      let tracks = KMLTracks(of: document + renderer.trailer)
      #expect(tracks.isWellFormed && tracks.disorders == [])
    }
    document += renderer.end()
    let tracks = KMLTracks(of: document)
    #expect(tracks.isWellFormed && tracks.disorders == [])
    #expect(tracks.places == points)
  }
}

/// The tracks of a document, as a parser that is not ours sees them.
private final class KMLTracks: NSObject, XMLParserDelegate {
  private(set) var isWellFormed = false
  /// The elements of tracks that are not in the order of the schema.
  private(set) var disorders: [[String]] = []
  /// The different places, without their heights.
  private(set) var places: Set<String> = []
  private var elements: [String] = []
  private var text = ""

  init(of document: String) {
    super.init()
    let parser = XMLParser(data: Data(document.utf8))
    parser.delegate = self
    isWellFormed = parser.parse() && isWholeXML(document.utf8)
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String] = [:]
  ) {
    text = ""
    if name == "gx:Track" { elements = [] } else { elements.append(name) }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    if name == "gx:coord" {
      places.insert(text.split(separator: " ").prefix(2).joined(separator: " "))
    }
    guard name == "gx:Track" else { return }
    let rest = elements.first == "altitudeMode" ? elements.dropFirst() : elements[...]
    let half = rest.count / 2
    let isOrdered =
      half > 0 && rest.count == 2 * half && rest.prefix(half).allSatisfy { $0 == "when" }
      && rest.dropFirst(half).allSatisfy { $0 == "gx:coord" }
    if !isOrdered { disorders.append(elements) }
  }
}
