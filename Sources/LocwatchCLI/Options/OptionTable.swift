import LocationCore
import LocationFormats
import LocationText
import LocwatchReceivers
import LocwatchSystem

/// All options. The parser, `--help`, the manual page and the completions are made from this table.
enum OptionTable {
  static let groups = [source, ending, counting, writing, recording, other]

  static let options = groups.flatMap(\.options)

  static func option(long name: String) -> Option? { options.first { $0.long == name } }

  static func option(short letter: Character) -> Option? { options.first { $0.short == letter } }
}

extension OptionTable {
  private static let source = OptionGroup(
    title: "Where fixes come from", operands: targets, options: sourceOptions)

  // Apart, because the compiler gives up on all in one expression.
  private static let targets: [Operand] = [
    Operand(
      form: "[NAME=]SERVER[:PORT[:DEVICE]]", summary: "a gpsd (default: localhost:2947)",
      detail: "The gpsd to read, in the form that gpspipe and cgps accept, optionally with the "
        + "one receiver to watch. Write an IPv6 address in brackets: [::1]:2947. The default is "
        + "localhost:2947 with all its receivers. Several targets are read at the same time, and "
        + "each record says its source: NAME or, without one, the target as it is written."),
    Operand(
      form: "[NAME=]/dev/TTY",
      summary: "a serial receiver, with a gpsd of its own unless one serves it",
      detail: "A serial receiver. locwatch starts a private gpsd for it on a free loopback port "
        + "and stops that gpsd on exit. If the gpsd on port 2947 already serves the receiver, "
        + "locwatch uses that one, provided that it answers within 1.5 s and that its socket belongs to "
        + "root or to you. If it cannot be opened, the status is 66. Among several targets, that is "
        + "said, the others are read, and it is tried again after 1, 2, 4, 8, 16 and then every 30 "
        + "seconds, except with --once or --no-reconnect."),
    Operand(
      form: "[NAME=]tcp://HOST:PORT",
      summary: "a receiver on the network that accepts connections, such as a phone",
      detail: "A receiver on the network that sends NMEA, or what else gpsd reads. "
        + "locwatch connects to it, and has a private gpsd read what comes. While it cannot be "
        + "reached, or has sent nothing for 30 seconds, the state is no-device, and locwatch connects "
        + "again after 1, 2 and then every 4 seconds; with --once or --no-reconnect it "
        + "ends with status 69. Nothing is sent to the receiver but --corrections. Who can change what the network "
        + "carries can send any position."),
    Operand(
      form: "[NAME=]udp://[HOST]:PORT",
      summary: "a receiver on the network that sends datagrams to this port",
      detail: "A receiver on the network that sends datagrams to a port of this machine: of the "
        + "address HOST, or without it of all addresses. The first sender is the receiver, and others "
        + "are ignored, until it has been silent for 30 seconds."),
  ]

