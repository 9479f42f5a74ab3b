public import Foundation
public import LocationCore

extension LocationError: LocalizedError {
  /// The error's own words, in English: what `localizedDescription` shows.
  public var errorDescription: String? { description }
}
