public import GPSDLocation

extension GPSDLocationSource where Session == RecordedSession {
  /// Replays a recording that is given line by line, without line ends.
  ///
  /// - Parameters:
  ///   - lines: Reports of gpsd's, and between them the times at which they came.
  ///   - pace: How fast they are said again.
  ///   - device: Only this receiver, by its path; `nil` is every receiver.
  public static func recorded(
    lines: [String], pace: RecordedSession.Pace = .asFastAsPossible, device: String? = nil
  ) -> GPSDLocationSource {
    let session = RecordedSession(lines: lines, pace: pace)
    return GPSDLocationSource(device: device, session: session)
  }

  /// Replays a recording in a file: `locwatch --record` or `gpspipe -w` made it.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - pace: How fast it is said again.
  ///   - device: Only this receiver, by its path; `nil` is every receiver.
  /// - Throws: `GPSDError` where the file cannot be opened.
  public static func recorded(
    contentsOf path: String, pace: RecordedSession.Pace = .asFastAsPossible, device: String? = nil
  ) throws(GPSDError) -> GPSDLocationSource {
    let session = try RecordedSession(contentsOf: path, pace: pace)
    return GPSDLocationSource(device: device, session: session)
  }
}
