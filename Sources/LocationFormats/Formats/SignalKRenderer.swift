package import LocationCore
package import LocationText

/// Renders Signal K deltas, one per line, in radians and metres per second. Each receiver is a separate
/// source. A value that is no longer known is `null`, and so is a position that is no longer current.
package struct SignalKRenderer: Renderer {
  /// A value besides the position, in the order of the records.
  private enum Quantity: Int, CaseIterable {
    case speed, course, variation, heading, magneticHeading, satellites, dilution, separation

    var path: String {
      switch self {
      case .speed: "navigation.speedOverGround"
      case .course: "navigation.courseOverGroundTrue"
      case .variation: "navigation.magneticVariation"
      case .heading: "navigation.headingTrue"
      case .magneticHeading: "navigation.headingMagnetic"
      case .satellites: "navigation.gnss.satellites"
      case .dilution: "navigation.gnss.horizontalDilution"
      case .separation: "navigation.gnss.geoidalSeparation"
      }
    }

    func value(of fix: LocationFix) -> Double? {
      switch self {
      case .speed: fix.speed
      case .course: fix.shown(.track).map { $0 * .pi / 180 }
      case .variation: fix[.magvar].map { $0 * .pi / 180 }
      case .heading: fix.heading.map { $0 * .pi / 180 }
      case .magneticHeading: fix[.mheading].map { $0 * .pi / 180 }
      case .satellites: fix.satellitesUsed.map(Double.init)
      case .dilution: fix[.hdop]
      case .separation: fix[.geoidSep]
      }
    }
  }

  private var source: String
  private var fixed = ReceiversWithFix()
  /// The quantities for which the server has a value, for each receiver.
  private var known = ReceiverTable<Set<Quantity>>()

  package init(source: String) { self.source = source }

  package mutating func begin(source: String) {
    self.source = source
    known.removeAll()
  }

  /// Writes only fixes that have a time and are current, because a server takes each value for the present
  /// one.
  package mutating func fix(_ fix: LocationFix, into output: inout TextBuffer) {
    guard let time = fix.time, fix.isCurrent else { return }
    fixed.record(fix)
    begin(of: fix.device, at: time, into: &output)
    output.append(text: #"{"path":"navigation.position","value":{"latitude":"#)
    output.append(number: fix.coordinate.latitude)
    output.append(text: #","longitude":"#)
    output.append(number: fix.coordinate.longitude)
    if let height = fix.altitude {
      output.append(text: #","altitude":"#)
      output.append(number: height)
    }
    output.append(text: "}}")
    let before = known[fix.device] ?? []
    var now: Set<Quantity> = []
    for quantity in Quantity.allCases {
      let value = quantity.value(of: fix)
      guard value != nil || before.contains(quantity) else { continue }
      output.append(path: quantity.path, value)
      if value != nil { now.insert(quantity) }
    }
    known[fix.device] = now
    end(methodQuality: fix.methodQuality, into: &output)
  }

  package mutating func state(_ change: StateChange, into output: inout TextBuffer) {
    for device in fixed.end(by: change) {
      begin(of: device, at: change.instant, into: &output)
      output.append(text: #"{"path":"navigation.position","value":null}"#)
      let before = known[device] ?? []
      for quantity in Quantity.allCases where before.contains(quantity) {
        output.append(path: quantity.path, nil)
      }
      known[device] = nil
      end(methodQuality: "no GPS", into: &output)
    }
  }

  private func begin(of device: String?, at time: Timestamp?, into output: inout TextBuffer) {
    output.append(text: #"{"context":"vessels.self","updates":[{"$source":"locwatch."#)
    output.append(signalK: source)
    // The path of a serial receiver is also the name of the source.
    if let device, !isSamePath(device, source) { output.append(signalK: device) }
    output.append(character: "\"")
    if let time {
      output.append(text: #","timestamp":""#)
      output.append(time: time)
      output.append(character: "\"")
    }
    output.append(text: #","values":["#)
  }

  private func end(methodQuality: String, into output: inout TextBuffer) {
    output.append(text: #",{"path":"navigation.gnss.methodQuality","value":""#)
    output.append(text: methodQuality)
    output.append(text: "\"}]}]}\n")
  }
}

extension LocationFix {
  /// Signal K's word for how the position was computed.
  fileprivate var methodQuality: String {
    switch quality {
    case .dgps?: "DGNSS fix"
    case .rtkFixed?: "RTK fixed integer"
    case .rtkFloat?: "RTK float"
    case .deadReckoning?: "Estimated (DR) mode"
    case .timeOnly?: "Manual input"
    case .simulated?: "Simulator mode"
    case .pCode?: "Precise GNSS"
    default: "GNSS Fix"
    }
  }
}

extension TextBuffer {
  /// Appends a name. Characters that the specification does not allow are replaced by `_`. A dot would divide
  /// the name.
  fileprivate mutating func append(signalK name: String) {
    for scalar in name.unicodeScalars {
      let isAllowed =
        scalar.isASCII
        && (Character(scalar).isLetter || Character(scalar).isNumber || scalar == "-")
      append(character: isAllowed ? scalar : "_")
    }
  }

  /// Appends a value; `null` if it is unknown.
  fileprivate mutating func append(path: String, _ number: Double?) {
    append(text: #",{"path":""#)
    append(text: path)
    append(text: #"","value":"#)
    if let integer = number.flatMap({ Int(exactly: $0) }) {
      append(integer: integer)
    } else if let number {
      append(rounded: number, places: 9)
    } else {
      append(text: "null")
    }
    append(character: "}")
  }
}

extension LocationFormat {
  /// Signal K deltas, one per line, with directions in radians. A loss sets the position and the other values
  /// that were written to `null`.
  package static let signalK = LocationFormat(
    "signalk", .receivers, endings: LocationFormat.jsonEndings
  ) {
    SignalKRenderer(source: $0.sourceName)
  }
}