  private static let sourceOptions: [Option] = [
    .file(
      nil, .targets, "read more targets from FILE, one a line",
      "Read more targets from FILE, one a line, in the form of the command line. Empty lines and "
        + "lines that begin with # are skipped. Without a terminal, SIGHUP reads FILE again: "
        + "sources that are no longer listed end, new ones begin, and the others go on; receivers "
        + "that could not be opened are tried again. If a line is wrong, that is said, and all "
        + "sources go on."
    ) { $0.targetsFile = $1 },
    .flag(
      nil, .any, "with --once: the first fix of any target is enough",
      "With --once and several targets, exit after the first fix of any of them."
    ) { $0.takesAny = true },
    .flag(
      nil, .best, "of several targets, write only the best",
      "Merge several targets into one stream, that of the best source: one that is not doubted, if there is any, "
        + "then by its quality (rtk-fixed, "
        + "rtk-float, dgps, then 3D, 2D, and dead reckoning or a simulation last), then by its "
        + "accuracy. A source with several receivers is as good as the best of them. A source that "
        + "loses its fix is dropped at once, as is one that is doubted for one that is not; a better one takes over after 10 seconds of "
        + "being better. What a receiver says of its own quality and accuracy is taken for true: one that claims more than "
        + "the others is chosen until it is doubted. Each change is a record of type selected; a source whose gpsd or receiver is away is "
        + "reported on stderr."
    ) { $0.takesBest = true },
    .value(
      "d", .device, "PATH", completion: .device, "only this receiver",
      "Watch only the receiver at PATH on gpsd's machine, such as /dev/ttyACM0."
    ) { options, text throws(UsageError) in
      let device = try OptionValues.nonEmpty(text)
      try Target.refuse(device: device[...])
      options.device = device
    },
    .flag(
      nil, .reconnect, "reconnect when gpsd goes away (default)",
      "Reconnect when gpsd cannot be reached or goes away, after 1, 2, 4, 8, 16 and then every "
        + "30 seconds. This is the default, except with --once."
    ) { $0.reconnect = true },
    .flag(
      nil, .noReconnect, "fail at once (default with --once)",
      "Exit with status 69 when gpsd cannot be reached or goes away. This is the default with "
        + "--once."
    ) { $0.reconnect = false },
    .value(
      nil, .corrections, "URL", "give the receiver the corrections of ntrip://HOST[:PORT]/MOUNT",
      "Give the receiver the corrections of an NTRIP caster, ntrip://HOST[:PORT]/MOUNT (port 2101 by "
        + "default) or, with TLS, ntrips://HOST[:PORT]/MOUNT (443), for DGPS or RTK: frames of RTCM 3. The "
        + "receiver is a serial one, or one at tcp://. See CORRECTIONS."
    ) { options, text throws(UsageError) in
      options.corrections = try CasterAddress(url: text)
    },
    .flag(
      nil, .correctionsGGA, "send the caster the position, also if it does not ask for it",
      "Send the caster the position every 10 seconds, as a sentence GGA. Without this option it is sent "
        + "if the caster's table says that the mount point needs it."
    ) { $0.sendsPosition = true },
  ]

  private static let ending = OptionGroup(
    title: "When to stop",
    options: [
      .flag(
        "1", .once, "print the first fix and exit (-n 1)",
        "Print only the first fix that counts, and exit. As text it is the latitude, the longitude "
          + "and, for a 3D fix, the height above mean sea level, ready for a shell's read."
      ) { $0.goal.once = true },
      .value(
        nil, .average, "DUR|N", "with --once: print the mean of N fixes, or of those in DUR",
        "With --once, print the mean position of N fixes that count, or of those within DUR of the first one, "
          + "such as 10m. It is for a receiver that stands still: an antenna, a base, a mark. With it come its "
          + "standard errors to the east, to the north and in height, which allow for the fact that fixes that "
          + "follow each other err together, and the number of fixes. Fixes that lie far from the others are left "
          + "out. If the fixes end before, the mean so far is printed, and the status is not 0. It works with text, json and csv: see OUTPUT."
      ) { options, text throws(UsageError) in
        options.goal.average = try OptionValues.average(text)
      },
      .value(
        "n", .count, "N", "stop after N fixes (-n 1 is --once)",
        "Stop after N fixes; transitions do not count. With 1 it is --once."
      ) { options, text throws(UsageError) in
        options.goal.count = try OptionValues.count(text)
      },
      .value(
        "t", .timeout, "DUR", "give up after DUR without a fix (30s with --once)",
        "Give up when no fix that counts has arrived for DUR: with status 124, or 69 if gpsd has "
          + "never answered. A duration is one or more numbers with units, such as 500ms, 30s, "
          + "5m30s or 1h; a number without a unit is in seconds. The default is 30s with --once, "
          + "and no limit otherwise."
      ) { options, text throws(UsageError) in
        options.goal.timeout = try OptionValues.duration(text)
      },
      .value(
        nil, .duration, "DUR", "stop after DUR",
        "Stop after DUR with status 0, however many fixes there were. In a replay DUR is measured "
          + "in the recording's time. --count or --timeout may end the run earlier. With --once, "
          + "DUR replaces the default timeout, and the status is 124 if there was no fix."
      ) { options, text throws(UsageError) in
        options.goal.duration = try OptionValues.duration(text)
      },
    ])

