public import GPSDLocation

extension GPSDLocationSource where Session == LibGPSSession {
  /// The receivers behind a real gpsd.
  ///
  /// - Parameters:
  ///   - endpoint: Where gpsd listens; by default on this machine.
  ///   - device: Only this receiver, by its path on gpsd's machine; `nil` is every receiver.
  ///   - tally: Counts what comes in; `nil` where nobody wants to know.
  public init(
    endpoint: GPSDEndpoint = GPSDEndpoint(), device: String? = nil, tally: GPSDTally? = nil
  ) {
    self.init(endpoint: endpoint, device: device, tally: tally, session: LibGPSSession())
  }
}
