import LocationCore

extension LocationError {
  /// The error of a conversation with gpsd, as one of its provider.
  package init(_ error: GPSDError) {
    let code: Code =
      switch error.code {
      case .invalidEndpoint, .cannotConnect: .unreachable
      case .unknownHost: .unknownHost
      case .cannotSend, .cannotRead, .notConnected, .hungUp: .disconnected
      case .cancelled: .cancelled
      case .unscripted: .unscripted
      }
    self.init(code, number: error.number, error.detail)
  }
}