  private static let counting = OptionGroup(
    title: "Which fixes count",
    options: [
      .value(
        nil, .fix, "2d|3d", completion: .words(["2d", "3d"]), "ignore fixes weaker than this (2d)",
        "Ignore fixes weaker than this; the default is 2d."
      ) { options, text throws(UsageError) in
        switch text.lowercased() {
        case "2d": options.criteria.request.minimumMode = .fix2D
        case "3d": options.criteria.request.minimumMode = .fix3D
        default: throw UsageError("'\(text)' is neither 2d nor 3d")
        }
      },
      .value(
        nil, .quality, "Q", completion: .words(FixQuality.ranked.map(\.name)),
        "ignore fixes of a quality less than gps, dgps, rtk-float or rtk-fixed",
        "Ignore fixes whose quality is less than Q: gps, dgps, rtk-float or rtk-fixed, in this order. "
          + "gpsd does not report the quality of an ordinary fix, so an unknown one counts as gps. "
          + "Fixes of other qualities (dr, gnss-dr, time-only, simulated, and py, the military P(Y) code) are ignored. "
          + "Transitions are written all the same."
      ) { options, text throws(UsageError) in
        guard let quality = FixQuality.ranked.first(where: { $0.name == text.lowercased() }) else {
          let names = FixQuality.ranked.map(\.name).joined(separator: ", ")
          throw UsageError("'\(text)' is not one of \(names)")
        }
        options.criteria.request.minimumQuality = quality
      },
      .value(
        nil, .accuracy, "M", "ignore fixes whose accuracy is worse than M metres or unknown",
        "Ignore fixes whose accuracy is worse than M metres or unknown. Such a fix is not written, "
          + "but transitions are. Where a receiver reports no accuracy, gpsd's estimate is 19 metres "
          + "times the HDOP: 17 metres under a clear sky, and more than 20 at a window. 50 is a "
          + "limit that most first fixes meet."
      ) { options, text throws(UsageError) in
        options.criteria.request.desiredAccuracy = try OptionValues.metres(text)
      },
      .flag(
        nil, .believed, "ignore fixes that may not be true",
        "Ignore fixes that are doubted: see the record doubt under OUTPUT. With --once, locwatch waits for one that is "
          + "not, and a region is neither entered nor left by one that is. Transitions are written all the same."
      ) { $0.criteria.request.onlyBelieved = true },
      .value(
        nil, .stale, "DUR", "silence after which a fix is no longer current",
        "How long a receiver may be silent before its fix is no longer current, and its state is "
          + "lost. The default is the larger of 5 seconds and three report intervals; 65 seconds while the receiver "
          + "has reported only once, because its interval is not known yet."
      ) { options, text throws(UsageError) in
        options.stale = try OptionValues.duration(text)
      },
      .value(
        "m", .minMove, "M", "leave out fixes within M metres of the last",
        "Leave out fixes within M metres of the last one written. With --interval, a fix must "
          + "satisfy both."
      ) { options, text throws(UsageError) in
        options.criteria.minMove = try OptionValues.metres(text, allowingZero: true)
      },
      .value(
        "i", .interval, "DUR[..DUR]", "at most one fix per DUR; with two, speed decides",
        "Write at most one fix per DUR, going by the times of the fixes. A fix may be early by up "
          + "to half of the receiver's report interval, so that -i 2s writes every second fix of a "
          + "receiver that reports once a second. Of two durations, as in 5s..5m, the first is that at "
          + "100 km/h or more, and the second that of a receiver that stands still; between them the fixes "
          + "are as far apart as at 100 km/h. Without a speed the first counts."
      ) { options, text throws(UsageError) in
        (options.criteria.interval, options.criteria.intervalAtRest) =
          try OptionValues.interval(text)
      },
      .value(
        nil, .turn, "DEGREES", "with --interval, also a fix where the track bends",
        "With --interval, also write a fix at once where the direction of movement is DEGREES or more off "
          + "that of the last fix written: 20 keeps the corners of a road. This does not apply below 0.5 m/s, where "
          + "the direction that a receiver reports is noise."
      ) { options, text throws(UsageError) in
        options.criteria.turn = try OptionValues.turn(text)
      },
      .value(
        nil, .region, "NAME=AREA[,DUR]",
        "report entering and leaving: home=LAT,LON,METRES or yard=LAT,LON:LAT,LON:...",
        "Write a record of type region when a receiver enters or leaves an area: a circle, "
          + "NAME=LAT,LON,METRES, or a polygon, NAME=LAT,LON:LAT,LON:LAT,LON with three or more corners, "
          + "in degrees, of which no two are more than 9,000 km apart. The option can be given several times. The first fix tells where a receiver is. "
          + "After that, a fix has to be beyond the edge by its own accuracy; in a small area, half of the "
          + "distance from its edge to its middle is enough. So have to be those of the next 5 seconds, or of DUR, "
          + "such as NAME=LAT,LON,METRES,1m, so that a single wrong one changes nothing; with 0s the first one is enough. Fixes that do not count, or are less accurate than 100 metres unless "
          + "--accuracy allows that, are ignored; after 30 seconds without another one it is unknown "
          + "where the receiver is. The table of several targets on a terminal "
          + "shows neither this nor other changes."
      ) { options, text throws(UsageError) in
        let (region, dwell) = try OptionValues.region(text)
        guard !options.regions.contains(where: { $0.id == region.id }) else {
          throw UsageError("two regions are named '\(region.id)'")
        }
        options.regions.append(region)
        options.dwells[region.id] = dwell
      },
    ])
}

