import LocationCore
import LocationFormats
import LocationText
import LocwatchReceivers
import LocwatchSystem

extension Option {
  /// The long names, each of which has a row in ``OptionTable``.
  enum Name: String, CaseIterable, Sendable {
    case best, device, reconnect
    case noReconnect = "no-reconnect"
    case once, average, count, timeout, duration
    case fix, quality, accuracy, believed, stale, region
    case correctDate = "correct-date"
    case minMove = "min-move"
    case interval
    case json, format, output, coords, units, satellites, events
    case noEvents = "no-events"
    case view, serve
    case serveName = "serve-name"
    case record, rotate, keep, replay, from, to, speed, report, reference, stop
    case `class`
    case corrections
    case doctor
    case quiet, verbose, color, generate, version, help
  }
}

/// All options. The parser, `--help` and the completions are made from this table; a test compares locwatch(1) with it.
enum OptionTable {
  /// The groups that `--help` lists.
  static let usualGroups = [source, ending, counting, writing, recording, other]

  static let groups = usualGroups + [packaging]

  static let options = groups.flatMap(\.options)

  static func option(long name: String) -> Option? { options.first { $0.long == name } }

  static func option(short letter: Character) -> Option? { options.first { $0.short == letter } }
}

extension OptionTable {
  private static let source = OptionGroup(
    title: "Where fixes come from", operands: targets, options: sourceOptions)

  // A separate constant, because the expression would be too complex for the compiler.
  private static let targets: [Operand] = [
    Operand(form: "[NAME=]SERVER[:PORT[:DEVICE]]", summary: "a gpsd (default: localhost:2947)"),
    Operand(
      form: "[NAME=]/dev/TTY", summary: "a serial receiver; starts a gpsd unless one serves it"),
    Operand(
      form: "[NAME=]tcp://HOST:PORT",
      summary: "a receiver that accepts connections, such as a phone"),
    Operand(
      form: "[NAME=]udp://[HOST]:PORT", summary: "a receiver that sends datagrams to this port"),
  ]

  private static let sourceOptions: [Option] = [
    .flag(nil, .best, "of several targets, write only the best") { $0.takesBest = true },
    .value("d", .device, "PATH", completion: .device, "only this receiver") {
      options, text throws(UsageError) in
      let device = try OptionValues.nonEmpty(text)
      try Target.refuse(device: device[...])
      options.device = device
    },
    .flag(nil, .reconnect, "reconnect when gpsd goes away (default)") { $0.reconnect = true },
    .flag(nil, .noReconnect, "fail at once (default with --once)") { $0.reconnect = false },
    .value(nil, .corrections, "URL", "send the receiver corrections: ntrip://HOST/MOUNT") {
      options, text throws(UsageError) in
      options.corrections = try CasterAddress(url: text)
    },
  ]

  private static let ending = OptionGroup(
    title: "When to stop",
    options: [
      .flag("1", .once, "print the first fix and exit (-n 1)") { $0.goal.once = true },
      .value(nil, .average, "DUR|N", "with --once: print the mean of N fixes, or over DUR") {
        options, text throws(UsageError) in
        options.goal.average = try OptionValues.average(text)
      },
      .value("n", .count, "N", "stop after N fixes (-n 1 is --once)") {
        options, text throws(UsageError) in
        options.goal.count = try OptionValues.count(text)
      },
      .value("t", .timeout, "DUR", "give up after DUR without a fix (30s with --once)") {
        options, text throws(UsageError) in
        options.goal.timeout = try OptionValues.duration(text)
      },
      .value(nil, .duration, "DUR", "stop after DUR") { options, text throws(UsageError) in
        options.goal.duration = try OptionValues.duration(text)
      },
    ])

