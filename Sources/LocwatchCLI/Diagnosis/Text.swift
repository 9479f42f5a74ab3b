import LocationCore

/// Numbers in sentences.
enum Text {
  /// `500 ms`, `20 s`, `1.5 s`
  static func duration(_ duration: Duration) -> String {
    let seconds = duration.inSeconds
    if seconds < 1 { return "\(rounded(seconds * 1000, places: 0)) ms" }
    return
      "\(seconds == seconds.rounded() ? rounded(seconds, places: 0) : rounded(seconds, places: 1)) s"
  }

  static func rounded(_ number: Double, places: Int) -> String {
    var text = TextBuffer()
    text.append(number, places: places)
    return text.string
  }
}
