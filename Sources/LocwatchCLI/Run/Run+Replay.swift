import GPSDLocation
import LocationCore

extension Run {
  func replay(_ path: String) async throws(Failure) -> ExitStatus {
    let file: RecordingFile
    do throws(GPSDError) {
      file = path == "-" ? .standardInput : try RecordingFile(path: path)
    } catch {
      throw Failure(.noInput, error.detail)
    }
    if file.isCompressed {
      throw Failure(.badData, "\(path) is compressed: gzip -dc \(path) | locwatch --replay -")
    }
    let pace: RecordedSession.Pace =
      switch options.speed {
      case .max: .asFastAsPossible
      case .times(let speed): .recorded(speed: speed)
      }
    let session = RecordedSession(file, pace: pace)
    let source = GPSDLocationSource(
      device: options.device, satellites: options.satellites, tally: tally, session: session)
    let progress = ReplayProgress(of: session, size: file.size, options, environment)
    let ending = await follow(source, recorder: nil)
    progress?.end()
    if case .failed(let error, _) = ending, error.code == .disconnected {
      throw Failure(.noInput, "\(path): \(error)")
    }
    let counts = tally.counts
    switch ending {
    case .ended where counts.reports.isEmpty, .timedOut where counts.reports.isEmpty:
      throw Failure(
        .badData,
        "\(path) has no gpsd report" + (counts.badLines > 0 ? ": it is not gpsd's JSON" : ""))
    case .done, .ended, .cancelled, .timedOut, .failed, .output:
      return report(ending)
    }
  }
}