  private static let counting = OptionGroup(
    title: "Which fixes count",
    options: [
      .value(
        nil, .fix, "2d|3d", completion: .words(["2d", "3d"]), "ignore fixes weaker than this (2d)"
      ) { options, text throws(UsageError) in
        switch text.lowercased() {
        case "2d": options.criteria.request.minimumMode = .fix2D
        case "3d": options.criteria.request.minimumMode = .fix3D
        default: throw UsageError("'\(text)' is neither 2d nor 3d")
        }
      },
      .value(
        nil, .quality, "Q", completion: .words(FixQuality.ranked.map(\.name)),
        "ignore fixes below gps, dgps, rtk-float or rtk-fixed"
      ) { options, text throws(UsageError) in
        guard let quality = FixQuality.ranked.first(where: { $0.name == text.lowercased() }) else {
          let names = FixQuality.ranked.map(\.name).joined(separator: ", ")
          throw UsageError("'\(text)' is not one of \(names)")
        }
        options.criteria.request.minimumQuality = quality
      },
      .value(nil, .accuracy, "M", "ignore fixes worse than M metres, or of unknown error") {
        options, text throws(UsageError) in
        options.criteria.request.desiredAccuracy = try OptionValues.metres(text)
      },
      .flag(nil, .believed, "ignore fixes that may not be true") {
        $0.criteria.request.onlyBelieved = true
      },
      .value(nil, .stale, "DUR", "silence after which a fix is no longer current") {
        options, text throws(UsageError) in
        options.stale = try OptionValues.duration(text)
      },
      .value("m", .minMove, "M", "leave out fixes within M metres of the last") {
        options, text throws(UsageError) in
        options.criteria.minMove = try OptionValues.metres(text, allowingZero: true)
      },
      .value("i", .interval, "DUR", "at most one fix per DUR") {
        options, text throws(UsageError) in
        options.criteria.interval = try OptionValues.duration(text, allowingZero: true)
      },
      .value(nil, .region, "NAME=AREA[,DUR]", "report entering and leaving home=LAT,LON,METRES") {
        options, text throws(UsageError) in
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
      .flag(nil, .correctDate, "correct a date that is 1,024 weeks off") {
        $0.criteria.request.correctsDates = true
      },
      .flag("j", .json, "JSON, one record per line; same as -f json") { $0.format = .ndjson },
      .value(
        "f", .format, "F", completion: .words(OptionValues.formats),
        "text (default), \(formatsAfterText), or a template: '%lat %lon %altMSL'"
      ) { options, text throws(UsageError) in
        options.format = try OptionValues.format(text)
      },
      .file("o", .output, "write to FILE instead of stdout") { $0.output = $1 },
      .value(
        nil, .coords, "C", completion: .words(CoordinateStyle.allCases.map(\.rawValue)),
        "dd, dm, dms, maidenhead, utm or mgrs, in text"
      ) { options, text throws(UsageError) in
        options.coordinates = try OptionValues.word(text)
      },
      .value(
        nil, .units, "U", completion: .words(UnitSystem.allCases.map(\.rawValue)),
        "metric, imperial or nautical, in text"
      ) { options, text throws(UsageError) in
        options.units = try OptionValues.word(text)
      },
      .flag(nil, .satellites, "add the satellites in view, to text or JSON") {
        $0.satellites = true
      },
      .flag(nil, .events, "changes only, no fixes") {
        $0.events = .transitionsOnly
      },
      .flag(nil, .noEvents, "fixes only, no state changes") {
        $0.events = .fixesOnly
      },
      .flag(nil, .view, "full screen: sky, signals, fix, states; ? lists keys") { options in
        options.view = true
        options.satellites = true
      },
      .value(nil, .serve, "[IP:]PORT", "serve a page to browsers, JSON and metrics") {
        options, text throws(UsageError) in
        options.serve = try OptionValues.serve(text)
      },
      .value(nil, .serveName, "NAME", "with --serve: another name of this machine") {
        options, text throws(UsageError) in
        options.serveNames.append(try OptionValues.hostName(text))
      },
      .value(
        nil, .class, "CLASS,...", completion: .words(OptionValues.classes),
        "with --json: also gpsd's reports of these classes"
      ) { options, text throws(UsageError) in
        options.classes.formUnion(try OptionValues.classes(text))
      },
    ])

  static let other = OptionGroup(
    title: "Other options",
    options: [
      .flag(nil, .doctor, "show why there is no fix, and what to do") { $0.examines = true },
      .flag("q", .quiet, "print only errors to stderr") { $0.quiet = true },
      .flag("v", .verbose, "report changes of gpsd and its receivers, and counts, on stderr") {
        $0.verbose = true
      },
      .value(
        nil, .color, "WHEN", completion: .words(TerminalStyle.ColorChoice.allCases.map(\.rawValue)),
        "colour the states in text: auto, always or never"
      ) { options, text throws(UsageError) in
        options.color = try OptionValues.word(text)
      },
      .flag(nil, .version, "print the version and exit") { options in
        if options.action != .help { options.action = .version }
      },
      .flag("h", .help, "print this help and exit") { options in
        if options.action != .version { options.action = .help }
      },
    ])

  private static let packaging = OptionGroup(
    title: "For packagers",
    options: [
      .value(
        nil, .generate, "WHAT", completion: .words(GeneratedFile.allCases.map(\.rawValue)),
        "print man, man-formats, man-report, man-recipes, schema, "
          + "complete-bash, complete-zsh or complete-fish, and exit"
      ) { options, text throws(UsageError) in
        let file = try OptionValues.word(text, as: GeneratedFile.self)
        if options.action == .run { options.action = .generate(file) }
      }
    ])
}
