/// A change of a receiver's presence in a region, or an error that is the reason why it stays unknown.
public struct RegionEvent: Hashable, Sendable {
  /// The region.
  public var region: Region
  /// The presence from now on.
  public var presence: RegionPresence
  /// The presence before. For the first event, this is ``RegionPresence/unknown``, or the presence that was assumed.
  public var previous: RegionPresence
  /// The fix that decided; `nil` if the presence becomes unknown.
  public var fix: LocationFix?
  /// Why the presence is unknown: the service is away, or it refuses the receiver; `nil` otherwise.
  public var error: LocationError?
  /// When the presence changed, or the error came.
  public var moment: Moment

  /// Creates an event.
  ///
  /// - Parameters:
  ///   - region: The region.
  ///   - presence: The presence from now on.
  ///   - previous: The presence before.
  ///   - fix: The fix that decided; `nil` if the presence becomes unknown.
  ///   - moment: When the presence changed.
  package init(
    _ region: Region, presence: RegionPresence, previous: RegionPresence, fix: LocationFix?,
    at moment: Moment
  ) {
    self.region = region
    self.presence = presence
    self.previous = previous
    self.fix = fix
    self.moment = moment
  }
}

extension RegionEvent: CustomStringConvertible {
  /// A text for logs and test failures, such as `harbour: outside > inside at 12.5 seconds`. Its format
  /// may change.
  public var description: String { "\(region.id): \(previous) > \(presence) at \(moment)" }
}

/// Whether a receiver is inside a region.
public enum RegionPresence: String, Hashable, Sendable, CaseIterable, Codable {
  /// No fix that counts has arrived yet, or none for the grace period.
  case unknown
  /// The receiver is inside.
  case inside
  /// The receiver is outside.
  case outside
}

extension RegionPresence: CustomStringConvertible {
  /// The raw value.
  public var description: String { rawValue }
}
