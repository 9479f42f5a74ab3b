package import LocationCore
package import LocationText

/// Renders OwnTracks messages, one per line: a `location` for each fix with a time, and `lwt`, the message of
/// a device that has gone away, when the last position is no longer current.
package struct OwnTracksRenderer: Renderer {
  private var source: String
  private var fixed = ReceiversWithFix()
  /// Whether the fixes come from the best of several sources, which form a single tracker.
  private var isOfBest = false
  /// The IDs of the trackers. An ID does not change once it is assigned.
  private var ids = ReceiverTable<String>()

  /// - Parameter source: The name of the source. Its last two characters are the tracker ID of the only
  ///   receiver, or of the first one. The ID of any other receiver, and of each receiver in a list of
  ///   several, is the end of the receiver's path. If several sources are merged into one, all fixes have the
  ///   ID of the source.
  package init(source: String) { self.source = source }

  package mutating func begin(source: String) {
    self.source = source
    isOfBest = false
    ids.removeAll()
  }

  package mutating func receivers(_ present: [Receiver]) {
    guard present.count > 1 else { return }
    for receiver in present where ids[receiver.path] == nil {
      ids[receiver.path] = String(receiver.path.suffix(2))
    }
  }

  package mutating func change(_ change: ReceiverChange, into output: inout TextBuffer) {
    if case .selected = change.kind { isOfBest = true }
  }

  private mutating func trackerID(of device: String?) -> String {
    if isOfBest { return String(source.suffix(2)) }
    if let id = ids[device] { return id }
    let id = String((ids.isEmpty ? source : device ?? source).suffix(2))
    ids[device] = id
    return id
  }

  package mutating func fix(_ fix: LocationFix, into output: inout TextBuffer) {
    guard let time = fix.time else { return }
    fixed.record(fix)
    output.append(text: #"{"_type":"location","tid":"#)
    output.append(json: trackerID(of: fix.device))
    output.append(text: #","lat":"#)
    output.append(number: fix.coordinate.latitude)
    output.append(text: #","lon":"#)
    output.append(number: fix.coordinate.longitude)
    output.append("tst", seconds: time)
    output.append("acc", rounding: fix.horizontalError)
    output.append("alt", rounding: fix.altitude)
    output.append("vac", rounding: fix.verticalError)
    output.append("vel", rounding: fix.speed.map { UnitSystem.metric.speed($0) })
    output.append("cog", rounding: fix.shown(.track).map { $0.rounded() == 360 ? 0 : $0 })
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
  /// OwnTracks messages, one per line, with speeds in km/h. A loss is an `lwt` message.
  package static let ownTracks = LocationFormat("owntracks", endings: LocationFormat.jsonEndings) {
    OwnTracksRenderer(source: $0.sourceName)
  }
}
