package import LocationCore

/// Renders messages of OwnTracks, one per line: a `location` for each fix with a time, and `lwt`, the
/// message of a device that has gone away, when the last position is no longer current.
package struct OwnTracksRenderer: Renderer {
  private var source: String
  private var fixed = FixedReceivers()
  /// The receivers that have had a position.
  private var receivers = ReceiverTable<Void>()

  /// - Parameter source: Its last two characters are the tracker's ID, unless it has several receivers:
  ///   then it is those of the receiver's path.
  package init(source: String) { self.source = source }

  package mutating func begin(source: String) { self.source = source }

  private func trackerID(of device: String?) -> String {
    let hasSeveral = receivers.indices.count > 1
    return String((hasSeveral ? device ?? source : source).suffix(2))
  }

  package mutating func fix(_ fix: LocationFix, into output: inout TextBuffer) {
    guard let time = fix.time else { return }
    fixed.record(fix)
    receivers[fix.device] = ()
    output.append(text: #"{"_type":"location","tid":"#)
    output.append(json: trackerID(of: fix.device))
    output.append(text: #","lat":"#)
    output.append(number: fix.coordinate.latitude)
    output.append(text: #","lon":"#)
    output.append(number: fix.coordinate.longitude)
    output.append("tst", seconds: time)
    output.append("acc", rounding: fix.accuracy)
    output.append("alt", rounding: fix.altMSL)
    output.append("vac", rounding: fix.epv)
    output.append("vel", rounding: fix.speed.map { UnitSystem.metric.speed($0) })
    output.append("cog", rounding: fix.track.map { $0.rounded() == 360 ? 0 : $0 })
    if let received = fix.received { output.append("created_at", seconds: received) }
    // Readers ignore members that they do not know.
    if fix.quality == .simulated { output.append(text: #","quality":"simulated""#) }
    output.append(text: "}\n")
  }

  package mutating func state(_ change: StateChange, into output: inout TextBuffer) {
    guard let device = fixed.end(by: change).last, fixed.isEmpty, let instant = change.instant
    else { return }
    output.append(text: #"{"_type":"lwt","tid":"#)
    output.append(json: trackerID(of: device))
    output.append("tst", seconds: instant)
    output.append(text: "}\n")
  }
}

extension TextBuffer {
  private mutating func append(name: String) {
    append(text: ",\"")
    append(text: name)
    append(text: "\":")
  }

  fileprivate mutating func append(_ name: String, seconds time: Timestamp) {
    append(name: name)
    append(integer: Int(time.secondsSince1970))
  }

  /// Appends a member with an integer, which is left out if it is unknown or absurd.
  fileprivate mutating func append(_ name: String, rounding number: Double?) {
    guard let number, number.magnitude < 1e9 else { return }
    append(name: name)
    append(integer: Int(number.rounded()))
  }
}

extension LocationFormat {
  /// Messages of OwnTracks, one per line, with speeds in km/h. A loss is a message `lwt`.
  public static let ownTracks = LocationFormat("owntracks") {
    OwnTracksRenderer(source: $0.sourceName)
  }
}
