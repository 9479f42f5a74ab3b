package import LocationCore
package import LocationText

/// Writes KML 2.2 with Google's tracks, in which each point has a time.
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

  /// A point of a track needs a time.
  package static func shows(_ fix: LocationFix) -> Bool { fix.time != nil }

  package typealias Segment = KMLSegment
}

package typealias KMLRenderer = TrackRenderer<KMLMarkup>

extension LocationFormat {
  /// KML 2.2 with `gx:Track`: a document of tracks with their times and heights above mean sea level. After a
  /// loss of more than 10 s and three intervals, the next fix begins a new track; each receiver has its own. It
  /// contains only fixes with a time.
  package static let kml = LocationFormat("kml", [.receivers, .legs], endings: ["kml"]) {
    KMLRenderer(source: $0.source, limits: $0.isReplay ? .held : .live)
  }
}