extension OptionTable {
  private static let formatsAfterText = OptionValues.formats.dropFirst().joined(separator: ", ")

  static let writing = OptionGroup(
    title: "How fixes are written",
    options: [
      .flag(
        nil, .correctDate, "correct a date that is 1,024 weeks off",
        "Correct the date of a receiver whose firmware is older than the last time that GPS counted its weeks from "
          + "zero again: add 1,024 weeks, or a multiple of that. This happens only if the kernel says that something "
          + "keeps the clock of this machine right, such as NTP, and if the rest of the two times agrees to within "
          + "seconds; in a replay, the receive times of the recording take the place of the clock, and without them "
          + "nothing is corrected. Each such fix has dateCorrection in JSON, and a remark in text. A recording has "
          + "the reports as they came."
      ) { $0.criteria.request.correctsDates = true },
      .flag("j", .json, "JSON, one record per line; same as -f json") { $0.format = .ndjson },
      .value(
        "f", .format, "F", completion: .words(OptionValues.formats),
        "text (default), \(formatsAfterText), or a template: '%lat %lon %altMSL'",
        "The output format: text (the default), \(formatsAfterText), or a template, which contains a %. csv "
          + "has the columns time, lat, lon, altHAE (those of gpscsv) and device; list others "
          + "after a colon, as in csv:time,source,lat,lon,speed:kn,device. Appended (>>) to a file that is not empty, csv has no header. See OUTPUT."
      ) { options, text throws(UsageError) in
        options.format = try OptionValues.format(text)
      },
      .file(
        "o", .output, "write to FILE instead of stdout",
        "Write to FILE, which is replaced if it exists, instead of to stdout. It always ends with a whole "
          + "record, and a document of gpx, kml or geojson is closed. Without --format, its ending chooses the format: .gpx, .kml, "
          + ".geojson, .geojsonl, .json, .jsonl, .ndjson, .csv, .nmea or .prom. "
          + "Without a terminal, SIGHUP has FILE opened again, if it was renamed: see FILES. "
          + "With these, DIR/ gets a file for each leg of each receiver, from one stop to the next: see OUTPUT. With prometheus it is replaced as a "
          + "whole, at each transition and once a second at the most. - is stdout. A file that is also read, or "
          + "written by another option, is refused, also if it has another name there."
      ) { $0.output = $1 },
      .value(
        nil, .coords, "C", completion: .words(CoordinateStyle.allCases.map(\.rawValue)),
        "dd, dm, dms, maidenhead, utm or mgrs, in text",
        "Write positions in text and templates as decimal degrees (dd, the default), degrees and "
          + "minutes (dm), degrees, minutes and seconds (dms), a Maidenhead locator (maidenhead), "
          + "UTM (utm: zone and band, easting and northing in metres, such as 32U 687344.337 "
          + "5332551.051; at the poles UPS, with the band alone), or the Military Grid Reference "
          + "System to the metre (mgrs, such as 32UPU8734432551)."
      ) { options, text throws(UsageError) in
        options.coordinates = try OptionValues.word(text)
      },
      .value(
        nil, .units, "U", completion: .words(UnitSystem.allCases.map(\.rawValue)),
        "metric, imperial or nautical, in text",
        "Write text, and the page and the text of a report, in metric units (the default), imperial "
          + "units (feet, miles, miles per hour) or nautical units (feet, nautical miles, knots). The environment variable GPSD_UNITS sets the units of "
          + "the live lines on a terminal and of the view, and of nothing else. In text records, a height in metres is "
          + "a plain number; with imperial or nautical it is in feet and ends in ft."
      ) { options, text throws(UsageError) in
        options.units = try OptionValues.word(text)
      },
      .flag(
        nil, .satellites, "add the satellites in view, to text or JSON",
        "Add the signals in view to each JSON fix, or a table of the satellites to text: used or "
          + "seen, the system, the satellite's number in it, elevation and azimuth in degrees, the "
          + "strength of its strongest signal in dBHz, and the names of its signals."
      ) { $0.satellites = true },
      .flag(
        nil, .events, "changes only, no fixes",
        "Write changes only, no fixes: those of the state, and of other things such as the quality, the antenna or "
          + "a region."
      ) {
        $0.events = .transitionsOnly
      },
      .flag(nil, .noEvents, "fixes only, no state changes", "Write fixes only, no state changes.") {
        $0.events = .fixesOnly
      },
      .flag(
        nil, .view, "full screen: sky, signals, fix, states; ? lists the keys",
        "Show a full screen on the terminal: the sky, the strength of the signals, the fix, how long the "
          + "state has lasted, the last transitions, and the scatter of the last minutes. See VIEW. "
          + "It cannot be combined with options that choose other output, such as --format."
      ) { options in
        options.view = true
        options.satellites = true
      },
      .value(
        nil, .class, "CLASS,...", completion: .words(OptionValues.classes),
        "with --json: include gpsd's reports of these classes",
        "With --json, also write gpsd's reports of these classes, such as ATT, GST, IMU, TOFF, PPS, OSC, AIS or "
          + "RTCM3, each as a record of type report with the report as gpsd sent it, except for the password "
          + "in a URL. A class that no known gpsd has causes a warning, and not an error, because a "
          + "newer gpsd may have it. For TOFF and PPS "
          + "gpsd is asked to send them. With PPS, a record of type pps tells when a receiver's "
          + "pulses begin, and when there was none for 3 seconds."
      ) { options, text throws(UsageError) in
        options.classes.formUnion(try OptionValues.classes(text))
      },
      .value(
        nil, .source, "NAME", "the name of a single target in its records",
        "Name the source in each record, to tell the output of several machines apart, as NAME=TARGET "
          + "does. geojsonseq, owntracks, influx, signalk, prometheus and %source in templates always have "
          + "a name: the default is the server with its port, unless that is 2947, or the path of the "
          + "serial receiver."
      ) { options, text throws(UsageError) in
        options.source = try OptionValues.nonEmpty(text)
      },
    ])

