/// What makes a stop: how far a receiver may wander in it, and how long it lasts at least.
public struct StopCriteria: Hashable, Sendable, Codable {
  /// The radius of the place of a stop, in metres. A receiver that goes half as far again from its middle has
  /// left.
  public var radius: Double
  /// The least length of a stop.
  public var duration: Duration

  /// Creates criteria.
  ///
  /// - Parameters:
  ///   - radius: In metres; more than zero.
  ///   - duration: More than zero.
  public init(radius: Double = 50, duration: Duration = .seconds(120)) {
    self.radius = radius
    self.duration = duration
  }

  /// How far from the middle of a stop a receiver has left it, in metres.
  package var reach: Double { 1.5 * radius }
}
