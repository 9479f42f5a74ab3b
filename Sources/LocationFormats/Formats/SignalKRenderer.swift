package import LocationCore

/// Renders deltas of Signal K, one per line, in radians and metres per second. A value that is no
/// longer known is `null`: the position too, when no receiver has a current one.
package struct SignalKRenderer: Renderer {
  /// A value besides the position, in the order of the records.
  private enum Quantity: Int, CaseIterable {
    case speed, course, variation, satellites, dilution, separation

    var path: String {
      switch self {
      case .speed: "navigation.speedOverGround"
      case .course: "navigation.courseOverGroundTrue"
      case .variation: "navigation.magneticVariation"
      case .satellites: "navigation.gnss.satellites"
      case .dilution: "navigation.gnss.horizontalDilution"
      case .separation: "navigation.gnss.geoidalSeparation"
      }
    }

    func value(of fix: LocationFix) -> Double? {
      switch self {
      case .speed: fix.speed
      case .course: fix.track.map { $0 * .pi / 180 }
      case .variation: fix.magvar.map { $0 * .pi / 180 }
      case .satellites: fix.satellitesUsed.map(Double.init)
      case .dilution: fix.hdop
      case .separation: fix.geoidSep
      }
    }
  }

  private let start: String
  private var fixed = FixedReceivers()
  /// The quantities that the server has a value of.
  private var known: Set<Quantity> = []

  package init(source: String) {
    // The specification allows no other characters. A dot would make two names of one.
    let name = String(
      source.unicodeScalars.map { scalar in
        scalar.isASCII
          && (Character(scalar).isLetter || Character(scalar).isNumber || scalar == "-")
          ? Character(scalar) : "_"
      })
    start = #"{"context":"vessels.self","updates":[{"$source":"locwatch.\#(name)""#
  }

  package mutating func note(source: String) {
    let fixed = fixed
    self = SignalKRenderer(source: source)
    self.fixed = fixed
  }

  /// Only fixes that have a time and are current are written: a server takes each for the present.
  package mutating func fix(_ fix: LocationFix, into output: inout TextBuffer) {
    guard let time = fix.time, fix.isCurrent else { return }
    fixed.note(fix)
    begin(at: time, into: &output)
    output.append(text: #"{"path":"navigation.position","value":{"latitude":"#)
    output.append(number: fix.coordinate.latitude)
    output.append(text: #","longitude":"#)
    output.append(number: fix.coordinate.longitude)
    if let height = fix.altMSL {
      output.append(text: #","altitude":"#)
      output.append(number: height)
    }
    output.append(text: "}}")
    for quantity in Quantity.allCases {
      let value = quantity.value(of: fix)
      guard value != nil || known.contains(quantity) else { continue }
      output.append(path: quantity.path, value)
      if value == nil { known.remove(quantity) } else { known.insert(quantity) }
    }
    end(methodQuality: fix.methodQuality, into: &output)
  }

  package mutating func state(_ change: StateChange, into output: inout TextBuffer) {
    guard !fixed.end(by: change).isEmpty, fixed.isEmpty else { return }
    begin(at: change.instant, into: &output)
    output.append(text: #"{"path":"navigation.position","value":null}"#)
    for quantity in Quantity.allCases where known.contains(quantity) {
      output.append(path: quantity.path, nil)
    }
    known = []
    end(methodQuality: "no GPS", into: &output)
  }

  private func begin(at time: Timestamp?, into output: inout TextBuffer) {
    output.append(text: start)
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
    case .deadReckoning?, .gnssDeadReckoning?: "Estimated (DR) mode"
    case .timeOnly?: "Manual input"
    case .simulated?: "Simulator mode"
    case .py?: "Precise GNSS"
    default: "GNSS Fix"
    }
  }
}

extension TextBuffer {
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
