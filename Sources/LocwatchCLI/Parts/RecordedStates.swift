import LocationCore
import LocwatchRecordings

/// Records the states of the only source.
struct RecordedStates: SourcePart {
  init?(_ options: Options) {
    // A recording of several sources already contains the beginning of each source.
    if options.record == nil || options.takesBest || options.isOfFleet { return nil }
  }

  func handle(
    _ update: LocationUpdate, at moment: Moment, on output: inout SharedOutput
  ) -> Passage {
    if case .state(let change) = update { output.recorder?.record(change) }
    return .next
  }
}
