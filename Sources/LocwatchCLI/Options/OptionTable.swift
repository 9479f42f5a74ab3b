import LocationCore

/// Every option there is. The parser, `--help`, the manual page and the completions read this.
enum OptionTable {
  static let groups = [source, ending, counting, writing, recording, other]

  static let options = groups.flatMap(\.options)

  static func option(long name: String) -> Option? { options.first { $0.long == name } }

  static func option(short letter: Character) -> Option? { options.first { $0.short == letter } }
}

extension OptionTable {
  private static let source = OptionGroup(
    title: "Where fixes come from",
    operands: [
      Operand(
        form: "SERVER[:PORT[:DEVICE]]", summary: "a gpsd (default: localhost:2947)",
        detail: "A gpsd, written as gpspipe and cgps take it, and the one receiver of it to "
          + "watch. An IPv6 address stands in brackets: [::1]:2947. The default is "
          + "localhost:2947, and every receiver that it has."),
      Operand(
        form: "/dev/TTY", summary: "a serial receiver that no gpsd serves",
        detail: "A serial receiver with no gpsd running. locwatch starts a private gpsd for it "
          + "on a free loopback port, reads it, and takes it down at the end."),
    ],
    options: [
      .value(
        "d", "device", "PATH", completion: .device, "only this receiver",
        "Watch only the receiver at PATH on gpsd's machine, such as /dev/ttyACM0."
      ) { options, text throws(UsageError) in
        options.device = try OptionValues.nonEmpty(text)
      },
      .flag(
        nil, "reconnect", "try again when gpsd goes away",
        "Try again when gpsd cannot be reached or goes away: after 1, 2, 4, 8, 16 and then every "
          + "30 seconds. This is the default, but not with --once."
      ) { $0.reconnect = true },
      .flag(
        nil, "no-reconnect", "fail at once (default with --once)",
        "End with status 69 when gpsd cannot be reached or goes away."
      ) { $0.reconnect = false },
    ])

  private static let ending = OptionGroup(
    title: "When to stop",
    options: [
      .flag(
        "1", "once", "print the first fix and exit (-n 1)",
        "Print the first fix that counts, alone, and exit. As text it is latitude, longitude and, "
          + "of a 3D fix, the height above mean sea level, so that a shell's read takes it."
      ) { $0.once = true },
      .value(
        "n", "count", "N", "stop after N fixes",
        "Stop after N fixes; transitions do not count."
      ) { options, text throws(UsageError) in
        options.count = try OptionValues.count(text)
      },
      .value(
        "t", "timeout", "DUR", "give up when no fix came for DUR (30s with --once)",
        "Give up, with status 124, when no fix that counts has come for DUR; with 69 where gpsd "
          + "has never answered. A duration is a "
          + "number with a unit, or several: 500ms, 30s, 5m30s, 1h; without a unit it is seconds. "
          + "The default is 30s with --once, and no limit otherwise."
      ) { options, text throws(UsageError) in
        options.timeout = try OptionValues.duration(text)
      },
      .value(
        nil, "duration", "DUR", "stop after DUR",
        "Stop after DUR, with status 0, however many fixes there were; of a replay, that is the "
          + "recording's time. What else ends the run may come first: N fixes, or the timeout. "
          + "With --once DUR takes the place of the default timeout, and without a fix by then the "
          + "status is 124."
      ) { options, text throws(UsageError) in
        options.duration = try OptionValues.duration(text)
      },
    ])

  private static let counting = OptionGroup(
    title: "Which fixes count",
    options: [
      .value(
        nil, "fix", "2d|3d", completion: .words(["2d", "3d"]), "the weakest fix that counts (2d)",
        "The weakest fix that counts; the default is 2d."
      ) { options, text throws(UsageError) in
        switch text.lowercased() {
        case "2d": options.weakestFix = .twoD
        case "3d": options.weakestFix = .threeD
        default: throw UsageError("'\(text)' is neither 2d nor 3d")
        }
      },
      .value(
        nil, "accuracy", "M", "a fix worse than M metres does not count",
        "A fix whose accuracy is worse than M metres, or unknown, does not count."
      ) { options, text throws(UsageError) in
        options.accuracy = try OptionValues.metres(text)
      },
      .value(
        nil, "stale", "DUR", "silence after which a fix is not current",
        "Silence after which a fix is no longer current, and the receiver is lost. The default is "
          + "the larger of 5 seconds and three report intervals."
      ) { options, text throws(UsageError) in
        options.stale = try OptionValues.duration(text)
      },
      .value(
        "m", "min-move", "M", "leave out fixes within M metres of the last",
        "Leave out fixes within M metres of the last one written. With --interval, both must hold."
      ) { options, text throws(UsageError) in
        options.minMove = try OptionValues.metres(text, allowingZero: true)
      },
      .value(
        "i", "interval", "DUR", "at most one fix in DUR",
        "Write at most one fix in DUR, by the fixes' own times. A fix may be early by half of the "
          + "receiver's report interval, so that -i 2s writes every second fix of a receiver that "
          + "reports once a second."
      ) { options, text throws(UsageError) in
        options.interval = try OptionValues.duration(text, allowingZero: true)
      },
    ])
}
