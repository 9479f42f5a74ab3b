package import GPSDLocation
package import LocationCore
package import LocationFormats
package import LocationReports

/// The options of a command line.
package struct Options: Equatable, Sendable {
  /// What to do. Only ``Action/run`` needs a receiver.
  package var action = Action.run
  package var target = Target.gpsd(GPSDEndpoint(), device: nil)
  /// The selected receiver, from `--device` or the target; `nil` for all receivers.
  package var device: String?
  /// The targets of a run with several sources; empty for a run with one.
  package var fleet: [NamedTarget] = []
  /// The file that lists more targets; `nil` for none.
  package var targetsFile: FilePath?
  /// Whether the first source with a fix is enough.
  package var takesAny = false
  /// Whether the source is one of several.
  package var isOfFleet = false
  /// Whether the sources are merged into one, the best of them.
  package var takesBest = false

  /// Whether to print one fix and exit.
  package var once = false
  /// The number of fixes to write, at least 1; `nil` for no limit. 1 with ``once``.
  package var count: Int?
  /// How long to wait for a suitable fix, more than zero; `nil` for no limit.
  package var timeout: Duration?
  /// When to stop, by the source's clock, more than zero; `nil` for no limit.
  package var duration: Duration?
  /// Whether to reconnect; `nil` for the default, see ``reconnects``.
  package var reconnect: Bool?

  /// The weakest mode of a suitable fix.
  package var weakestFix = FixMode.fix2D
  /// The weakest quality of a suitable fix; `nil` for any.
  package var weakestQuality: FixQuality?
  /// The worst accuracy of a suitable fix, in metres; `nil` for any.
  package var accuracy: Double?
  /// The silence after which a fix is no longer current; `nil` for the library's default.
  package var stale: Duration?
  /// Fixes within this distance of the last one written are left out, in metres.
  package var minMove: Double?
  /// The shortest time between two fixes written.
  package var interval: Duration?
  /// The regions that are watched, each with a name of its own.
  package var regions: [Region] = []

  package var format = OutputFormat.text
  /// Where records are written; `-` and `nil` for stdout.
  package var output: FilePath?
  package var coordinates = CoordinateStyle.decimal
  /// The units of `--units`.
  package var units: UnitSystem?
  /// The units of `GPSD_UNITS`, which apply only to live lines and the view.
  package var environmentUnits: UnitSystem?
  package var satellites = false
  /// Whether to show a full screen instead of writing records.
  package var view = false
  package var events = EventChoice.all
  /// The classes of gpsd's reports that are written as well.
  package var classes: Set<ServiceReport.Kind> = []
  /// The name of the source in each record; `nil` for none.
  package var source: String?

  /// The file or folder to record to; `-` replaces the output by the recording.
  package var record: FilePath?
  /// When a folder gets another file; `nil` for each day of UTC.
  var rotation: RecordingFolder.Rotation?
  /// The files and folders to replay in order; `-` for stdin.
  package var replays: [FilePath] = []
  package var speed = ReplaySpeed.max

  /// Where a report is written at the end; `nil` for none.
  package var report: ReportFile?
  /// Whether the report is printed instead of the records: `--report -`, or a replay for a report alone.
  package var printsReport = false
  /// The surveyed position that the report takes deviations from.
  package var reference: LocationReport.Reference?

  package var stats = false
  package var quiet = false
  package var verbose = false
  package var color = ColorChoice.auto

  package init() {}

  /// Whether reports come from files rather than from gpsd.
  package var isReplay: Bool { !replays.isEmpty }

  /// Whether there are several sources, even if only one of them is known yet.
  package var hasFleet: Bool { !fleet.isEmpty || targetsFile != nil }

  /// Whether the recording takes the place of the records.
  package var recordsToOutput: Bool { record?.isStandardStream == true }

  /// Whether satellites are listed, and not only counted.
  package var listsSatellites: Bool {
    satellites || report?.form == .page || format == .nmea || format == .prometheus
  }

  /// The file that records are written to; `nil` for stdout.
  package var outputFile: FilePath? { output?.isStandardStream == true ? nil : output }

  /// The name of the source: that of `--source`, else the server without gpsd's own port, or the
  /// path of the serial receiver.
  package var sourceName: String {
    if let source { return source }
    return switch target {
    case .gpsd(let endpoint, _) where endpoint.port == GPSDEndpoint.defaultPort: endpoint.host
    case .gpsd(let endpoint, _): "\(endpoint)"
    case .tty(let path): path
    }
  }

  /// Which fixes count, and how far apart those that are written are.
  var criteria: FixCriteria {
    var criteria = FixCriteria()
    criteria.request = LocationRequest(
      minimumMode: weakestFix, minimumQuality: weakestQuality, desiredAccuracy: accuracy)
    criteria.minMove = minMove
    criteria.interval = interval
    return criteria
  }

  /// The units of live lines.
  package var screenUnits: UnitSystem { units ?? environmentUnits ?? .metric }

  /// Whether to try again when gpsd cannot be reached or goes away.
  package var reconnects: Bool { reconnect ?? !once }
}

