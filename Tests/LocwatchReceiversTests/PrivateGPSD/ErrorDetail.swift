import GPSDLocation
import LocationCore

/// Returns the message of the `LocationError` that a call throws.
func detail(of call: () async throws -> Void) async -> String? {
  do {
    try await call()
    return nil
  } catch {
    return (error as? LocationError)?.detail
  }
}
