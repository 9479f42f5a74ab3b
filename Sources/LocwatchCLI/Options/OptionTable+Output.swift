extension OptionTable {
  static let writing = OptionGroup(
    title: "How fixes are written",
    options: [
      .flag("j", "json", "JSON, one record a line; same as -f json") { $0.format = .json },
      .value(
        "f", "format", "F", completion: .words(OutputFormat.words),
        "text (default), json, csv, gpx, geojson, geo, or a template: '%lat %lon %altMSL'",
        "Write text, json, csv, gpx, geojson or geo; what contains a % is a template. "
          + "The default is text. csv has the columns of gpscsv (time, lat, lon, altHAE); others "
          + "are listed after a colon, as in csv:time,lat,lon,speed,device. See OUTPUT."
      ) { options, text throws(UsageError) in
        options.format = try OutputFormat(text)
      },
      .value(
        nil, "coords", "C", completion: .words(CoordinateStyle.allCases.map(\.rawValue)),
        "dd, dm, dms or maidenhead, in text",
        "Write positions in text and templates as decimal degrees (dd, the default), degrees and "
          + "minutes (dm), degrees, minutes and seconds (dms), or a Maidenhead locator "
          + "(maidenhead)."
      ) { options, text throws(UsageError) in
        options.coordinates = try OptionValues.word(text)
      },
      .value(
        nil, "units", "U", completion: .words(UnitSystem.allCases.map(\.rawValue)),
        "metric, imperial or nautical, in text",
        "Write text in metric units (the default), imperial (feet, miles per hour) or nautical "
          + "(feet, knots) ones. The environment variable GPSD_UNITS sets them for the line that is "
          + "redrawn on a terminal, and for nothing else. Heights in records of text are numbers of "
          + "metres, unless this option asks for feet: then they end in ft."
      ) { options, text throws(UsageError) in
        options.units = try OptionValues.word(text)
      },
      .flag(
        nil, "satellites", "add the satellites in view, to text or JSON",
        "Add the satellites in view to the fixes in JSON, and a table of them to text: used or seen, "
          + "the system and its number for the satellite, elevation and azimuth in degrees, and "
          + "signal strength in dBHz."
      ) { $0.satellites = true },
      .flag(nil, "events", "transitions only", "Write transitions only.") {
        $0.events = .transitionsOnly
      },
      .flag(nil, "no-events", "fixes only", "Write fixes only.") { $0.events = .fixesOnly },
      .value(
        nil, "source", "NAME", "add \"source\":NAME to each JSON record",
        "Add a member \"source\" with the value NAME to each JSON record, to tell the output of "
          + "several machines apart."
      ) { options, text throws(UsageError) in
        options.source = try OptionValues.nonEmpty(text)
      },
    ])

  static let recording = OptionGroup(
    title: "Recording and replay",
    options: [
      .value(
        nil, "record", "FILE", completion: .file, "also append gpsd's own reports to FILE",
        "Also write gpsd's own reports to FILE, byte for byte, with their receive times. An earlier "
          + "recording is appended to, and replayed as one with it; a file that has something else "
          + "in it is refused. With - they go to stdout, in place of the output."
      ) { options, text throws(UsageError) in
        options.record = try OptionValues.nonEmpty(text)
      },
      .value(
        nil, "replay", "FILE", completion: .file, "read a recording, or gpsd JSON; - is stdin",
        "Read such a recording, or plain gpsd JSON as of gpspipe -w, instead of a gpsd; - is "
          + "stdin. Given several times, the files are replayed in that order, as if they had been "
          + "appended to each other. A replay runs on the recording's own clock, so that the same recording always "
          + "gives the same output."
      ) { options, text throws(UsageError) in
        options.replays.append(try OptionValues.nonEmpty(text))
      },
      .value(
        nil, "speed", "X|max", completion: .words(["1", "max"]),
        "replay X times as fast as recorded (max)",
        "Replay X times as fast as it was recorded, X being 0.001 to 1000000; the default is max."
      ) { options, text throws(UsageError) in
        options.speed = try OptionValues.speed(text)
      },
    ])

  static let other = OptionGroup(
    title: "Others",
    options: [
      .flag(
        nil, "stats", "counts at the end, on stderr",
        "At the end, write counts to stderr: reports by class, fixes, bad lines, drops, "
          + "reconnects."
      ) { $0.stats = true },
      .flag("q", "quiet", "print only errors to stderr") { $0.quiet = true },
      .flag("v", "verbose", "more words on stderr") { $0.verbose = true },
      .value(
        nil, "color", "WHEN", completion: .words(Options.ColorChoice.allCases.map(\.rawValue)),
        "auto, always or never",
        "Colour the states in text: auto (the default) does on a terminal, unless NO_COLOR is set "
          + "or TERM is dumb; always does in a pipe as well; never does not."
      ) { options, text throws(UsageError) in
        options.color = try OptionValues.word(text)
      },
      .value(
        nil, "generate", "WHAT",
        completion: .words(Options.GeneratedFile.allCases.map(\.rawValue)),
        "print the manual page (man) or a completion (complete-bash, complete-zsh, complete-fish)",
        "Print the manual page (man), or the completion of a shell (complete-bash, complete-zsh, "
          + "complete-fish), and exit."
      ) { options, text throws(UsageError) in
        let file = try OptionValues.word(text, as: Options.GeneratedFile.self)
        if options.action == .run { options.action = .generate(file) }
      },
      .flag(nil, "version", "print the version and exit") { options in
        if options.action != .help { options.action = .version }
      },
      .flag("h", "help", "print this help and exit", "Print a short help and exit.") { options in
        if options.action != .version { options.action = .help }
      },
    ])
}
