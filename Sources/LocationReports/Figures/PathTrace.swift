import LocationCore

/// The track of a receiver, and its speed and height over the distance, in limited memory.
///
/// A leg is known only some time after it began. The samples of a stop therefore wait until it is certain that they
/// belong to the stop, or until the leg is known.
struct PathTrace: Sendable {
  struct Sample: Sendable {
    fileprivate let moment: Moment
    /// The place, and the speed if the receiver measured it.
    fileprivate var point: TrackTrace.Point
    /// Metres above mean sea level; `nil` if it is unknown.
    fileprivate let height: Double?
    /// How far the receiver has come if it has left its stop, in metres.
    fileprivate var way = 0.0

    /// - Parameters:
    ///   - place: Metres from the first position.
    ///   - silence: How long there was no position before this one, in seconds; `nil` if a line connects both.
    init(
      _ fix: LocationFix, at moment: Moment, _ place: (east: Double, north: Double),
      silence: Double?
    ) {
      self.moment = moment
      point = TrackTrace.Point(
        east: Float(place.east), north: Float(place.north), speed: fix.speed.map(Float.init) ?? -1,
        isStart: silence != nil, silence: Float(silence ?? 0))
      height = fix.mode == .fix3D ? fix.altitude : nil
    }
  }

  /// The maximum number of samples that wait. When there are more, every other one is dropped.
  private static let maximumWaiting = 1024

  private(set) var track = TrackTrace()
  /// Speed and height over the distance. Columns are in metres instead of seconds.
  private(set) var profile = FigureColumns()
  private var waiting: [Sample] = []

  /// Adds the sample of the last fix of a trip.
  mutating func add(_ sample: Sample, of trip: TripProgress) {
    guard let left = trip.ifLeft else {
      if !waiting.isEmpty { settle(trip) }
      return record(sample, way: trip.way, pace: trip.pace)
    }
    if waiting.count == Self.maximumWaiting {
      waiting = stride(from: 0, to: waiting.count, by: 2).map { waiting[$0] }
    }
    waiting.append(sample)
    waiting[waiting.count - 1].way = left.way
    if waiting[0].moment <= left.since { settle(trip, until: left.since) }
  }

  /// Records the samples that wait, where they are on the way if it is known now.
  ///
  /// - Parameter moment: Later samples continue to wait; `nil` if none do.
  mutating func settle(_ trip: TripProgress, until moment: Moment? = nil) {
    let count = moment.flatMap { end in waiting.firstIndex { $0.moment > end } } ?? waiting.count
    for sample in waiting[..<count] {
      record(sample, way: min(sample.way, trip.way), pace: trip.pace)
    }
    waiting.removeFirst(count)
  }

  private mutating func record(_ sample: Sample, way: Double, pace: Double?) {
    var point = sample.point
    if point.speed < 0, let pace { point.speed = Float(pace) }
    track.add(point)
    let column = profile.column(at: way)
    profile.addFix(in: column, afterOutage: point.isStart)
    profile.add(point.speed < 0 ? nil : Double(point.speed), to: .speed, in: column)
    profile.add(sample.height, to: .height, in: column)
  }
}
