import GPSDLocation

/// Returns the message of the `GPSDError` that a call throws.
func detail(of call: () async throws -> Void) async -> String? {
  do {
    try await call()
    return nil
  } catch {
    return (error as? GPSDError)?.detail
  }
}
