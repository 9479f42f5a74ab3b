import LocationFormats

// What can be wrong with other programs.
extension Check {
  static let client = Check(
    "client",
    "locwatch has a fix, and another program has none: most clients do not connect again after gpsd was "
      + "restarted.",
    from: .fix
  ) { examination in
    guard let fix = examination.conversation?.fix else { return nil }
    return .well(
      "locwatch has a fix of \(fix.device ?? "the receiver"): a program that has none may not have connected "
        + "again, so restart it")
  }
}
