package import GPSDLocation

/// A gpsd to connect to.
package struct LiveTarget: Sendable {
  package let endpoint: GPSDEndpoint
  package let device: String?
  /// What was started for the target; `nil` for a gpsd that runs.
  package var reader: Reader?
  /// The corrections of its receiver; `nil` for none.
  package var corrections: CorrectionsLink?
  /// Called when the target is no longer read.
  var didEnd: @Sendable () -> Void = {}

  package init(
    endpoint: GPSDEndpoint, device: String?, reader: Reader? = nil,
    corrections: CorrectionsLink? = nil, didEnd: @escaping @Sendable () -> Void = {}
  ) {
    self.endpoint = endpoint
    self.device = device
    self.reader = reader
    self.corrections = corrections
    self.didEnd = didEnd
  }

  /// A private gpsd, and its receiver.
  package enum Reader: Sendable {
    case serial(PrivateDaemon)
    case network(NetworkReceiver)
  }

  /// Stops what was started for the target.
  package func end() {
    switch reader {
    case .serial(let daemon): daemon.stop()
    case .network(let receiver): receiver.stop()
    case nil: break
    }
    corrections?.stop()
    didEnd()
  }
}
