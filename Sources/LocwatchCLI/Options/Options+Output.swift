import GPSDLocation
import LocationCore
import LocationFormats
import LocationReports
import LocationText
import LocwatchReceivers
package import LocwatchSystem
package import LocwatchTerminal

/// How the updates are shown.
enum Display {
  /// They are not shown, because the recording or a report replaces the output.
  case none
  case view
  /// A file that is replaced atomically.
  case snapshot(FilePath)
  /// A folder with a file for each leg.
  case legs(FilePath)
  /// Records in a file or, without one, on stdout.
  case records(FilePath?)

  /// The file or folder that is written; `nil` for none.
  var file: FilePath? {
    switch self {
    case .none, .view: nil
    case .snapshot(let path), .legs(let path): path
    case .records(let file): file
    }
  }
}

extension Options {
  var display: Display {
    if view { return .view }
    if recordsToOutput || printsReport { return .none }
    if format == .prometheus, let outputFile { return .snapshot(outputFile) }
    if let legFolder { return .legs(legFolder) }
    return .records(outputFile)
  }

  /// The file of a live run that is opened again at SIGHUP; `nil` if the output is not a file that grows.
  var reopenedOutput: FilePath? {
    if case .records(let file) = display, !isReplay { file } else { nil }
  }

  /// Whether the report is also written during the run. A replay can be repeated, and the reader of a pipe expects one
  /// report.
  var writesReportDuringRun: Bool { !isReplay && report?.isReplaced == true }

  package var style: OutputStyle {
    var style = OutputStyle(
      format: format, member: memberName, stale: stale, stops: stop ?? StopCriteria())
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

  /// The units of a report, and of a served page.
  var reportUnits: UnitSystem { units ?? .metric }

  var terminal: TerminalStyle.Choices {
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

  /// Whether the tracks of several receivers are written in turn, because only one track of a live document can grow.
  var alternatesTracks: Bool {
    [.gpx, .kml].contains(format) && !isReplay && !goal.once && legFolder == nil
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
