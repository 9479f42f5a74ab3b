package import LocationCore

/// Renders GPX 1.1, with speed and course in Garmin's TrackPointExtension v2. Each receiver of each
/// source has a track, with a new segment after the fix was lost.
///
/// A document has one track after the other, and receivers report in turn. So one track is open, and the
/// points of other receivers are kept for tracks of their own. These follow at the end of the document,
/// or when too much is kept; then another track is open.
package struct GPXRenderer: Renderer {
  /// How many bytes are kept before a track is written, of one and of all.
  package struct Limits: Sendable {
    package let track: Int
    package let total: Int

    package init(track: Int, total: Int) {
      self.track = track
      self.total = total
    }

    /// About 60 points of a receiver.
    package static let live = Limits(track: 16 << 10, total: 1 << 20)
    /// About 250,000 points.
    package static let replay = Limits(track: .max, total: 64 << 20)
  }

  private var source: String?
  private let limits: Limits
  private var document = Document()

  package init(source: String? = nil, limits: Limits = .live) {
    self.source = source
    self.limits = limits
  }

  package var trailer: String {
    document.open == nil ? "</gpx>\n" : "</trkseg>\n</trk>\n</gpx>\n"
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

  package mutating func resume(after other: inout any Renderer, into output: inout TextBuffer) {
    // Moved, because a copy of what is kept would be made for each record.
    guard var last = other as? GPXRenderer else { return }
    document = last.document
    last.document = Document()
    other = last
  }

  package mutating func begin(source: String) {
    // The receivers of the source before have no part in what follows.
    document.interrupt { $0.source == self.source }
    self.source = source
    document.interrupt { $0.source == source }
  }

  package mutating func state(_ change: StateChange, into output: inout TextBuffer) {
    guard !change.state.hasFix else { return }
    document.interrupt {
      $0.source == source
        && (change.subject == .link || change.subject == .receiver($0.device))
    }
  }

  package mutating func fix(_ fix: LocationFix, into output: inout TextBuffer) {
    if document.open?.isOf(source, fix.device) == true {
      if document.open?.resume() == true { output.append(text: segmentStart) }
      return output.append(trackPoint: fix)
    }
    document.add(fix, of: source, within: limits, into: &output)
  }

  package mutating func writeKept(into output: inout TextBuffer) {
    document.writeAll(into: &output)
  }

}

/// The tracks of a document.
private struct Document: Sendable {
  /// The track that is written to.
  var open: Track?
  /// The tracks whose points are kept, and not empty.
  private var kept: [Track] = []
  /// How many bytes are kept.
  private var size = 0

  /// Begins a new segment with the next point of some tracks.
  mutating func interrupt(where isInterrupted: (Track) -> Bool) {
    if let track = open, isInterrupted(track) { open?.isInterrupted = true }
    for index in kept.indices where isInterrupted(kept[index]) { kept[index].isInterrupted = true }
  }

  /// Keeps a fix that does not belong to the open track, and writes what is too much to be kept.
  mutating func add(
    _ fix: LocationFix, of source: String?, within limits: GPXRenderer.Limits,
    into output: inout TextBuffer
  ) {
    let index = kept.firstIndex { $0.isOf(source, fix.device) } ?? kept.endIndex
    if index == kept.endIndex { kept.append(Track(source: source, device: fix.device)) }
    size -= kept[index].points.count
    kept[index].append(fix)
    size += kept[index].points.count
    if open == nil || kept[index].points.count > limits.track { write(index, into: &output) }
    while size > limits.total,
      let largest = kept.indices.max(by: { kept[$0].points.count < kept[$1].points.count })
    {
      write(largest, into: &output)
    }
  }

  mutating func writeAll(into output: inout TextBuffer) {
    while !kept.isEmpty { write(0, into: &output) }
  }

  /// Writes a track that was kept, which is then open.
  private mutating func write(_ index: Int, into output: inout TextBuffer) {
    var track = kept.remove(at: index)
    size -= track.points.count
    if open != nil { output.append(text: "</trkseg>\n</trk>\n") }
    output.append(trackOf: track.device, source: track.source)
    output.append(contentsOf: track.points.bytes)
    track.points = TextBuffer()
    open = track
  }
}

private let segmentStart = "</trkseg>\n<trkseg>\n"

/// The track of a receiver.
private struct Track: Sendable {
  let source: String?
  let device: String?
  /// The points that are not written.
  var points = TextBuffer()
  /// Whether the next point begins a new segment.
  var isInterrupted = false

  init(source: String?, device: String?) {
    self.source = source
    self.device = device
  }

  func isOf(_ source: String?, _ device: String?) -> Bool {
    isSamePath(self.device, device) && self.source == source
  }

  mutating func append(_ fix: LocationFix) {
    if resume() { points.append(text: segmentStart) }
    points.append(trackPoint: fix)
  }

  /// Returns whether the next point begins a new segment, and the one after it does not.
  mutating func resume() -> Bool {
    defer { isInterrupted = false }
    return isInterrupted
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
    append("ageofdgpsdata", fix[.dgpsAge])
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

extension LocationFormat {
  /// GPX 1.1: a document of tracks with speed and course in Garmin's TrackPointExtension v2. After a
  /// loss, the next fix begins a new segment; another receiver begins a new track.
  public static let gpx = LocationFormat("gpx", .receivers) {
    GPXRenderer(source: $0.source, limits: $0.isReplay ? .replay : .live)
  }
}