extension Options {
  package enum Action: Equatable, Sendable {
    case run
    case help
    case version
    case generate(GeneratedFile)
  }

  package enum ColorChoice: String, CaseIterable, Sendable {
    case auto, always, never
  }

  /// What `--generate` prints.
  package enum GeneratedFile: String, CaseIterable, Sendable {
    case manual = "man"
    case bash = "complete-bash"
    case zsh = "complete-zsh"
    case fish = "complete-fish"
    case schema
    case recipes
  }

  /// How fast a recording is replayed.
  package enum ReplaySpeed: Equatable, Sendable {
    case max
    /// A multiple of the recorded speed, more than zero.
    case times(Double)
  }
}

extension Options {
  /// Reads a command line.
  ///
  /// `--help` and `--version` take precedence over all other arguments, even wrong ones.
  ///
  /// - Parameters:
  ///   - arguments: The arguments after the command's own name.
  ///   - environment: The variables, of which `GPSD_UNITS` is used.
  package init(arguments: [Argument], environment: Environment) throws(UsageError) {
    self.init()
    environmentUnits = UnitSystem(environment: environment)
    var parser = OptionParser(options: self)
    parser.read(arguments)
    self = parser.options
    switch action {
    case .help, .version: return
    case .run, .generate: break
    }
    if let failure = parser.failure { throw failure }
    if case .generate = action { return }
    try take(operands: parser.operands)
    try refuseContradictions(among: parser.given, operands: parser.operands)
    if view, !parser.given.contains(.speed) { speed = .times(1) }
    fillIn()
    let asksForRecords = parser.given.contains(where: Self.optionsForRecords.contains)
    printsReport = report?.replacesOutput == true || isReplay && report != nil && !asksForRecords
  }

  /// With one of these, a replay writes more than its report.
  private static let optionsForRecords: [Option.Name] = [
    .json, .format, .output, .once, .count, .satellites, .events, .noEvents, .view, .region,
  ]

  private mutating func take(operands: [String]) throws(UsageError) {
    let targets = try TargetList(operands).targets
    if targetsFile != nil || targets.count > 1 {
      fleet = targets
      return
    }
    guard let operand = operands.first, let named = targets.first else {
      target = .gpsd(GPSDEndpoint(), device: device)
      return
    }
    try take(named.target, as: operand)
    if named.name != operand.withoutUserInfo {
      if source != nil { throw UsageError("--source contradicts the name in '\(operand)'") }
      source = named.name
    }
  }

  private mutating func take(_ target: Target, as operand: String) throws(UsageError) {
    self.target = target
    guard case .gpsd(let endpoint, let named) = target else {
      if device != nil { throw UsageError("--device cannot be combined with '\(operand)'") }
      return
    }
    if let named, let device, named != device {
      throw UsageError("--device '\(device)' contradicts '\(operand)'")
    }
    device = device ?? named
    self.target = .gpsd(endpoint, device: device)
  }

  /// Returns the options of one source of the fleet.
  func member(_ member: NamedTarget) -> Options {
    var options = self
    options.fleet = []
    options.targetsFile = nil
    options.isOfFleet = true
    options.source = member.name
    options.target = member.target
    if case .gpsd(_, let device) = member.target { options.device = device }
    return options
  }

  /// Sets the values that follow from others.
  private mutating func fillIn() {
    if once { count = 1 }
    once = count == 1
    if once, timeout == nil, duration == nil { timeout = .seconds(30) }
  }
}

