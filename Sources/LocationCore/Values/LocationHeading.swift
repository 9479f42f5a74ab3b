/// The direction in which a compass or a receiver with two antennas points. The direction of motion is
/// ``LocationFix/track``.
///
/// A heading out of range and a negative accuracy are stored as `nil`.
public struct LocationHeading: Hashable, Sendable {
  /// Degrees east of true north, 0 to less than 360; `nil` if the sensor does not report it and the magnetic
  /// variation is unknown.
  public var trueHeading: Double? { didSet { trueHeading = Self.normalized(trueHeading) } }
  /// Degrees east of magnetic north, 0 to less than 360; `nil` if the sensor does not report it and the magnetic
  /// variation is unknown.
  public var magneticHeading: Double? {
    didSet { magneticHeading = Self.normalized(magneticHeading) }
  }
  /// The estimated error of the headings, in degrees; `nil` if unknown. gpsd reports none.
  public var accuracy: Double? { didSet { accuracy = accuracy.within(.magnitude) } }
  /// The sensor's path; `nil` if the service names none.
  public var device: String?
  /// The time of the heading by the sensor's clock; `nil` if unknown.
  public var time: Timestamp?
  /// When this machine received the heading, by its own clock; `nil` if unknown.
  public var received: Timestamp?

  /// Creates a heading. If one of the two headings is `nil`, it is computed from the other if the variation is known:
  /// the true heading is the magnetic heading plus the variation.
  ///
  /// - Parameters:
  ///   - trueHeading: Degrees east of true north, 0 to 360; other numbers count as `nil`.
  ///   - magneticHeading: Degrees east of magnetic north, 0 to 360; other numbers count as `nil`.
  ///   - variation: The magnetic variation, such as ``LocationFix/magvar``, in degrees; positive is east.
  ///   - accuracy: The estimated error, in degrees; `nil` if unknown. A negative one counts as unknown.
  ///   - device: The sensor's path; `nil` if the service names none.
  ///   - time: The time of the heading by the sensor's clock; `nil` if unknown.
  ///   - received: When this machine received the heading; `nil` if unknown.
  /// - Returns: `nil` if neither heading is known.
  public init?(
    trueHeading: Double? = nil, magneticHeading: Double? = nil, variation: Double? = nil,
    accuracy: Double? = nil, device: String? = nil, time: Timestamp? = nil,
    received: Timestamp? = nil
  ) {
    let fromTrue = Self.normalized(trueHeading)
    let fromMagnetic = Self.normalized(magneticHeading)
    guard fromTrue != nil || fromMagnetic != nil else { return nil }
    self.trueHeading = fromTrue ?? Self.sum(fromMagnetic, variation)
    self.magneticHeading = fromMagnetic ?? Self.sum(fromTrue, variation.map { -$0 })
    self.accuracy = accuracy.within(.magnitude)
    self.device = device
    self.time = time
    self.received = received
  }

  private static func normalized(_ heading: Double?) -> Double? {
    guard let heading = heading.within(.azimuth) else { return nil }
    return heading == 360 ? 0 : heading
  }

  private static func sum(_ heading: Double?, _ variation: Double?) -> Double? {
    guard let heading, let variation, variation.isFinite else { return nil }
    let sum = (heading + variation).truncatingRemainder(dividingBy: 360)
    return normalized(sum < 0 ? sum + 360 : sum)
  }
}

extension LocationHeading: CustomStringConvertible {
  /// A text for logs and test failures, such as `142.3 true, 138.8 magnetic`. Its format may change.
  public var description: String {
    [trueHeading.map { "\($0) true" }, magneticHeading.map { "\($0) magnetic" }]
      .compactMap(\.self).joined(separator: ", ")
  }
}
