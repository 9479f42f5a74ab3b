package import LocationCore

/// The observations of one receiver.
package struct ReceiverReport: Hashable, Sendable {
  /// A period without a current position, after there was one.
  package struct Outage: Hashable, Sendable {
    /// When the position was lost, by the receiver's clock; `nil` if it reported no time.
    package var from: Timestamp?
    /// How long it lasted, or had lasted when the observation ended.
    package var duration: Duration
    /// The last position before the outage; `nil` if it is unknown.
    package var position: Coordinate?
    /// The reason: the name of a `LossReason`, or of a state such as `no-device`.
    package var reason: String
    /// The number of satellites that were used for the last position; `nil` if unknown.
    package var satellitesUsed: Int?
    /// The strength of the strongest signal before the outage, in dBHz; `nil` if unknown.
    package var strongestSignal: Double?

    /// Creates an outage. An argument that is left out is unknown. The strongest signal is in dBHz.
    package init(
      from: Timestamp? = nil, duration: Duration, position: Coordinate? = nil, reason: String,
      satellitesUsed: Int? = nil, strongestSignal: Double? = nil
    ) {
      self.from = from
      self.duration = duration
      self.position = position
      self.reason = reason
      self.satellitesUsed = satellitesUsed
      self.strongestSignal = strongestSignal
    }
  }

  /// A period in which positions were current, but doubted.
  package struct DoubtfulTime: Hashable, Sendable {
    /// The reason.
    package var doubt: Doubt
    /// When it began, by the receiver's clock; `nil` if it reported no time.
    package var from: Timestamp?
    /// How long it lasted, or had lasted when the observation ended, without the times in which there was no
    /// position.
    package var duration: Duration
    /// What was observed, as a short text; `nil` if ``doubt`` says everything.
    package var detail: String?
  }

  /// A period of the receiver's dates that is 52 weeks or more from any other.
  package struct Era: Hashable, Sendable {
    /// The earliest and the latest date.
    package var from, to: Timestamp
    /// The number of dates: of fixes, views of the sky and transitions.
    package var count: Int
    /// How many times 1,024 weeks the dates of its fixes are too early, by the last one; negative if they are too
    /// late. See `LocationFix.rollover`.
    package var rollover: Int?
  }

  /// The median and the 99th percentile of times.
  package struct Spread: Hashable, Sendable {
    /// Half of the times are at most this long.
    package var median: Duration
    /// 99 % of the times are at most this long; `nil` if there are fewer than 100 times.
    package var p99: Duration?
  }

  /// The receiver's path; `nil` if the service names none.
  package var device: String?
  /// The driver that gpsd uses for the receiver; `nil` if unknown.
  package var driver: String?
  /// When the observation began and ended, by the receiver's clock; `nil` if it reported no time.
  package var from, to: Timestamp?
  /// The number of current fixes that count. ``Scatter`` is computed from ``Scatter/positionCount`` of them.
  package var fixCount: Int
  /// The number of current fixes that count and are in 3D.
  package var fix3DCount: Int
  /// The number of current fixes that do not count because the options of the command exclude them.
  package var leftOutFixCount: Int
  /// How long the receiver was in each state.
  package var states: [LocationState: Duration]
  /// How long nothing was recorded, because the recorder did not run. This time belongs to no state and no outage; a stop
  /// can include it.
  package var notRecorded: Duration
  /// The time from the beginning to the first current fix; `nil` if there was none. gpsd does not report whether it
  /// was a cold start.
  package var firstFix: Duration?
  /// The outages in their order; if there were more than 1,000, the longest ones.
  package var outages: [Outage]
  /// The number of outages.
  package var outageCount: Int
  /// The times in which positions were doubted, in the order of their ends; if there were more than 1,000, the
  /// longest ones.
  package var doubts: [DoubtfulTime]
  /// The number of these times.
  package var doubtCount: Int
  /// How long positions were doubted, for any reason.
  package var doubted: Duration
  /// The number of times that the connection was established after a failure.
  package var reconnectCount: Int
  /// How long the receiver got corrections, such as those of a base station for RTK; `nil` if none were reported.
  package var corrections: Duration?
  /// The time between consecutive fixes that count, without outages: in milliseconds below a minute, or else in seconds,
  /// up to a day; `nil` if there are no such fixes.
  package var interval: Spread?
  /// The age of fixes when they arrived, with the same precision; `nil` if unknown.
  package var age: Spread?
  /// The eras of the receiver's dates, in the order of their appearance; the first eight if there are more.
  /// There are several if the receiver miscounted GPS's weeks for a time, or did not know the date yet.
  package var eras: [Era]
  /// How the receiver's times compare with the clock of gpsd's machine; `nil` if the provider passed on no `TOFF` or
  /// `PPS` reports of it.
  package var timing: Timing?
  /// The legs between stops, in their order; the first 1,000 if there are more. Empty for a receiver that stands
  /// still.
  package var legs: [Leg]
  /// The stops, in their order; the first 1,000 if there are more.
  package var stops: [Stop]
  /// The times without a fix after which the receiver was at another place, in their order; the first 1,000 if there
  /// are more.
  package var gaps: [Gap]
  /// The receiver's movement on each day on which it moved, in order.
  package var days: [TripDay]
  /// The sums of all legs.
  var trips: TripSummary
  /// How many of the fixes that count are surveyed, and how many are simulated.
  var surveyed, simulated: Int
  /// How widely the positions scatter. For a receiver that moved, these are the positions of its stops. `nil` if no
  /// fix counts, and for a timing receiver, which repeats a surveyed position.
  package var scatter: Scatter?
  /// How long before the end of the observation the last current fix came; `nil` if there was none.
  var sinceLastFix: Duration?
  /// The data for the receiver's figures; `nil` if they are not collected.
  var figures: ReceiverFigures?

  /// How long the receiver was observed, without the time in which nothing was recorded.
  package var observed: Duration { states.values.reduce(.zero, +) }

  /// The time from the beginning to the end.
  var span: Duration { observed + notRecorded }

  /// The fraction of the time with a current position, from 0 to 1; `nil` if no time passed.
  package var availability: Double? { part(of: [.fix2D, .fix3D]) }

  /// The fraction of the time with a current position and height, from 0 to 1; `nil` if no time passed.
  package var availability3D: Double? { part(of: [.fix3D]) }

  /// The fraction of the time with corrections, from 0 to 1; `nil` if none were reported, or no time passed.
  package var correctionsShare: Double? {
    guard let corrections, observed > .zero else { return nil }
    // Corrections may have come before the receiver reported.
    return min(1, corrections.inSeconds / observed.inSeconds)
  }

  /// Whether the receiver had no fix at all, whichever fixes count.
  var hadNoFix: Bool { fixCount == 0 && leftOutFixCount == 0 && firstFix == nil }

  /// Whether the receiver moved from one place to another.
  var hasMoved: Bool { trips.hasMoved }

  /// Whether the positions scatter, and are enough to show how widely. A dozen positions are not enough, and
  /// repeated positions do not scatter.
  var hasScatter: Bool {
    guard let scatter, scatter.positionCount >= 20, let drms = scatter.drms else { return false }
    return drms >= Scatter.leastShown
  }

  /// Whether there are legs, stops or gaps to list.
  var hasTripTable: Bool { hasMoved || !stops.isEmpty }

  /// The number of legs.
  package var legCount: Int { trips.legs }

  /// The number of stops.
  package var stopCount: Int { trips.stops }

  /// The number of gaps.
  package var gapCount: Int { trips.gaps }

  /// Whether the daily sums say more than the sums of all legs.
  var lastsLongerThanADay: Bool {
    guard let from, let to else { return false }
    return from.duration(to: to) > .seconds(86_400)
  }

  private func part(of wanted: [LocationState]) -> Double? {
    let observed = observed
    guard observed > .zero else { return nil }
    return wanted.compactMap { states[$0] }.reduce(.zero, +).inSeconds / observed.inSeconds
  }
}
