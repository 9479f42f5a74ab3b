import GPSDLocation
import LocationCore

extension Run {
  func replay() async throws(Failure) -> ExitStatus {
    let files = try openReplays()
    let pace: RecordedSession.Pace =
      switch options.speed {
      case .max: .asFastAsPossible
      case .times(let speed): .recorded(speed: speed)
      }
    let session = RecordedSession(files, pace: pace)
    let source = GPSDLocationSource(
      device: options.device, satellites: options.satellites, tally: tally, session: session)
    let progress = ReplayProgress(of: session, options, environment)
    let ending = await follow(source, recorder: nil) { session.contents.whyNoReplay != nil }
    progress?.end()
    if case .failed(let error, _) = ending, error.code == .disconnected {
      throw Failure(.noInput, error.description)
    }
    switch ending {
    case .ended, .timedOut:
      if let words = session.contents.whyNoReplay { throw Failure(.badData, words) }
      if session.isOver, let words = lackOfReceiver(in: files) {
        throw Failure(.unavailable, words)
      }
    case .done, .cancelled, .failed, .output:
      break
    }
    return report(ending)
  }

  /// Which receivers there were, where the one that was asked for was not among them.
  private func lackOfReceiver(in files: [RecordingFile]) -> String? {
    guard let device = options.device else { return nil }
    let receivers = tally.receivers
    guard !receivers.contains(device), !receivers.contains("") else { return nil }
    let (subject, pronoun) =
      files.count == 1 ? ("\(files[0].name) has", "it has") : ("the recordings have", "they have")
    let others =
      receivers.isEmpty ? ", nor any other" : ": \(pronoun) \(receivers.joined(separator: ", "))"
    return "\(subject) no receiver \(device)\(others)"
  }

  /// Opens all files before any of them is read: where one is missing, nothing was written.
  private func openReplays() throws(Failure) -> [RecordingFile] {
    var files: [RecordingFile] = []
    for path in options.replays {
      do throws(GPSDError) {
        files.append(path == "-" ? .standardInput : try RecordingFile(path: path))
      } catch {
        throw Failure(.noInput, error.detail)
      }
    }
    for (path, file) in zip(options.replays, files) where file.isCompressed {
      let command = path == "-" ? "gzip -dc" : "gzip -dc \(path)"
      throw Failure(.badData, "\(file.name) is compressed: \(command) | locwatch --replay -")
    }
    return files
  }
}

extension [RecordingContents] {
  /// Why one of these files is no recording, in words; `nil` where all are, and where a recording that
  /// is no more than empty stands among others.
  fileprivate var whyNoReplay: String? {
    for contents in self {
      guard let foreign = contents.foreign, !contents.isOfReceivers else { continue }
      let file = ForeignFile(foreign)
      // A recording of nothing but gpsd's greeting may be torn in a report.
      if contents.hasReports, foreign.first == UInt8(ascii: "{"), file == .unknown { continue }
      let lack = contents.hasReports ? "no report of a receiver" : "no gpsd report"
      return "\(contents.name) has \(lack): \(file.words)\n\(file.hint)"
    }
    guard let last, !contains(where: \.hasReports) else { return nil }
    return last.isEmpty ? "\(last.name) is empty" : "\(last.name) has no gpsd report"
  }
}
