/// A part of the program that the fuzzer feeds and checks.
package protocol FuzzTarget: Sendable {
  /// Does a round, which is the same for the same seed.
  ///
  /// - Returns: What went wrong; `nil` if nothing did.
  func round(seed: UInt64, into tally: inout FuzzTally) async throws -> String?
}

/// What the rounds of a target have done so far.
package struct FuzzTally: Equatable, Sendable {
  /// The lines of gpsd that were made up.
  package var lines = 0
  /// The records, frames or files that were checked.
  package var checks = 0

  package init() {}
}

/// The targets by the names that the command line gives them.
package enum FuzzTargetName: String, CaseIterable, Sendable {
  case decoder, lines, report, view, fleet, recordings, raw, caster, lies, trips
  case requests
  case classes = "class"

  /// - Parameter seeds: Lines of a gpsd, without their line ends.
  package func make(seeds: [[UInt8]]) -> any FuzzTarget {
    switch self {
    case .decoder: DecoderTarget(seeds: seeds)
    case .lines: LinesTarget(seeds: seeds)
    case .report: ReportTarget()
    case .view: ViewTarget()
    case .fleet: FleetTarget()
    case .recordings: RecordingsTarget()
    case .raw: RawTarget()
    case .caster: CasterTarget()
    case .lies: LiesTarget()
    case .trips: TripTarget()
    case .requests: RequestTarget()
    case .classes: ClassTarget()
    }
  }
}
