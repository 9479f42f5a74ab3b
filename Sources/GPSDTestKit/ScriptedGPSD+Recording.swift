public import GPSDLocation
import LocationCore

extension [ScriptedGPSD.Step] {
  /// Returns the steps of a gpsd that sends the lines of a file written by `locwatch --record`, at the times when
  /// they were received.
  ///
  /// The script does not hang up after the last lines. A test can add steps that were not recorded:
  ///
  /// ```swift
  /// let drive = try [ScriptedGPSD.Step].recorded(contentsOf: "drive.jsonl.gz")
  /// let gpsd = ScriptedGPSD(
  ///   clock: clock, scripts: drive.prefix(60) + [.hangUp], [.refuse], drive)
  /// ```
  ///
  /// - Parameters:
  ///   - path: The path of the file, which is read completely.
  ///   - source: The name of the source whose lines to send; `nil` sends all lines.
  /// - Throws: `LocationError` with code `LocationError.Code.disconnected` if the file cannot be read.
  public static func recorded(
    contentsOf path: String, source: String? = nil
  ) throws(LocationError) -> Self {
    let lines = try RecordingFile(path: FilePath(path)).contents()
      .split(separator: UInt8(ascii: "\n"))
      .map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }
    return recorded(lines: lines.map { String(decoding: $0, as: UTF8.self) }, source: source)
  }

  /// Returns the steps of a gpsd that sends recorded lines at the times when they were received.
  ///
  /// - Parameters:
  ///   - lines: gpsd's reports, without line ends. The lines that `locwatch --record` adds set the receive time
  ///     of the reports that follow; without any, all reports are sent at once.
  ///   - source: The name of the source whose lines to send; `nil` sends all lines.
  public static func recorded(lines: [String], source: String? = nil) -> Self {
    var steps: Self = []
    var (elapsed, sent) = (Duration.zero, Duration.zero)
    var batch: [String] = []
    var (isOfSource, isVerbatim) = (true, false)
    func send() {
      guard !batch.isEmpty else { return }
      if sent < elapsed { steps.append(.wait(elapsed - sent)) }
      steps.append(.lines(batch))
      (sent, batch) = (elapsed, [])
    }
    for line in lines {
      if !isVerbatim, let stamp = RecordingTimestamp(line: ArraySlice(line.utf8)) {
        send()
        // The times of a recording that was appended begin at zero.
        if stamp.elapsed < elapsed { sent = .zero }
        elapsed = stamp.elapsed
        isOfSource = source == nil || stamp.source == source
        isVerbatim = stamp.isBeforeVerbatimLine
        continue
      }
      isVerbatim = false
      if isOfSource { batch.append(line) }
    }
    send()
    return steps
  }
}
