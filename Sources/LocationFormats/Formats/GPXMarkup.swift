package import LocationCore
package import LocationText

/// Writes GPX 1.1, with speed and course in Garmin's TrackPointExtension v2.
package enum GPXMarkup: TrackMarkup {
  package static let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx version="1.1" creator="locwatch" xmlns="http://www.topografix.com/GPX/1/1" \
    xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" \
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
    xsi:schemaLocation="http://www.topografix.com/GPX/1/1 \
    http://www.topografix.com/GPX/1/1/gpx.xsd \
    http://www.garmin.com/xmlschemas/TrackPointExtension/v2 \
    https://www8.garmin.com/xmlschemas/TrackPointExtensionv2.xsd">

    """
  package static let end = "</gpx>\n"
  package static let trackEnd = "</trk>\n"

  package static func appendTrack(
    of device: String?, source: String?, to output: inout TextBuffer
  ) {
    output.append(text: "<trk>\n")
    if let source {
      output.append(text: "<name>")
      output.append(xml: source)
      output.append(text: "</name>\n")
    }
    if let device {
      output.append(text: "<src>")
      output.append(xml: device)
      output.append(text: "</src>\n")
    }
  }

  /// A segment, whose points are written at once.
  package struct Segment: TrackSegment {
    package static let holdsPoints = false

    private var isEmpty = true

    package init() {}

    package var size: Int { 0 }

    package mutating func append(
      _ fix: LocationFix, upTo maximumSize: Int, to output: inout TextBuffer
    ) {
      if isEmpty { output.append(text: "<trkseg>\n") }
      isEmpty = false
      output.append(trackPoint: fix)
    }

    package func appendEnd(to output: inout TextBuffer) {
      if !isEmpty { output.append(text: "</trkseg>\n") }
    }
  }
}

package typealias GPXRenderer = TrackRenderer<GPXMarkup>

extension LocationFix {
  /// The schema's word for the quality, or for the mode if the schema has no word for the quality.
  fileprivate var gpxFix: String {
    switch quality {
    case .dgps?, .rtkFixed?, .rtkFloat?: "dgps"
    case .pCode?: "pps"
    default: mode == .fix3D ? "3d" : "2d"
    }
  }
}

extension TextBuffer {
  /// Appends the point, with its elements in the order of the schema.
  fileprivate mutating func append(trackPoint fix: LocationFix) {
    append(text: "<trkpt lat=\"")
    append(number: fix.coordinate.latitude)
    append(text: "\" lon=\"")
    // The schema allows only -180 for the antimeridian.
    append(number: fix.coordinate.longitude == 180 ? -180 : fix.coordinate.longitude)
    append(text: "\">")
    append("ele", fix.altitude)
    if let time = fix.time {
      append(text: "<time>")
      append(time: time)
      append(text: "</time>")
    }
    append("geoidheight", fix[.geoidSep])
    if let quality = fix.quality, quality != .gps {
      append(text: "<src>\(quality.name)</src>")
    }
    append(text: "<fix>")
    append(text: fix.gpxFix)
    append(text: "</fix>")
    if let used = fix.satellitesUsed {
      append(text: "<sat>")
      append(integer: used)
      append(text: "</sat>")
    }
    append("hdop", fix[.hdop])
    append("vdop", fix[.vdop])
    append("pdop", fix[.pdop])
    append("ageofdgpsdata", fix[.dgpsAge])
    let course = fix.shown(.track)
    if fix.speed != nil || course != nil {
      append(text: "<extensions><gpxtpx:TrackPointExtension>")
      append("gpxtpx:speed", fix.speed)
      append("gpxtpx:course", course)
      append(text: "</gpxtpx:TrackPointExtension></extensions>")
    }
    append(text: "</trkpt>\n")
  }

  private mutating func append(_ element: String, _ number: Double?) {
    guard let number else { return }
    append(character: "<")
    append(text: element)
    append(character: ">")
    append(number: number)
    append(text: "</")
    append(text: element)
    append(character: ">")
  }
}

extension LocationFormat {
  /// GPX 1.1: a document of tracks with speed and course in Garmin's TrackPointExtension v2. After a
  /// loss of more than 10 s and three intervals, the next fix begins a new segment; another receiver begins a new
  /// track.
  package static let gpx = LocationFormat("gpx", [.receivers, .legs], endings: ["gpx"]) {
    GPXRenderer(source: $0.source, limits: $0.isReplay ? .replay : .live)
  }
}
