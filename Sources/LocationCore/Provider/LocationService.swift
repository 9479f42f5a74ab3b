/// A service that answered for a provider's receivers, such as gpsd.
public struct LocationService: Hashable, Sendable, Codable {
  /// The name and version to show to people, such as `gpsd 3.22`.
  public var name: String

  /// Creates a service.
  ///
  /// - Parameter name: The name and version to show to people.
  public init(name: String) { self.name = name }
}

extension LocationService: CustomStringConvertible {
  /// The service's ``name``.
  public var description: String { name }
}
