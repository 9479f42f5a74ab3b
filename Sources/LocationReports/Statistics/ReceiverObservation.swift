import LocationCore

/// The observation of one receiver, while it lasts.
struct ReceiverObservation: Sendable {
  /// The maximum number of outages that are listed. Further ones are counted.
  private static let maximumOutages = 1000

  private var state: LocationState
  private let begin: Moment
  private var end: Moment
  private var states: [LocationState: Duration] = [:]
  private var isRecorded = true
  private var notRecorded = Duration.zero
  private var firstFix: Duration?

  private var plane: LocalPlane?
  private var samples: Samples
  private var trips: TripLog
  private var intervals = MillisecondCounts()
  private var ages = MillisecondCounts()
  private var times = TimeLog()
  private var fixes3D = 0
  private var fixesLeftOut = 0
  /// How many of the fixes that count are surveyed, and how many are simulated.
  private var surveyed = 0, simulated = 0
  private var heights = HeightDeviation()
  /// The sums of the deviations of all positions from the first one, in degrees.
  private var sums = (latitude: 0.0, longitude: 0.0)
  /// The sum of all positions, if the first one is near a pole.
  private var polarSum = SurfacePoint()
  /// The last current fix, whether or not it counts.
  private var latest: (fix: LocationFix, moment: Moment)?
  /// The time and place of the last fix that counts, by the receiver's clock and by the clock of the updates.
  private var last: (time: Timestamp?, moment: Moment, place: (east: Double, north: Double))?
  /// Whether an outage began since the last fix that counts.
  private var isInterrupted = false
  private var pace = ReportPace()
  private var strongestSignal: Double?
  /// A moment and the receiver's time at that moment, for the conversion of moments to times.
  private var clock: (moment: Moment, time: Timestamp)?

  private var outage: (outage: ReceiverReport.Outage, since: Moment)?
  private var outages: [ReceiverReport.Outage] = []
  private var outageCount = 0
  private var doubts = DoubtLog()
  /// `nil` if no figures are drawn.
  private var figures: FigureCounter?

  /// - Parameter limit: The maximum number of positions that are kept.
  init(
    in state: LocationState, at moment: Moment, countsFigures: Bool, stops: StopCriteria,
    keeping limit: Int = Samples.maximumCount
  ) {
    samples = Samples(limit: limit)
    trips = TripLog(stops)
    self.state = state
    begin = moment
    end = moment
    guard countsFigures else { return }
    figures = FigureCounter()
    figures?.enter(state, nil, at: 0)
  }

  mutating func observe(until moment: Moment) {
    guard end < moment else { return }
    guard isRecorded else {
      notRecorded += end.duration(to: moment)
      return end = moment
    }
    states[state, default: .zero] += end.duration(to: moment)
    if state.hasFix { doubts.add(end.duration(to: moment)) }
    end = moment
  }

  /// Records that nothing is recorded from now on. What follows is no outage.
  mutating func pause(at moment: Moment) {
    endOutage(at: moment)
    (state, isRecorded, isInterrupted) = (.connecting, false, true)
    figures?.enter(nil, nil, at: begin.seconds(to: moment))
  }

  /// Records that the recording continues. The connection is a new one.
  mutating func resume(at moment: Moment) {
    isRecorded = true
    figures?.enter(state, nil, at: begin.seconds(to: moment))
  }

  mutating func enter(_ next: LocationState, _ change: StateChange) {
    if let time = change.time { clock = clock ?? (change.moment, time) }
    if state.hasFix, !next.hasFix { beginOutage(next, change) }
    if next.hasFix {
      firstFix = firstFix ?? begin.elapsed(to: change.moment) - notRecorded
      endOutage(at: change.moment)
    }
    state = next
    figures?.enter(next, nil, at: begin.seconds(to: change.moment))
  }

  /// Records that the doubts about the positions have changed.
  mutating func record(_ doubts: [Doubt], detail: String?, at time: Timestamp?) {
    self.doubts.handle(doubts, detail: detail, at: time)
  }

  mutating func record(_ sky: SkyView, at moment: Moment) {
    strongestSignal = sky.strongest?.ifPlausible ?? strongestSignal
    figures?.add(sky, at: begin.seconds(to: moment))
  }

  /// Records a report that compares the clocks.
  mutating func record(_ report: ServiceReport, at moment: Moment) {
    times.add(report, at: moment)
    figures?.add(report, at: begin.seconds(to: moment))
  }

