import GPSDLocation
import LocationCore
import LocationFormats
import LocwatchRecordings
import LocwatchSystem
import LocwatchTerminal

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
  let mode: Mode
  /// The only source, or the one that stands for the best of several.
  package let source: SourcePlan
  let output: OutputPlan
  let report: ReportPlan?
  let recording: RecordingPlan?
  let serving: ServingPlan?
  let terminal: TerminalStyle.Choices
  let printsStatistics: Bool

  var isReplay: Bool { if case .replay = mode { true } else { false } }

  var isViewed: Bool { if case .view = output { true } else { false } }

  /// The file that lists targets; `nil` for none.
  var targetsFile: FilePath? {
    switch mode {
    case .fleet(let targets), .best(let targets): targets.file
    case .watch, .replay, .doctor: nil
    }
  }

  /// The file of a live run that is opened again at SIGHUP; `nil` if the output is not a file that grows.
  var reopenedOutput: FilePath? {
    if case .records(let records) = output, !isReplay { records.file } else { nil }
  }
}

/// The targets of a run with several sources.
struct TargetPlan: Sendable {
  let listed: [NamedTarget]
  /// The file that lists more targets; `nil` for none.
  let file: FilePath?
  /// The plan of each source, without its name and its target.
  let member: SourcePlan

  /// Returns the targets of the command line and of the file.
  func targets() throws(Failure) -> [NamedTarget] {
    guard let file else { return listed }
    return try TargetList(listed, contentsOf: file).targets
  }
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
