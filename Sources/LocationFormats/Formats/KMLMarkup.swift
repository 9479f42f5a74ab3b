package import LocationCore
package import LocationText

/// Writes KML 2.2 with Google's tracks, in which each point has a time.
///
/// Each time is written before its point, so that a track can grow. KML readers pair the first time with the
/// first point, whether or not all times come first.
package enum KMLMarkup: TrackMarkup {
  package static let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
    <Document>

    """
  package static let end = "</Document>\n</kml>\n"
  package static let trackEnd = "</gx:MultiTrack>\n</Placemark>\n"

  package static func appendTrack(
    of device: String?, source: String?, to output: inout TextBuffer
  ) {
    output.append(text: "<Placemark>\n")
    if source != nil || device != nil {
      output.append(text: "<name>")
      if let source { output.append(xml: source) }
      if source != nil, device != nil { output.append(character: " ") }
      if let device { output.append(xml: device) }
      output.append(text: "</name>\n")
    }
    output.append(text: "<gx:MultiTrack>\n")
  }

  package struct Segment: TrackSegment {
    private var isEmpty = true

    package init() {}

    package mutating func append(_ fix: LocationFix, to output: inout TextBuffer) {
      if isEmpty { output.append(text: "<gx:Track>\n") }
      isEmpty = false
      if let time = fix.time {
        output.append(text: "<when>")
        output.append(time: time)
        output.append(text: "</when>")
      } else {
        // The empty element keeps the other times paired with their points.
        output.append(text: "<when/>")
      }
      output.append(text: "<gx:coord>")
      output.append(number: fix.coordinate.longitude)
      output.append(character: " ")
      output.append(number: fix.coordinate.latitude)
      if fix.mode == .fix3D, let height = fix.altMSL {
        output.append(character: " ")
        output.append(number: height)
      }
      output.append(text: "</gx:coord>\n")
    }

    package func appendEnd(to output: inout TextBuffer) {
      if !isEmpty { output.append(text: "</gx:Track>\n") }
    }
  }
}

package typealias KMLRenderer = TrackRenderer<KMLMarkup>

extension LocationFormat {
  /// KML 2.2 with `gx:Track`: a document of tracks with their times and heights above mean sea level. After a
  /// loss, the next fix begins a new segment; each receiver has its own track. It contains only fixes.
  public static let kml = LocationFormat("kml", [.receivers, .legs]) {
    KMLRenderer(source: $0.source, limits: $0.isReplay ? .replay : .live)
  }
}