  /// Records a current fix, whether or not it counts.
  mutating func record(_ fix: LocationFix, at moment: Moment) {
    if let time = fix.time { clock = clock ?? (moment, time) }
    figures?.record(fix.quality, at: begin.seconds(to: moment))
    latest = (fix, moment)
  }

  /// Counts a current fix as left out.
  mutating func leaveOut() { fixesLeftOut += 1 }

  /// Adds a current fix that counts. The first fix with a height decides the datum of the heights.
  mutating func add(_ fix: LocationFix, at moment: Moment) {
    let height = heights.deviation(of: fix)
    let plane =
      self.plane
      ?? LocalPlane(at: fix.coordinate, height: fix.ellipsoidalAltitude ?? fix.altitude)
    self.plane = plane
    let (east, north) = plane.project(fix.coordinate)
    samples.append(
      Sample(east: east, north: north, height: height))
    if let last, !isInterrupted {
      let received = last.moment.duration(to: moment)
      let told = last.time.flatMap { before in fix.time.map { before.duration(to: $0) } }
      intervals.add((told ?? received).inSeconds)
    }
    if let age = fix.age { ages.add(age) }
    trips.add(fix, at: moment)
    let silence = silence(before: (east, north), at: moment)
    figures?.add(fix, afterOutage: isInterrupted, at: begin.seconds(to: moment))
    figures?.path.add(
      PathTrace.Sample(fix, at: moment, (east, north), silence: silence), of: trips.progress)
    if fix.mode == .fix3D { fixes3D += 1 }
    if fix.quality == .timeOnly { surveyed += 1 }
    if fix.quality == .simulated { simulated += 1 }
    sums.latitude += fix.coordinate.latitude - plane.origin.latitude
    sums.longitude += (fix.coordinate.longitude - plane.origin.longitude)
      .remainder(dividingBy: 360)
    if plane.origin.isNearPole { polarSum += SurfacePoint(fix.coordinate) }
    last = (fix.time, moment, (east, north))
    isInterrupted = false
  }

  /// Returns how long there was no position before a place, in seconds; `nil` if the receiver came from the
  /// last position without a silence.
  private mutating func silence(
    before place: (east: Double, north: Double), at moment: Moment
  ) -> Double? {
    guard let last else { return nil }
    let step = last.moment.nanoseconds(to: moment)
    let silence = pace.silence(atLeast: .seconds(10))
    pace.add(max(.zero, step))
    let seconds = step.inSeconds
    let (east, north) = (place.east - last.place.east, place.north - last.place.north)
    let distance = (east * east + north * north).squareRoot()
    let isTooFar = distance > TripFix.fastest * max(1, seconds)
    return step > silence || isTooFar ? seconds : nil
  }

  func report(
    device: String?, driver: String?, eras: [ReceiverReport.Era],
    reference: LocationReport.Reference?, reconnects: Int, corrections: Duration?
  ) -> ReceiverReport {
    var (outages, count) = (outages, outageCount)
    // A recording often ends because its receiver is closed.
    if let outage, outage.since < end {
      var open = outage.outage
      open.duration = outage.since.elapsed(to: end)
      outages.append(open)
      count += 1
    }
    var trips = trips
    trips.finish()
    let hasMoved = trips.summary.hasMoved
    // The positions of a receiver that moved scatter only at its stops.
    let stops =
      !hasMoved || reference != nil
      ? nil
      : plane.map {
        StopSamples(of: samples, in: trips.stops, on: $0, reach: trips.criteria.reach)
      }
    // A receiver that repeats a surveyed position has the error of that position, and no scatter.
    let isGiven = 2 * surveyed > samples.total
    let climbs = !hasMoved && trips.stops.contains(where: \.climbs)
    let scatter = isGiven ? nil : scatter(about: reference, stops, climbs: climbs)
    return ReceiverReport(
      device: device, driver: driver, from: time(at: begin), to: time(at: end),
      fixCount: samples.total, fix3DCount: fixes3D, leftOutFixCount: fixesLeftOut, states: states,
      notRecorded: notRecorded, firstFix: firstFix,
      outages: outages, outageCount: count, doubts: doubts.times, doubtCount: doubts.count,
      doubted: doubts.duration, reconnectCount: reconnects,
      corrections: corrections, interval: intervals.spread, age: ages.spread, eras: eras,
      timing: times.report(time: time(at:)),
      legs: trips.legs, stops: trips.stops, gaps: trips.gaps, days: trips.days.days,
      trips: trips.summary, surveyed: surveyed, simulated: simulated,
      scatter: scatter, sinceLastFix: latest.map { $0.moment.elapsed(to: end) },
      figures: figures(about: reference, scatter, stops, trips))
  }

