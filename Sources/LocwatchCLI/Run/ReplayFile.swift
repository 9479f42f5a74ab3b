import GPSDLocation
import LocationCore
import LocwatchReceivers
import LocwatchRecordings
import LocwatchSystem

/// A file to replay: a recording, or a raw log of a receiver, which a gpsd decodes first.
enum ReplayFile {
  case recording(RecordingFile)
  case raw(RawLog)

  /// - Parameter inspectsStream: Whether to wait for the first lines of a stream, to determine its kind.
  init(
    _ path: FilePath, inspectsStream: Bool, environment: Environment
  ) async throws(Failure) {
    let file: RecordingFile
    do throws(LocationError) {
      file = path.isStandardStream ? .standardInput : try RecordingFolder.open(path)
      if inspectsStream, file.size == nil {
        try await file.firstLines { LogHead(Array($0)).isEnough }
      }
    } catch {
      throw Failure(.noInput, "\(error.detail)")
    }
    self = LogHead.isRaw(file) ? .raw(try RawLog(file, environment: environment)) : .recording(file)
    file.release()
  }

  /// Why gpsd's reports do not cover the whole file; known when they have ended.
  var failure: Failure? {
    switch self {
    case .recording: nil
    case .raw(let log): log.failure
    }
  }

  /// The damage found in the compressed data of the file so far; `nil` if there is none.
  var damage: Message? {
    let (isDamaged, name) =
      switch self {
      case .recording(let file): (file.isDamaged, file.name)
      case .raw(let log): (log.isDamaged, log.name)
      }
    guard isDamaged else { return nil }
    return
      "\(name): the compressed data is damaged or ends too soon; locwatch replays what it can read"
  }

  /// A remark on a raw log whose dates are not gpsd's; `nil` for other files.
  var remarkOnDates: Message? {
    guard case .raw(let log) = self, log.hasCorrectedDates else { return nil }
    return
      "\(log.name): gpsd's dates are a multiple of 1,024 weeks too late; those of the log are used"
  }

  /// Whether gpsd has found no data of a receiver in the file.
  var isWorthless: Bool { failure?.status == .badData }

  /// Returns the file with gpsd's reports.
  func file(by clock: LocationClock) async throws(Failure) -> RecordingFile {
    switch self {
    case .recording(let file): file
    case .raw(let log): try await log.open(by: clock)
    }
  }
}

extension [RecordingContents] {
  /// Why one of these files is not a recording; `nil` if all are. An empty file is accepted if
  /// another one has reports.
  var whyNoReplay: Message? {
    for contents in self {
      if contents.hasOnlyPolls {
        return
          "\(contents.name) has no report of a receiver: it has answers to ?POLL\n\(ForeignFile.unknown.hint)"
      }
      guard let foreign = contents.foreign, !contents.isOfReceivers else { continue }
      let file = ForeignFile(foreign)
      // A recording may end within the first report after gpsd's greeting.
      if contents.hasReports, foreign.first == UInt8(ascii: "{"), file == .unknown { continue }
      let lack = contents.hasReports ? "no report of a receiver" : "no gpsd report"
      // A receiver's log is recognised only at the beginning of a file.
      let hint = contents.hasReports ? ForeignFile.unknown.hint : file.hint
      return "\(contents.name) has \(lack): \(file.message)\n\(hint)"
    }
    guard let last, !contains(where: \.hasReports) else { return nil }
    return last.isEmpty ? "\(last.name) is empty" : "\(last.name) has no gpsd report"
  }
}
