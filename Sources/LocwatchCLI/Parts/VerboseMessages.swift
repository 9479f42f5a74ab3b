import LocationCore
import LocwatchDoctor
import LocwatchSystem

/// Describes changes of gpsd, its receivers and the satellites, for `--verbose`.
struct VerboseMessages: SourcePart {
  private let log: Log
  private var verboseLog = VerboseLog()

  init?(_ log: Log) {
    guard log.isVerbose else { return nil }
    self.log = log
  }

  mutating func handle(
    _ update: LocationUpdate, at moment: Moment, on output: inout SharedOutput
  ) throws(OutputError) -> Passage {
    let sentences = verboseLog.sentences(for: update, at: moment)
    guard !sentences.isEmpty else { return .next }
    try output.flush(at: moment)
    for sentence in sentences { log.detail("\(sentence)") }
    return .next
  }
}