  /// Returns the height from which heights deviate; `nil` for their mean.
  private func height(of reference: LocationReport.Reference?) -> Double? {
    heights.datum == .ellipsoid ? reference?.altHAE?.ifPlausible : nil
  }

  /// - Parameters:
  ///   - stops: The samples of the stops of a receiver that moved; `nil` if all samples count.
  ///   - climbs: Whether the heights change because the receiver climbs on the spot. If so, they have no
  ///     scatter.
  private func scatter(
    about reference: LocationReport.Reference?, _ stops: StopSamples?, climbs: Bool
  ) -> Scatter? {
    guard let plane, let centre = centre(from: plane.origin) else { return nil }
    if let stops {
      guard stops.samples.count > 0 else { return nil }
      var scatter = Scatter(
        of: stops.samples, center: centre, heightOrigin: heights.origin + stops.meanHeight,
        datum: heights.datum, target: nil)
      scatter.isOfStops = true
      return scatter
    }
    let target = reference.map { reference in
      let (east, north) = plane.project(reference.coordinate)
      return (east, north, height(of: reference))
    }
    return Scatter(
      of: climbs && reference == nil ? samples.withoutHeights : samples, center: centre,
      heightOrigin: heights.origin, datum: heights.datum, target: target)
  }

  private func figures(
    about reference: LocationReport.Reference?, _ scatter: Scatter?, _ stops: StopSamples?,
    _ trips: TripLog
  ) -> ReceiverFigures? {
    guard var counter = figures else { return nil }
    counter.end(at: begin.seconds(to: end))
    counter.path.settle(trips.progress)
    var figures = ReceiverFigures(
      timeline: counter.timeline, columns: counter.columns, traces: counter.traces,
      obstructions: counter.obstructions, track: counter.path.track, profile: counter.path.profile)
    figures.serial = times.serial.histogram
    figures.pulses = times.pulses.histogram
    guard let plane else { return figures }
    figures.stops = trips.stops.map { stop in
      let (east, north) = plane.project(stop.coordinate)
      return PlanePoint(east: Float(east), north: Float(north))
    }
    guard let scatter else { return figures }
    if let stops {
      figures.positions = PositionFigures(
        of: stops.samples, columns: counter.columns, number: stops.numbers,
        origin: (0, 0, 0), mean: (0, 0), scatter: scatter)
      return figures
    }
    let mean = plane.project(scatter.center)
    let origin = reference.map { plane.project($0.coordinate) } ?? mean
    let height = height(of: reference) ?? scatter.centerHeight ?? heights.origin
    figures.positions = PositionFigures(
      of: samples, columns: counter.columns, number: { $0 * samples.step },
      origin: (origin.east, origin.north, height - heights.origin), mean: mean, scatter: scatter)
    return figures
  }

  private func centre(from origin: Coordinate) -> Coordinate? {
    if origin.isNearPole, let centre = polarSum.coordinate { return centre }
    let count = Double(samples.total)
    return Coordinate(
      latitude: origin.latitude + sums.latitude / count,
      longitude: (origin.longitude + sums.longitude / count).remainder(dividingBy: 360))
  }

  private func time(at moment: Moment) -> Timestamp? {
    clock.map { $0.time.advanced(by: $0.moment.duration(to: moment)) }
  }

  private mutating func beginOutage(_ next: LocationState, _ change: StateChange) {
    let fix = change.lastFix ?? latest?.fix
    isInterrupted = true
    outage = (
      ReceiverReport.Outage(
        from: change.time ?? time(at: change.moment), duration: .zero, position: fix?.coordinate,
        reason: change.loss?.rawValue ?? next.rawValue, satellitesUsed: fix?.satellitesUsed,
        strongestSignal: strongestSignal), change.moment
    )
  }

  private mutating func endOutage(at moment: Moment) {
    guard var ended = outage.take() else { return }
    outageCount += 1
    ended.outage.duration = ended.since.elapsed(to: moment)
    outages.append(ended.outage, keepingLongest: Self.maximumOutages, by: \.duration)
  }
}

extension Coordinate {
  /// Whether the mean of places is not that of their degrees. Farther away, the two differ by less than a millimetre
  /// for places within 10 m.
  fileprivate var isNearPole: Bool { latitude.magnitude > 89 }
}

extension Moment {
  fileprivate func seconds(to other: Moment) -> Double { duration(to: other).inSeconds }

  /// Returns the time from this moment to `other`; zero if `other` is earlier.
  fileprivate func elapsed(to other: Moment) -> Duration { max(.zero, duration(to: other)) }
}
