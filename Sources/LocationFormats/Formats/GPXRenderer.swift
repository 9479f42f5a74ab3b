package import LocationCore

/// Renders GPX 1.1, with speed and course in Garmin's TrackPointExtension v2. A new track begins
/// when the receiver or the source changes, and a new segment after the fix was lost.
package struct GPXRenderer: Renderer {
  private enum Phase {
    case beforeTrack
    case inSegment(device: String?)
    /// The fix was lost. The next fix begins a new segment.
    case afterLoss(device: String?)
    /// The track of another source is open. The next fix begins a new track.
    case inOtherTrack

    /// The phase of a source whose record follows those of this one.
    var ofOtherSource: Phase {
      switch self {
      case .beforeTrack: .beforeTrack
      case .inSegment, .afterLoss, .inOtherTrack: .inOtherTrack
      }
    }
  }

  private var source: String?
  private var phase = Phase.beforeTrack

  package init(source: String? = nil) { self.source = source }

  package var trailer: String {
    switch phase {
    case .beforeTrack: "</gpx>\n"
    case .inSegment, .afterLoss, .inOtherTrack: "</trkseg>\n</trk>\n</gpx>\n"
    }
  }

  package mutating func begin(into output: inout TextBuffer) {
    output.append(
      text: """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="locwatch" xmlns="http://www.topografix.com/GPX/1/1" \
        xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" \
        xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
        xsi:schemaLocation="http://www.topografix.com/GPX/1/1 \
        http://www.topografix.com/GPX/1/1/gpx.xsd \
        http://www.garmin.com/xmlschemas/TrackPointExtension/v2 \
        https://www8.garmin.com/xmlschemas/TrackPointExtensionv2.xsd">

        """)
  }

  package mutating func goOn(after other: any Renderer, into output: inout TextBuffer) {
    // The track of this source ended when that of the other began.
    phase = (other as? GPXRenderer)?.phase.ofOtherSource ?? .beforeTrack
  }

  package mutating func note(source: String) {
    self.source = source
    phase = phase.ofOtherSource
  }

  package mutating func state(_ change: StateChange, into output: inout TextBuffer) {
    guard !change.state.hasFix, case .inSegment(let device) = phase else { return }
    if change.subject == .link || change.subject == .receiver(device) {
      phase = .afterLoss(device: device)
    }
  }

  package mutating func fix(_ fix: LocationFix, into output: inout TextBuffer) {
    switch phase {
    case .inSegment(let device) where isSamePath(device, fix.device): break
    case .afterLoss(let device) where isSamePath(device, fix.device):
      output.append(text: "</trkseg>\n<trkseg>\n")
    case .beforeTrack: output.append(trackOf: fix.device, source: source)
    case .inSegment, .afterLoss, .inOtherTrack:
      output.append(text: "</trkseg>\n</trk>\n")
      output.append(trackOf: fix.device, source: source)
    }
    phase = .inSegment(device: fix.device)
    output.append(trackPoint: fix)
  }
}

extension LocationFix {
  /// The word of the schema for the kind of fix. Where it has none for the quality, it is the mode.
  fileprivate var gpxFix: String {
    switch quality {
    case .dgps?, .rtkFixed?, .rtkFloat?: "dgps"
    case .py?: "pps"
    default: mode == .fix3D ? "3d" : "2d"
    }
  }
}

extension TextBuffer {
  fileprivate mutating func append(trackOf device: String?, source: String?) {
    append(text: "<trk>\n")
    if let source {
      append(text: "<name>")
      append(xml: source)
      append(text: "</name>\n")
    }
    if let device {
      append(text: "<src>")
      append(xml: device)
      append(text: "</src>\n")
    }
    append(text: "<trkseg>\n")
  }

  /// Appends the point, with its elements in the order of the schema.
  fileprivate mutating func append(trackPoint fix: LocationFix) {
    append(text: "<trkpt lat=\"")
    append(number: fix.coordinate.latitude)
    append(text: "\" lon=\"")
    // The schema allows only -180 for the antimeridian.
    append(number: fix.coordinate.longitude == 180 ? -180 : fix.coordinate.longitude)
    append(text: "\">")
    append("ele", fix.altMSL)
    if let time = fix.time {
      append(text: "<time>")
      append(time: time)
      append(text: "</time>")
    }
    append("geoidheight", fix.geoidSep)
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
    append("hdop", fix.hdop)
    append("vdop", fix.vdop)
    append("pdop", fix.pdop)
    append("ageofdgpsdata", fix.dgpsAge)
    if fix.speed != nil || fix.track != nil {
      append(text: "<extensions><gpxtpx:TrackPointExtension>")
      append("gpxtpx:speed", fix.speed)
      append("gpxtpx:course", fix.track)
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