  static let other = OptionGroup(
    title: "Other options",
    options: [
      .flag(
        nil, .doctor, "show why there is no fix, and what to do",
        "Look at this machine, at gpsd and at what its receivers report, show what is wrong and what to do, "
          + "and exit within 20 seconds; see DOCTOR. With --json, each check is a record."
      ) { $0.examines = true },
      .flag(
        nil, .stats, "print counts to stderr at the end",
        "At the end, write counts to stderr: reports by class, fixes, bad lines, numbers that cannot be "
          + "(a negative error, say), records that were dropped or not written, lines missing from the recording, "
          + "reconnects."
      ) { $0.stats = true },
      .flag("q", .quiet, "print only errors to stderr") { $0.quiet = true },
      .flag(
        "v", .verbose,
        "report changes of gpsd, its receivers and the satellites on stderr"
      ) { $0.verbose = true },
      .value(
        nil, .color, "WHEN", completion: .words(TerminalStyle.ColorChoice.allCases.map(\.rawValue)),
        "colour the states in text: auto, always or never",
        "Colour the states in text: on a terminal, unless NO_COLOR is set or TERM is dumb (auto, the "
          + "default), always, or never."
      ) { options, text throws(UsageError) in
        options.color = try OptionValues.word(text)
      },
      .value(
        nil, .generate, "WHAT",
        completion: .words(GeneratedFile.allCases.map(\.rawValue)),
        "print man, recipes, schema, complete-bash, complete-zsh or complete-fish, and exit",
        "Print the manual page (man) or locwatch-recipes(7) (recipes), the completion of a shell "
          + "(complete-bash, complete-zsh, complete-fish), or the JSON Schema of what --json writes "
          + "(schema), and exit."
      ) { options, text throws(UsageError) in
        let file = try OptionValues.word(text, as: GeneratedFile.self)
        if options.action == .run { options.action = .generate(file) }
      },
      .flag(nil, .version, "print the version and exit") { options in
        if options.action != .help { options.action = .version }
      },
      .flag("h", .help, "print this help and exit", "Print a short help and exit.") { options in
        if options.action != .version { options.action = .help }
      },
    ])
}
