import LocationCore

/// A receiver whose reports are always complete, and have to arrive whatever else is sent: each gives
/// one fix.
struct Neighbour {
  /// No other line names it.
  let path: String
  /// How many reports there are.
  private(set) var count = 0

  init(path: String) { self.path = path }

  /// Returns the next report, without its line end.
  mutating func next() -> String {
    defer { count += 1 }
    return Self.line(count, of: path)
  }

  private static func line(_ index: Int, of path: String) -> String {
    #"{"class":"TPV","device":"\#(path)","mode":3,"time":"\#(time(of: index))","#
      + #""lat":\#(latitude(of: index)),"lon":-11.5,"altMSL":545.4,"eph":17.1}"#
  }

  /// The time in a report: this many seconds after 2031 began.
  static func time(of index: Int) -> Timestamp {
    Timestamp(secondsSince1970: 1_924_992_000 + Int64(index))
  }

  static func latitude(of index: Int) -> Double { Double(index % 90) + 0.25 }
}
