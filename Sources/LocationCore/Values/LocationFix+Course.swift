extension LocationFix {
  /// The speed below which the course of a receiver that does not report the error of its speed is noise, in m/s:
  /// data sheets of receivers give an accuracy of their velocity of 0.05 to 0.1 m/s.
  private static let uncertainSpeed = 0.1
  /// The speed above which a course is a measurement, whatever the claimed error of the speed, in m/s. For a
  /// receiver that reports no error, gpsd derives several metres per second from the position.
  private static let maximumUncertainSpeed = 0.5

  /// Whether ``track`` and the magnetic track are noise: the receiver moves more slowly than the error of its speed
  /// (`eps`, or else 0.1 m/s), and than 0.5 m/s. The direction of a velocity that is smaller than its error can be
  /// any.
  package var isCourseNoise: Bool {
    guard let speed else { return false }
    return speed < min(self[.eps] ?? Self.uncertainSpeed, Self.maximumUncertainSpeed)
  }
}
