/// Finds out which of the times that a receiver reports agree with each other: those that advance as the time of their
/// reception does. They are an *era*, which is believed after three of them. There is more than one if a receiver
/// lies, if its clock is set, or if the machine slept.
package struct AgreeingTimes: Sendable {
  /// Times that agree.
  package struct Era: Sendable {
    /// What the receiver's clock showed at the beginning of the reception, by its last time.
    package fileprivate(set) var origin: Nanoseconds
    /// The earliest and the latest origin: two clocks drift apart.
    fileprivate var origins: ClosedRange<Nanoseconds>
    /// The first and the last time.
    package fileprivate(set) var times: ClosedRange<Timestamp>
    fileprivate var count = 1
    /// How long the receiver reported them.
    package fileprivate(set) var length = Nanoseconds.zero
    /// When the last one was received.
    package fileprivate(set) var latest: Nanoseconds

    fileprivate init(_ time: Timestamp, origin: Nanoseconds, at elapsed: Nanoseconds) {
      self.origin = origin
      origins = origin...origin
      times = time...time
      latest = elapsed
    }

    package var isBelieved: Bool { count >= 3 }

    /// Whether it is longer than another one.
    fileprivate func isLonger(than other: Era) -> Bool {
      (length, count) > (other.length, other.count)
    }

    /// Whether a time with an origin advances as the last time of the era did.
    fileprivate func agrees(with origin: Nanoseconds) -> Bool {
      (self.origin - origin).magnitude <= AgreeingTimes.tolerance
    }

    fileprivate func contains(origin: Nanoseconds) -> Bool {
      origin >= origins.lowerBound - AgreeingTimes.tolerance
        && origin <= origins.upperBound + AgreeingTimes.tolerance
    }
  }

  /// What a delay of the serial line, of gpsd and of the machine comes to at most.
  fileprivate static let tolerance = Nanoseconds.seconds(60)
  /// Times that are farther apart say nothing about the time in between.
  private static let maximumInterval = Nanoseconds.seconds(600)
  /// The maximum number of times that are compared.
  private static let maximumCount = 16

  /// In the order in which they began.
  package private(set) var eras: [Era] = []

  package init() {}

  /// Records a time.
  ///
  /// - Parameter elapsed: When it was received, by a clock that nobody sets.
  package mutating func record(_ time: Timestamp, at elapsed: Nanoseconds) {
    let origin = Nanoseconds(time.nanosecondsSince1970) - elapsed
    guard let index = eras.firstIndex(where: { $0.agrees(with: origin) }) else {
      if eras.count == Self.maximumCount { removeShortest() }
      return eras.append(Era(time, origin: origin, at: elapsed))
    }
    eras[index].origin = origin
    let (origins, times) = (eras[index].origins, eras[index].times)
    eras[index].origins = min(origins.lowerBound, origin)...max(origins.upperBound, origin)
    eras[index].times = min(times.lowerBound, time)...max(times.upperBound, time)
    eras[index].count += 1
    let interval = elapsed - eras[index].latest
    eras[index].length = eras[index].length + min(interval, Self.maximumInterval)
    eras[index].latest = elapsed
  }

  private mutating func removeShortest() {
    let shortest = eras.indices.min { eras[$1].isLonger(than: eras[$0]) }
    if let shortest { eras.remove(at: shortest) }
  }

  /// The longest era that is believed; `nil` if none is.
  package var longest: Era? {
    eras.filter(\.isBelieved).max { $1.isLonger(than: $0) }
  }

  /// Returns whether a reported time agrees with an era that is believed.
  package func believes(_ time: Timestamp, at elapsed: Nanoseconds) -> Bool {
    let origin = Nanoseconds(time.nanosecondsSince1970) - elapsed
    return eras.contains { $0.isBelieved && $0.agrees(with: origin) }
  }

  /// Returns the receiver's time at a moment: the reported time if it is believed, or else the time that follows from
  /// the latest believed times; `nil` if it cannot be known. A reported time is believed until another one contradicts
  /// it.
  package func time(_ told: Timestamp?, at elapsed: Nanoseconds) -> Timestamp? {
    if eras.count < 2, told != nil { return told }
    let believed = eras.filter(\.isBelieved)
    if let told {
      let origin = Nanoseconds(told.nanosecondsSince1970) - elapsed
      if believed.contains(where: { $0.contains(origin: origin) }) { return told }
    }
    return believed.max { $0.latest < $1.latest }
      .map { Timestamp(nanosecondsSince1970: ($0.origin + elapsed).count) }
  }
}
