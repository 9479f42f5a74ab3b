package import LocationCore

extension ReceiverReport {
  /// Creates a report, for a test of code that shows reports. An argument that is left out means that nothing was
  /// observed.
  ///
  /// - Parameters:
  ///   - device: The receiver's path; `nil` if the service names none.
  ///   - from: When the observation began, by the receiver's clock; `nil` if it reported no time.
  ///   - to: When the observation ended.
  ///   - states: How long the receiver was in each state.
  ///   - fixCount: The number of current fixes that count.
  ///   - fix3DCount: The number of these fixes in 3D; `nil` for all of them.
  ///   - outages: The outages in their order.
  ///   - legs: The legs in their order. The sums of all legs are computed from them.
  ///   - stops: The stops in their order.
  ///   - gaps: The gaps in their order.
  ///   - days: The receiver's movement on each day; `nil` to compute it from the legs.
  ///   - scatter: How widely the positions scatter; `nil` if that is unknown.
  package init(
    device: String? = nil, from: Timestamp? = nil, to: Timestamp? = nil,
    states: [LocationState: Duration] = [:], fixCount: Int = 0, fix3DCount: Int? = nil,
    outages: [Outage] = [], legs: [Leg] = [], stops: [Stop] = [], gaps: [Gap] = [],
    days: [TripDay]? = nil, scatter: Scatter? = nil
  ) {
    var trips = TripSummary()
    var sums = TripDays()
    for leg in legs {
      trips.add(leg)
      sums.add(leg)
    }
    for stop in stops { trips.add(stop) }
    for gap in gaps { trips.add(gap) }
    self.init(
      device: device, driver: nil, from: from, to: to, fixCount: fixCount,
      fix3DCount: fix3DCount ?? fixCount, leftOutFixCount: 0, states: states, notRecorded: .zero,
      firstFix: nil,
      outages: outages, outageCount: outages.count, doubts: [], doubtCount: 0, doubted: .zero,
      reconnectCount: 0, corrections: nil, interval: nil, age: nil, eras: [], timing: nil,
      legs: legs, stops: stops, gaps: gaps, days: days ?? sums.days, trips: trips, surveyed: 0,
      simulated: 0, scatter: scatter, sinceLastFix: nil, figures: nil)
  }
}
