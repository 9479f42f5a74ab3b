// What an article uses of Core Location and Foundation, declared as on Apple's systems.

public struct Date: Sendable {
  public var timeIntervalSince1970: Double { fatalError() }
}

public struct CLLocationCoordinate2D: Sendable {
  public var latitude: Double
  public var longitude: Double
}

open class CLLocationSourceInformation: @unchecked Sendable {
  open var isSimulatedBySoftware: Bool { fatalError() }
}

open class CLLocation: @unchecked Sendable {
  open var coordinate: CLLocationCoordinate2D { fatalError() }
  open var altitude: Double { fatalError() }
  open var ellipsoidalAltitude: Double { fatalError() }
  open var horizontalAccuracy: Double { fatalError() }
  open var verticalAccuracy: Double { fatalError() }
  open var course: Double { fatalError() }
  open var courseAccuracy: Double { fatalError() }
  open var speed: Double { fatalError() }
  open var speedAccuracy: Double { fatalError() }
  open var timestamp: Date { fatalError() }
  open var sourceInformation: CLLocationSourceInformation? { fatalError() }
}

public struct CLLocationUpdate: Sendable {
  public let location: CLLocation?
  public let authorizationDenied: Bool
  public let authorizationDeniedGlobally: Bool
  public let authorizationRestricted: Bool

  public static func liveUpdates() -> Updates { fatalError() }

  public struct Updates: AsyncSequence, Sendable {
    public typealias Element = CLLocationUpdate

    public func makeAsyncIterator() -> Iterator { fatalError() }

    public struct Iterator: AsyncIteratorProtocol {
      public mutating func next() async throws -> CLLocationUpdate? { fatalError() }
    }
  }
}
