public import GPSDLocation

extension GPSDLocationSource where Session == LibGPSSession {
  /// The receivers behind a real gpsd.
  ///
  /// - Parameters:
  ///   - device: Only this receiver, by its path on gpsd's machine; `nil` is every receiver.
  ///   - tally: Counts what comes in.
  public init(
    endpoint: GPSDEndpoint = GPSDEndpoint(), device: String? = nil, tally: GPSDTally? = nil
  ) {
    self.init(endpoint: endpoint, device: device, tally: tally, session: LibGPSSession())
  }
}
