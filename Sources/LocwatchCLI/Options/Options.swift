import GPSDLocation
import GPSDProtocol
package import LocationCore
package import LocationFormats
package import LocationReports
package import LocationText
package import LocwatchReceivers
import LocwatchRecordings
package import LocwatchSystem

/// The options of a command line.
package struct Options: Equatable, Sendable {
  /// What to do. Only ``Action/run`` needs a receiver.
  package var action = Action.run
  package var target = Target.gpsd(GPSDEndpoint(), device: nil)
  /// The selected receiver, from `--device` or the target; `nil` for all receivers.
  package var device: String?
  /// The targets of a run with several sources; empty for a run with one.
  package var fleet: [NamedTarget] = []
  /// Whether the best of the sources is used as a single source.
  package var takesBest = false
  /// Whether these are the options of one of several sources, whose name is ``source``.
  var isOfFleet = false

  var goal = SourceGoal()
  /// Whether to reconnect; `nil` for the default, which is to reconnect unless a single fix is requested.
  package var reconnect: Bool?

  var criteria = FixCriteria()
  /// The silence after which a fix is no longer current; `nil` for the library's default.
  package var stale: Duration?
  /// The watched regions. Their names are distinct.
  package var regions: [Region] = []
  /// How long all fixes must be beyond the edge of a region; without an entry, the default of ``RegionMonitor``.
  package var dwells: [Region.ID: Duration] = [:]

  package var format = LocationFormat.text
  /// Where records are written; `-` and `nil` for stdout.
  package var output: FilePath?
  package var coordinates = CoordinateStyle.decimal
  /// The units of `--units`.
  package var units: UnitSystem?
  /// The units of `GPSD_UNITS`, which apply only to live lines and the view.
  package var environmentUnits: UnitSystem?
  package var satellites = false
  /// Whether satellites are requested even if no record shows them.
  var needsSatellites = false
  /// Whether to show a full screen instead of writing records.
  package var view = false
  /// Where a page is served; `nil` for nowhere.
  package var serve: NetworkAddress?
  /// More names of this machine, for which requests are answered.
  package var serveNames: [String] = []
  package var events = EventChoice.all
  /// The classes of gpsd's reports that are written as well.
  package var classes: Set<ServiceReport.Kind> = []
  /// More classes that are requested, although no record shows them.
  var neededClasses: Set<ServiceReport.Kind> = []
  /// The name of the source in each record; `nil` for none.
  package var source: String?

  /// The file or folder to record to; with `-`, the recording replaces the output.
  package var record: FilePath?
  /// When a new file begins in a folder; `nil` for each day in UTC.
  var rotation: RecordingFolder.Rotation?
  /// Which recordings are kept in a folder; `nil` for all.
  var keep: RecordingFolder.Limit?
  /// The files and folders to replay in order; `-` for stdin.
  package var replays: [FilePath] = []
  /// The part of the recording that is replayed.
  var range = RecordedRange()
  package var speed = ReplaySpeed.max

  /// Where a report is written; `nil` for none.
  package var report: ReportFile?
  /// Whether the report is printed instead of the records: `--report -`, or a replay only for a report.
  package var printsReport = false
  /// The surveyed position from which the report measures deviations.
  package var reference: LocationReport.Reference?
  /// What makes a stop; `nil` for the criteria of ``StopCriteria``.
  package var stop: StopCriteria?

  /// Where the corrections of the receiver come from; `nil` for none.
  package var corrections: CasterAddress?

  /// Whether to find out why there is no fix, instead of watching.
  package var examines = false
  package var quiet = false
  package var verbose = false
  package var color = TerminalStyle.ColorChoice.auto

  package init() {}

  /// Whether reports come from files rather than from gpsd.
  package var isReplay: Bool { !replays.isEmpty }

  /// Whether there are several sources.
  package var hasFleet: Bool { !fleet.isEmpty }

  /// Whether only the time ends the run, so that the run waits for no reader.
  var isTimed: Bool { goal.duration != nil && !isReplay }

  /// Whether the recording replaces the records on stdout.
  package var recordsToOutput: Bool { record?.isStandardStream == true }

  /// The file that records are written to; `nil` for stdout.
  package var outputFile: FilePath? { output?.isStandardStream == true ? nil : output }

  /// The folder that gets a file for each leg; `nil` for none.
  var legFolder: FilePath? {
    format.traits.contains(.legs) ? outputFile.flatMap { $0.isFolder ? $0 : nil } : nil
  }
}

extension Options {
  package enum Action: Equatable, Sendable {
    case run
    case help
    case version
    case generate(GeneratedFile)
  }
}

/// How fast a recording is replayed.
package enum ReplaySpeed: Equatable, Sendable {
  case max
  /// A multiple of the recorded speed, more than zero.
  case times(Double)
}

/// What `--generate` prints.
package enum GeneratedFile: String, CaseIterable, Sendable {
  case manual = "man"
  case formats = "man-formats"
  case report = "man-report"
  case recipes = "man-recipes"
  case bash = "complete-bash"
  case zsh = "complete-zsh"
  case fish = "complete-fish"
  case schema
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
    if action == .help || action == .version { return }
    if let failure = parser.failure { throw failure }
    if case .generate = action { return }
    if parser.given.contains(.from) || parser.given.contains(.to) {
      try OptionValues.refuseTime(among: parser.operands)
    }
    try apply(operands: parser.operands)
    if !parser.given.contains(.format), !parser.given.contains(.json),
      let ending = outputFile.flatMap(FormatEnding.init)
    {
      format = ending.format
    }
    try Contradiction.refuse(
      Contradiction.CommandLine(options: self, given: parser.given, operands: parser.operands))
    if view || serve != nil, !parser.given.contains(.speed) { speed = .times(1) }
    fillIn()
    let optionsForRecords = Self.optionsOfRecords + [.output, .once, .count, .view]
    let asksForRecords = parser.given.contains(where: optionsForRecords.contains)
    printsReport = report?.replacesOutput == true || isReplay && report != nil && !asksForRecords
  }

  /// The options that choose which records are written, and how. With one of these, a replay writes records in
  /// addition to its report.
  static let optionsOfRecords: [Option.Name] = [
    .json, .format, .coords, .satellites, .events, .noEvents, .region,
  ]

  private mutating func apply(operands: [String]) throws(UsageError) {
    let targets = try NamedTarget.all(operands)
    if targets.count > 1 {
      fleet = targets
      return
    }
    guard let operand = operands.first, let named = targets.first else {
      target = .gpsd(GPSDEndpoint(), device: device)
      return
    }
    try apply(named.target, as: operand)
    if named.name != operand.withoutUserInfo { source = named.name }
  }

  /// Gives the recording a name. Its files have the same, or none.
  mutating func nameRecording(_ name: String) throws(UsageError) {
    if let source, source != name {
      throw UsageError(
        "the files are one recording, which cannot be both '\(source)' and '\(name)'")
    }
    source = name
  }

  private mutating func apply(_ target: Target, as operand: String) throws(UsageError) {
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

  /// Sets the values that other options determine.
  private mutating func fillIn() {
    if goal.once { goal.count = 1 }
    goal.once = goal.count == 1
    if goal.once, goal.limit == nil { goal.timeout = .seconds(30) }
  }
}
