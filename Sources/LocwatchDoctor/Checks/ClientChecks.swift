import LocationFormats

// What can be wrong with other programs.
extension Check {
  static let client = Check(
    "client",
    "locwatch has a fix, and another program has none: most clients do not connect again after gpsd was "
      + "restarted.",
    from: .fix
  ) { examination in
    examination.conversation?.reach == .fix && !examination.isPrivate
      ? .well("gpsd gives positions to any program that connects to it") : nil
  }
}
