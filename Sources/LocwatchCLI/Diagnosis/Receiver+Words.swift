import LocationCore

extension Receiver {
  /// `/dev/ttyACM0: u-blox, 9600 bit/s, every 1.0 s`
  var words: String {
    var parts: [String] = []
    if let driver { parts.append(driver) }
    if let subtype { parts.append(subtype) }
    if let bitsPerSecond { parts.append("\(bitsPerSecond) bit/s") }
    if let cycle { parts.append("every \(Text.rounded(cycle.inSeconds, places: 1)) s") }
    if !isActive { parts.append("not open") }
    return parts.isEmpty ? path : "\(path): \(parts.joined(separator: ", "))"
  }
}