extension Options {
  /// Throws if two arguments contradict each other, and names both.
  ///
  /// - Parameter given: The options on the command line.
  func refuseContradictions(
    among given: [Option.Name], operands: [String]
  ) throws(UsageError) {
    for option in OptionTable.options where given.contains(option.name) {
      guard let other = option.excludes, given.contains(other) else { continue }
      throw UsageError("--\(other.rawValue) and --\(option.long) cannot be combined")
    }
    if view { try refuseOutput(besidesViewAmong: given) }
    try refuseContradictions(ofFleetAmong: given)
    if report?.replacesOutput == true {
      if recordsToOutput { throw UsageError("--record - and --report - cannot be combined") }
      if given.contains(.json) || given.contains(.format) {
        throw UsageError("--report - replaces the output, so --format has no effect")
      }
    }
    if outputFile != nil { try refuseReplacedOutput() }
    try refuseSharedFiles()
    if format == .prometheus {
      if outputFile == nil { throw UsageError("prometheus needs --output FILE") }
      if once || count == 1 { throw UsageError("prometheus and --once cannot be combined") }
    }
    if given.contains(.reference), report == nil { throw UsageError("--reference needs --report") }
    if given.contains(.rotate), record?.isFolder != true {
      throw UsageError("--rotate needs --record DIR/")
    }
    if given.contains(.speed), !isReplay { throw UsageError("--speed needs --replay") }
    if isReplay, let operand = operands.first {
      throw UsageError("--replay cannot be combined with '\(operand)'")
    }
    if replays.count(where: \.isStandardStream) > 1 {
      throw UsageError("--replay - can be given only once")
    }
    if once, let count, count != 1 {
      throw UsageError("--once and --count \(count) cannot be combined")
    }
    if events == .transitionsOnly, count == 1 {
      throw UsageError("--events and --count 1 cannot be combined")
    }
    if !classes.isEmpty, count == 1 {
      throw UsageError("--class and --count 1 cannot be combined")
    }
    if !regions.isEmpty, count == 1 {
      throw UsageError("--region and --count 1 cannot be combined")
    }
    if !regions.isEmpty, events == .fixesOnly {
      throw UsageError("--region and --no-events cannot be combined")
    }
    if given.contains(.json), format != .json {
      throw UsageError("--json and --format \(format.name) cannot be combined")
    }
    if recordsToOutput, given.contains(.json) || given.contains(.format) {
      throw UsageError("--record - replaces the output, so --format has no effect")
    }
    for rule in FormatRule.all where given.contains(rule.option) && !rule.isMet(self) {
      throw UsageError(
        "--\(rule.option.rawValue) works with \(rule.formats), not with \(format.name)")
    }
  }
}

extension Options {
  /// Throws if an option does not fit the number of sources.
  private func refuseContradictions(
    ofFleetAmong given: [Option.Name]
  ) throws(UsageError) {
    guard hasFleet else {
      for option: Option.Name in [.any, .best] where given.contains(option) {
        throw UsageError("--\(option.rawValue) needs several targets")
      }
      return
    }
    if takesAny, count != 1, !once { throw UsageError("--any needs --once") }
    if isReplay, given.contains(.targets) {
      throw UsageError("--replay and --targets cannot be combined")
    }
    if given.contains(.source) {
      throw UsageError("--source names a single target; write NAME=TARGET")
    }
    if given.contains(.device) {
      throw UsageError("--device belongs to a single target; write SERVER:PORT:DEVICE")
    }
    if recordsToOutput, takesBest { throw UsageError("--record - and --best cannot be combined") }
  }

  /// Throws if something else takes the place of the output.
  private func refuseReplacedOutput() throws(UsageError) {
    if recordsToOutput { throw UsageError("--record - and --output cannot be combined") }
    if report?.replacesOutput == true {
      throw UsageError("--report - and --output cannot be combined")
    }
  }

  /// Throws if an option asks for other output than a view, which takes all of the terminal.
  private func refuseOutput(besidesViewAmong given: [Option.Name]) throws(UsageError) {
    let others: [Option.Name] = [
      .json, .format, .output, .once, .satellites, .events, .noEvents,
    ]
    if let other = others.first(where: given.contains) {
      throw UsageError("--view and --\(other.rawValue) cannot be combined")
    }
    if count == 1 { throw UsageError("--view and --count 1 cannot be combined") }
    if recordsToOutput { throw UsageError("--view and --record - cannot be combined") }
    if report?.replacesOutput == true {
      throw UsageError("--view and --report - cannot be combined")
    }
  }
}

/// An option that works only with some formats.
private struct FormatRule: Sendable {
  let option: Option.Name
  let formats: String
  let isMet: @Sendable (Options) -> Bool

  init(_ option: Option.Name, _ formats: String, isMet: @escaping @Sendable (Options) -> Bool) {
    self.option = option
    self.formats = formats
    self.isMet = isMet
  }

  static let all = [
    FormatRule(.coords, "text and templates") { $0.format == .text || $0.format.template != nil },
    FormatRule(.coords, "text (in a template, write %maidenhead, %utm or %mgrs)") {
      $0.coordinates.isOfAngles || $0.format.template?.showsCoordinates != true
    },
    FormatRule(.units, "text") { $0.format == .text },
    FormatRule(.satellites, "text and json") { $0.format == .text || $0.format == .json },
    FormatRule(.events, "text and json") { $0.format == .text || $0.format == .json },
    FormatRule(.region, "text and json") { $0.format == .text || $0.format == .json },
    FormatRule(.class, "json") { $0.format == .json },
  ]
}

extension OutputFormat {
  fileprivate var template: Template? {
    if case .template(let template) = self { template } else { nil }
  }
}
