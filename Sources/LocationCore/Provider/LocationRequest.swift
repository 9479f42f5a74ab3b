/// A reader's request to a provider.
///
/// Updates are filtered by the request in any case. A provider may use it to save work, and a fake
/// records it.
public struct LocationRequest: Hashable, Sendable {
  /// The minimum mode of a fix; ``FixMode/fix3D`` leaves out fixes without a height.
  public var minimumMode: FixMode
  /// The minimum quality of a fix, in the order ``FixQuality/gps``, ``FixQuality/dgps``, ``FixQuality/rtkFloat``,
  /// ``FixQuality/rtkFixed``; `nil` for any. An unknown quality counts as ``FixQuality/gps``; other qualities, such
  /// as ``FixQuality/simulated``, are left out.
  public var minimumQuality: FixQuality?
  /// The largest ``LocationFix/horizontalError`` of a fix, in metres; `nil` for any.
  ///
  /// This is a filter, not a request to the receiver as in Core Location: fixes that are less accurate, or whose
  /// accuracy is unknown, are left out.
  ///
  /// A negative number and NaN count as 0, which no receiver claims. Core Location's constants, such as
  /// `kCLLocationAccuracyBest`, are negative: leave out the accuracy instead.
  public var desiredAccuracy: Double? { didSet { desiredAccuracy = desiredAccuracy?.asLimit } }
  /// Whether fixes with ``LocationFix/doubts`` are left out, and those whose own time contradicts the local clock.
  public var onlyBelieved: Bool
  /// Whether to correct the dates of a receiver whose firmware is so old that they are off by a multiple of 1,024
  /// weeks. `LocationFix.dateCorrection` reports a correction.
  ///
  /// A date is corrected only if the kernel reports that the local clock is synchronised (adjtimex), and the two
  /// times otherwise agree to within seconds. Only a `GPSDLocationSource` of LibGPS with its own clock asks the kernel.
  /// In a replay, the receive times of the recording are used instead of the clock; without them, nothing is corrected.
  package var correctsDates = false
  /// The minimum distance between two fixes of a receiver, in metres; `nil` for any. A fix that is closer to the
  /// previous one is left out. A negative number and NaN count as 0.
  public var distanceFilter: Double? { didSet { distanceFilter = distanceFilter?.asLimit } }
  /// The kinds of reports to pass on as ``LocationEvent/other(_:)``, in addition to those that the provider always
  /// passes on.
  public var reports: Set<ServiceReport.Kind>

  /// Creates a request. By default, it asks for every fix.
  ///
  /// - Parameters:
  ///   - minimumMode: The minimum mode of a fix.
  ///   - minimumQuality: The minimum quality of a fix; `nil` for any.
  ///   - desiredAccuracy: The largest ``LocationFix/horizontalError`` of a fix, in metres; `nil` for any.
  ///   - onlyBelieved: Whether doubted fixes are left out.
  ///   - distanceFilter: The minimum distance between two fixes of a receiver, in metres; `nil` for any.
  ///   - reports: The kinds of reports to pass on as ``LocationEvent/other(_:)``.
  public init(
    minimumMode: FixMode = .fix2D, minimumQuality: FixQuality? = nil,
    desiredAccuracy: Double? = nil, onlyBelieved: Bool = false, distanceFilter: Double? = nil,
    reports: Set<ServiceReport.Kind> = []
  ) {
    self.minimumMode = minimumMode
    self.minimumQuality = minimumQuality
    self.desiredAccuracy = desiredAccuracy?.asLimit
    self.onlyBelieved = onlyBelieved
    self.distanceFilter = distanceFilter?.asLimit
    self.reports = reports
  }
}

extension LocationRequest: CustomStringConvertible {
  /// A text for logs and test failures, such as `accuracy 100.0 m, distance 10.0 m`, or `any fix`. Its
  /// format may change.
  public var description: String {
    let parts = [
      minimumMode == .fix2D ? nil : "mode \(minimumMode)", minimumQuality.map { "quality \($0)" },
      desiredAccuracy.map { "accuracy \($0) m" }, onlyBelieved ? "believed" : nil,
      correctsDates ? "dates corrected" : nil,
      distanceFilter.map { "distance \($0) m" },
      reports.isEmpty ? nil : "reports \(reports.map(\.rawValue).sorted())",
    ].compactMap(\.self)
    return parts.isEmpty ? "any fix" : parts.joined(separator: ", ")
  }
}
