import GPSDLocation
import GPSDProtocol
import LocationCore
import LocationFormats
import LocationReports
import LocationText
package import LocwatchDoctor
import LocwatchReceivers
import LocwatchRecordings
package import LocwatchSystem
package import LocwatchTerminal

/// What a run does. Each case has the values that only its mode needs.
enum Mode: Sendable {
  /// Watches the target of ``RunPlan/source``.
  case watch
  case fleet(TargetPlan)
  /// Watches the best of the sources as a single source.
  case best(TargetPlan)
  case replay(ReplayPlan)
  /// Finds out why there is no fix.
  case doctor(writesJSON: Bool)
}

/// Everything that a valid command line determines about a run.
package struct RunPlan: Sendable {
  var mode: Mode
  /// The only source, or the one that stands for the best of several.
  package var source: SourcePlan
  let output: OutputPlan
  let report: ReportPlan?
  let recording: RecordingPlan?
  let serving: ServingPlan?
  let terminal: TerminalStyle.Choices

  var isReplay: Bool { if case .replay = mode { true } else { false } }

  var isViewed: Bool { if case .view = output { true } else { false } }

  /// The file of a live run that is opened again at SIGHUP; `nil` if the output is not a file that grows.
  var reopenedOutput: FilePath? {
    if case .records(let records) = output, !isReplay { records.file } else { nil }
  }
}

/// The targets of a run with several sources.
struct TargetPlan: Sendable {
  let targets: [NamedTarget]
  /// The plan of each source, without its name and its target.
  var member: SourcePlan
}

/// What is replayed, and how fast.
struct ReplayPlan: Sendable {
  /// The files and folders in their order; `-` for stdin.
  let paths: [FilePath]
  let range: RecordedRange
  let speed: ReplaySpeed
  /// The plan of each of several sources, without its name.
  let member: SourcePlan
  /// Whether progress may be shown.
  let showsProgress: Bool
}

/// How fast a recording is replayed.
package enum ReplaySpeed: Equatable, Sendable {
  case max
  /// A multiple of the recorded speed, more than zero.
  case times(Double)
}

/// Where the lines of gpsd are recorded.
enum RecordingPlan: Sendable {
  case output
  case file(FilePath)
  case folder(FilePath, RecordingFolder.Rotation, RecordingFolder.Limit?)
}

/// How the updates are shown.
enum OutputPlan: Sendable {
  /// They are not shown, because the recording replaces the output.
  case recording
  /// They are not shown, because a report replaces the output.
  case report
  case view
  /// A file that is replaced atomically.
  case snapshot(FilePath)
  /// A folder with a file for each leg, with this extension.
  case legs(FilePath, ending: String)
  case records(RecordsPlan)

  /// The file or folder that is written; `nil` for none.
  var file: FilePath? {
    switch self {
    case .recording, .report, .view: nil
    case .snapshot(let path), .legs(let path, _): path
    case .records(let records): records.file
    }
  }
}

/// Where records are written, or redrawn.
struct RecordsPlan: Sendable {
  /// `nil` for stdout.
  let file: FilePath?
  /// The lines that are redrawn on a terminal instead; `nil` if records are written.
  let lines: LinesPlan?
  /// Whether the tracks of several sources are written in turn.
  let alternatesTracks: Bool
}

// MARK: - From the options

// The options are resolved once, into the values that each part of a run needs.
extension Options {
  /// Returns what the run does. It looks at the named files, but opens none of them.
  package func plan() throws(UsageError) -> RunPlan {
    try refuseSharedFiles()
    return RunPlan(
      mode: mode, source: sourcePlan(), output: outputPlan, report: reportPlan,
      recording: recordingPlan, serving: servingPlan, terminal: terminal)
  }

  private var mode: Mode {
    if examines { return .doctor(writesJSON: format == .ndjson) }
    if isReplay {
      return .replay(
        ReplayPlan(
          paths: replays, range: range, speed: speed, member: sourcePlan(isOfFleet: true),
          showsProgress: !quiet && !verbose))
    }
    guard hasFleet else { return .watch }
    let targets = TargetPlan(targets: fleet, member: sourcePlan(isOfFleet: true))
    return takesBest ? .best(targets) : .fleet(targets)
  }

  /// Returns the plan of the only source, or of one of several without its name and its target.
  package func sourcePlan(isOfFleet: Bool = false) -> SourcePlan {
    SourcePlan(
      style: style(isOfFleet: isOfFleet), question: question, reading: reading, goal: goal,
      criteria: criteria, regions: regions, dwells: dwells,
      shownClasses: view ? nil : Array(classes),
      isOfFleet: isOfFleet, givesAdvice: givesAdvice(isOfFleet: isOfFleet),
      mixture: mixture(isOfFleet: isOfFleet))
  }

  package var question: Question {
    Question(
      target: target, device: device, request: criteria.request, isOnce: goal.once,
      count: goal.count, recording: replays.last)
  }

