import LocwatchSystem

/// Clocks that a time service of a machine reads, in the configuration of chrony.
struct ChronySettings {
  /// A line such as `refclock SHM 0 refid GPS offset 0.155`.
  struct Clock: Equatable {
    var driver: String
    /// The number of a segment of memory, or a path.
    var parameter: String
    /// How late its times are, in seconds.
    var offset: Double
    var line: String
  }

  let clocks: [Clock]
  /// The file that has the first of them.
  let path: String

  /// `nil` if no file of chrony has a clock.
  init?(on machine: Machine) {
    let folder = "/etc/chrony/conf.d"
    let paths =
      ["/etc/chrony/chrony.conf", "/etc/chrony.conf"]
      + machine.names(in: folder).filter { $0.hasSuffix(".conf") }.map { "\(folder)/\($0)" }
    let files = paths.map { ($0, (machine.text(of: $0) ?? "").split(separator: "\n")) }
    let found = files.flatMap { path, lines in
      lines.compactMap(Self.clock).map { (path: path, clock: $0) }
    }
    guard let first = found.first else { return nil }
    clocks = found.map(\.clock)
    path = first.path
  }

  /// The first clock whose times come over a serial line, with its segment of memory; `nil` if there is none. gpsd
  /// writes these to the even segments, and pulses to the odd ones.
  var sharedMemory: (clock: Clock, number: Int)? {
    for clock in clocks where clock.driver == "SHM" {
      if let number = Int(clock.parameter), number.isMultiple(of: 2) { return (clock, number) }
    }
    return nil
  }

  private static func clock(of line: Substring) -> Clock? {
    let words = line.split { $0 == " " || $0 == "\t" }.map(String.init)
    guard words.count > 2, words[0] == "refclock" else { return nil }
    let index = words.firstIndex(of: "offset") ?? words.endIndex
    let offset = index + 1 < words.endIndex ? Double(words[index + 1]) : nil
    return Clock(
      driver: words[1], parameter: String(words[2].prefix { $0 != ":" }), offset: offset ?? 0,
      line: words.joined(separator: " "))
  }
}

extension Machine {
  /// The time service that takes its time from gpsd, such as `chrony`; `nil` if there is none.
  ///
  /// - Parameter ofGPSD: Whether pulses of the kernel do not count.
  func timeService(ofGPSD: Bool) -> String? {
    let drivers = ofGPSD ? ["SHM", "SOCK"] : ["SHM", "SOCK", "PPS"]
    if ChronySettings(on: self)?.clocks.contains(where: { drivers.contains($0.driver) }) == true {
      return "chrony"
    }
    let texts = ["/etc/ntpsec/ntp.conf", "/etc/ntp.conf"].compactMap(text(of:))
    let isRead = texts.joined(separator: "\n").split(separator: "\n").contains { line in
      let words = line.split { $0 == " " || $0 == "\t" }
      return words.first == "refclock" && words.dropFirst().first == "shm"
        || words.first == "server" && words.dropFirst().first?.hasPrefix("127.127.28.") == true
    }
    return isRead ? "ntpd" : nil
  }
}
