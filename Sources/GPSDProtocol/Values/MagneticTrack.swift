import LocationCore

extension LocationFix {
  /// Corrects a magnetic course that gpsd computed with the wrong sign.
  ///
  /// A variation to the east makes a magnetic course smaller: it is the true course minus the
  /// variation. Up to 3.27, gpsd adds the two if a receiver reports no magnetic course itself. Such a
  /// sum is replaced; any other course is the receiver's.
  mutating func correctMagneticTrack() {
    guard let magtrack, let magvar, magvar != 0, let track else { return }
    let difference = abs(magtrack - (track + magvar))
    // gpsd rounds each of the numbers, and brings the sum back into the circle.
    guard min(difference, abs(difference - 360)) <= 0.1 + 1e-9 else { return }
    let course = (track - magvar).truncatingRemainder(dividingBy: 360)
    let rounded = ((course < 0 ? course + 360 : course) * 10_000).rounded() / 10_000
    self.magtrack = rounded < 360 ? rounded : 0
  }
}
