import LocationCore

/// How far a replay is, in words.
struct ReplayStatus: Equatable {
  /// Bytes of the recording that are done.
  var said: Int
  /// How many there are; `nil` where that is not known.
  var size: Int?
  var elapsed: Duration

  /// `41.2 of 72.7 MB, 57 %, 38.4 MB/s, 1 s left`
  var words: String {
    let rate = Double(said) / max(elapsed.inSeconds, 1e-3)
    guard let size, size > 0 else { return "\(Self.bytes(said)), \(Self.bytes(Int(rate)))/s" }
    let unit = Self.unit(of: size)
    var parts = [
      "\(Self.number(said, of: unit)) of \(Self.number(size, of: unit)) \(unit.name)",
      "\(min(100, 100 * said / size)) %",
      "\(Self.bytes(Int(rate)))/s",
    ]
    if said > 0, said < size {
      parts.append("\(Self.time(seconds: Double(size - said) / rate)) left")
    }
    return parts.joined(separator: ", ")
  }

  private typealias Unit = (bytes: Double, name: String)

  private static func unit(of bytes: Int) -> Unit {
    switch bytes {
    case ..<1_000_000: (1e3, "kB")
    case ..<1_000_000_000: (1e6, "MB")
    default: (1e9, "GB")
    }
  }

  private static func number(_ bytes: Int, of unit: Unit) -> String {
    Text.rounded(Double(bytes) / unit.bytes, places: 1)
  }

  private static func bytes(_ bytes: Int) -> String {
    let unit = unit(of: bytes)
    return "\(number(bytes, of: unit)) \(unit.name)"
  }

  /// No finer than an estimate is.
  private static func time(seconds: Double) -> String {
    switch seconds {
    case ..<120: "\(Int(seconds.rounded(.up))) s"
    case ..<7200: "\(Int((seconds / 60).rounded(.up))) min"
    default: "\(Int((min(seconds, 1e9) / 3600).rounded(.up))) h"
    }
  }
}
