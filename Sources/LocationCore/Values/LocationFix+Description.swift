extension LocationFix: CustomStringConvertible {
  /// All that is known: `3D 48.14997, 11.58477 at 2026-11-20T07:05:12.000Z of /dev/ttyACM0, eph 4.5`.
  ///
  /// It is for people, and for the messages of tests; do not take it apart.
  public var description: String {
    let modes: [FixMode: String] = [.twoD: "2D", .threeD: "3D"]
    var text = "\(modes[mode] ?? "no fix") \(coordinate)"
    if let time { text += " at \(time)" }
    if !device.isEmpty { text += " of \(device)" }
    var parts: [String] = []
    if let received { parts.append("received \(received)") }
    if !isCurrent { parts.append("not current") }
    if let timeJump { parts.append("jumped \(timeJump)") }
    if let satellitesUsed { parts.append("\(satellitesUsed) satellites used") }
    if let satellitesSeen { parts.append("\(satellitesSeen) satellites seen") }
    parts += Quantity.allCases.compactMap { quantity in
      self[quantity].map { "\(quantity) \($0)" }
    }
    return ([text] + parts).joined(separator: ", ")
  }
}
