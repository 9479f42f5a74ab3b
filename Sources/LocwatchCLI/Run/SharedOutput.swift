import LocationCore
import LocwatchRecordings
import LocwatchSystem
import LocwatchTerminal

/// The outputs of all sources of a run: the presenter and the recording.
struct SharedOutput: Sendable {
  var presenter: any Presenter
  let recorder: Recorder?
  /// What is served to browsers; `nil` for nothing.
  var page: LivePage?

  mutating func add(_ style: OutputStyle, as source: Int) {
    presenter.add(style, as: source)
    page?.add(style, as: source)
  }

  var status: OutputStatus {
    var status = presenter.status
    guard let recorder else { return status }
    status.hasPending = status.hasPending || recorder.hasPending
    status.blocked = status.blocked ?? recorder.blockedOutput
    return status
  }

  /// Writes as much as possible without waiting.
  mutating func flush(at now: Moment) throws(OutputError) {
    try presenter.flush(at: now)
    try recorder?.flush()
  }

  /// Writes a message for people, after the records so far.
  mutating func write(_ message: Message, to log: Log, at now: Moment) throws(OutputError) {
    try flush(at: now)
    log.advise(message)
  }

  /// Writes the rest.
  ///
  /// - Parameter waitsForReader: Whether to wait for a slow reader without a limit.
  mutating func finish(waitsForReader: Bool) throws(OutputError) {
    // The recording neither waits for the reader of the output nor depends on it.
    let recording = Result { () throws(OutputError) in try recorder?.finish() }
    let records = Result { () throws(OutputError) in
      try presenter.finish(waitsForReader: waitsForReader)
    }
    // That the reader is gone is no reason to keep quiet about it.
    try recording.get()
    try records.get()
  }
}
