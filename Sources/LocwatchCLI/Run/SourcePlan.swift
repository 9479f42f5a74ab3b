import GPSDLocation
package import LocationCore
import LocationFormats
package import LocwatchDoctor
import LocwatchReceivers
import LocwatchSystem
package import LocwatchTerminal

/// The plan for one source of a run.
package struct SourcePlan: Sendable {
  package var style: OutputStyle
  package var question: Question
  var reading: ReadingPlan
  var goal: SourceGoal
  var criteria: FixCriteria
  /// The regions that are watched. Their names are distinct.
  var regions: [Region]
  /// How long all fixes must be beyond the edge of a region, if it is not the default time.
  var dwells: [Region.ID: Duration]
  /// The classes of gpsd's reports that are presented; others are only counted. `nil` for all.
  var shownClasses: [ServiceReport.Kind]?
  /// Whether the source is one of several.
  let isOfFleet: Bool
  /// Whether advice is given during the run.
  let givesAdvice: Bool
  /// Detects receivers that cannot be distinguished.
  var mixture: UnnamedReceiverWarning

  /// Whether only the time ends the run, so that the run waits for no reader.
  var isTimed: Bool { goal.duration != nil && !question.isReplay }

  /// Gives one of several sources its name.
  mutating func name(_ name: String) {
    style.member = name
    style.records.source = name
    style.records.sourceName = name
    mixture.source = name
  }

  /// Returns the plan of one of several sources, with its own name and target.
  func member(_ member: NamedTarget) -> SourcePlan {
    var plan = self
    plan.name(member.name)
    plan.question.target = member.target
    if case .gpsd(_, let device) = member.target { plan.question.device = device }
    return plan
  }

  /// Returns the updates of a source, as the run needs them.
  package func updates(of source: some LocationProvider) -> LocationUpdates {
    var request = LocationRequest(desiredAccuracy: criteria.request.desiredAccuracy)
    request.correctsDates = criteria.request.correctsDates
    return source.updates(
      staleAfter: style.stale, retries: reading.retries, unfilteredFor: request)
  }
}

/// When a source is done.
struct SourceGoal: Equatable {
  /// Whether to print one fix and exit.
  var once = false
  /// What to average instead of the first fix; `nil` for nothing.
  var average: Averaging.Span?
  /// The number of fixes to write, at least 1; `nil` for no limit. 1 with ``once``.
  var count: Int?
  /// How long to wait for a suitable fix, more than zero; `nil` for no limit.
  var timeout: Duration?
  /// When to stop, by the source's clock, more than zero; `nil` for no limit.
  var duration: Duration?

  /// The shorter of the two times; `nil` without any.
  var limit: Duration? { [timeout, duration].compactMap(\.self).min() }
}

/// The requests to a gpsd or a recording, and the means to read a receiver.
struct ReadingPlan: Sendable {
  /// The classes of reports that are requested.
  var kinds: Set<ServiceReport.Kind>
  /// Whether satellites are listed, instead of only counted.
  var satellites: Bool
  /// Whether to try again when gpsd cannot be reached or goes away.
  var reconnects: Bool
  var retries: RetryPolicy
  /// Where the corrections of the receiver come from; `nil` for none.
  var corrections: CasterAddress?
}
