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
    let ending = await follow(source, recorder: nil)
    progress?.end()
    if case .failed(let error, _) = ending, error.code == .disconnected {
      throw Failure(.noInput, error.description)
    }
    let counts = tally.counts
    switch ending {
    case .ended where counts.reports.isEmpty, .timedOut where counts.reports.isEmpty:
      throw Failure(
        .badData,
        "\(files[0].name) has no gpsd report"
          + (counts.badLines > 0 ? ": it is not gpsd's JSON" : ""))
    case .done, .ended, .cancelled, .timedOut, .failed, .output:
      return report(ending)
    }
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
      throw Failure(.badData, "\(path) is compressed: gzip -dc \(path) | locwatch --replay -")
    }
    return files
  }
}