  /// A recording is never read again after an error, because the error would be the same.
  private var reading: ReadingPlan {
    let reconnects = reconnect ?? !goal.once
    return ReadingPlan(
      // A report and a view show how late times arrive.
      kinds: report == nil && serve == nil && !view ? classes : classes.union([.toff, .pps]),
      satellites: satellites || report?.form == .page || serve != nil
        || [.nmea, .prometheus].contains(format),
      reconnects: reconnects, retries: reconnects && !isReplay ? RetryPolicy() : .never,
      corrections: corrections)
  }

  /// Whether advice is given during the run. A short run gives it at its end. With several sources, only the
  /// table that is redrawn gives advice.
  private func givesAdvice(isOfFleet: Bool) -> Bool {
    let hasTable = lines != nil && events != .transitionsOnly
    guard !goal.once, !isReplay, !isOfFleet || hasTable else { return false }
    return goal.timeout.map { $0 > Advisor.maximumPatience } ?? true
  }
}

// MARK: - Output

extension Options {
  package func style(isOfFleet: Bool = false) -> OutputStyle {
    var style = OutputStyle(
      format: format, member: isOfFleet ? source : nil, stale: stale, stops: stop ?? StopCriteria())
    style.records.source = source
    style.records.sourceName = source ?? target.sourceName
    style.records.isOfSeveralSources = takesBest || isOfFleet
    style.records.isOnce = goal.once
    style.records.isAverage = goal.average != nil
    style.records.events = events
    style.records.coordinates = coordinates
    if let units { style.records.units = units }
    style.records.showsSatellites = satellites
    style.records.isReplay = isReplay
    return style
  }

  package var terminal: TerminalStyle.Choices {
    TerminalStyle.Choices(
      color: color, coordinates: coordinates, units: units ?? environmentUnits ?? .metric)
  }

  /// The lines that show text on a terminal. With `--count` or a replay at full speed, records are written instead,
  /// because people read them afterwards.
  var lines: LinesPlan? {
    guard format == .text, goal.count == nil else { return nil }
    var tick = Duration.seconds(1)
    if isReplay {
      guard case .times(let speed) = speed else { return nil }
      tick = tick * max(1, speed)
    }
    return LinesPlan(events: events, showsSatellites: satellites, tick: tick)
  }

  private var outputPlan: OutputPlan {
    if view { return .view }
    if recordsToOutput { return .recording }
    if printsReport { return .report }
    if format == .prometheus, let outputFile { return .snapshot(outputFile) }
    if let legFolder { return .legs(legFolder, ending: format.name) }
    return .records(
      RecordsPlan(file: outputFile, lines: lines, alternatesTracks: alternatesTracks))
  }

  /// Whether the tracks of several receivers are written in turn, because only one track of a live document can grow.
  private var alternatesTracks: Bool {
    [.gpx, .kml].contains(format) && !isReplay && !goal.once && legFolder == nil
  }

  func mixture(isOfFleet: Bool = false) -> UnnamedReceiverWarning {
    let writesRecords = !view && !printsReport && !recordsToOutput
    // As text, the only record of --once has just a position.
    let namesReceivers =
      format.traits.contains(.receivers) && !(goal.once && format == .text)
    return UnnamedReceiverWarning(
      // With --best, records of several receivers are intended.
      isPossible: writesRecords && !takesBest && device == nil && !namesReceivers,
      // With several sources, the run prints the message.
      alternates: writesRecords && !isOfFleet && !takesBest && alternatesTracks,
      isOnce: goal.once, source: isOfFleet ? source : nil)
  }

  package var reportPlan: ReportPlan? {
    guard report != nil || serve != nil else { return nil }
    return ReportPlan(
      file: report, isServed: serve != nil,
      isPrinted: printsReport && report?.replacesOutput == false, units: units ?? .metric,
      isReplay: isReplay, reference: reference,
      stops: stop ?? StopCriteria(), criteria: criteria)
  }

  private var servingPlan: ServingPlan? {
    serve.map { ServingPlan(address: $0, names: serveNames) }
  }

  private var recordingPlan: RecordingPlan? {
    record.map { path in
      if path.isStandardStream { return .output }
      return path.isFolder ? .folder(path, rotation ?? .daily, keep) : .file(path)
    }
  }
}

extension Target {
  /// The server without gpsd's own port, or the path or the address of the receiver.
  fileprivate var sourceName: String {
    switch self {
    case .gpsd(let endpoint, _) where endpoint.port == GPSDEndpoint.defaultPort: endpoint.host
    case .gpsd(let endpoint, _): "\(endpoint)"
    case .tty(let path): path
    case .network(let address): "\(address)"
    }
  }
}

extension Log {
  package convenience init(_ options: Options, to descriptor: Descriptor = .standardError) {
    self.init(isVerbose: options.verbose, isQuiet: options.quiet, to: descriptor)
  }
}
