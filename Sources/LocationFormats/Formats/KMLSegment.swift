package import LocationCore
package import LocationText

/// A segment of KML, as one or several tracks.
///
/// The schema wants all times of a track before all of its places, and viewers show nothing of a track in another
/// order. So the points of a track are held. Heights count only in a track that has them at all points: the track ends
/// where heights begin or end, and one without heights also has the points with heights beside it.
package struct KMLSegment: TrackSegment {
  package static let holdsPoints = true

  private var times = TextBuffer()
  private var places = TextBuffer()
  /// Where the last point begins in them.
  private var last = (time: 0, place: 0)
  private var hasHeights = false

  package init() {}

  package var size: Int { times.count + places.count }

  package mutating func append(
    _ fix: LocationFix, upTo maximumSize: Int, to output: inout TextBuffer
  ) {
    if size >= maximumSize { split(into: &output) }
    let height = fix.mode == .fix3D ? fix.altitude : nil
    if size == 0 {
      hasHeights = height != nil
    } else if hasHeights, height == nil {
      split(into: &output)
      hasHeights = false
    } else if !hasHeights, height != nil {
      append(fix, height)
      split(into: &output)
      hasHeights = true
      return
    }
    append(fix, height)
  }

  package func appendEnd(to output: inout TextBuffer) {
    guard size > 0 else { return }
    output.append(text: "<gx:Track>\n")
    if hasHeights { output.append(text: "<altitudeMode>absolute</altitudeMode>\n") }
    output.append(times)
    output.append(places)
    output.append(text: "</gx:Track>\n")
  }

  /// Writes the points as a track, and begins the next one with the last of them.
  private mutating func split(into output: inout TextBuffer) {
    appendEnd(to: &output)
    times.removeFirst(last.time)
    places.removeFirst(last.place)
    last = (0, 0)
  }

  private mutating func append(_ fix: LocationFix, _ height: Double?) {
    guard let time = fix.time else { return }
    last = (times.count, places.count)
    times.append(text: "<when>")
    times.append(time: time)
    times.append(text: "</when>\n")
    places.append(text: "<gx:coord>")
    places.append(number: fix.coordinate.longitude)
    places.append(character: " ")
    places.append(number: fix.coordinate.latitude)
    if let height {
      places.append(character: " ")
      places.append(number: height)
    }
    places.append(text: "</gx:coord>\n")
  }
}
