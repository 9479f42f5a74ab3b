import GPSDLocation
import GPSDProtocol
import LocationCore
import LocationFormats
import LocwatchReceivers
import LocwatchSystem

// How sources are read.
extension Options {
  /// Whether to try again when gpsd cannot be reached or goes away.
  var reconnects: Bool { reconnect ?? !goal.once }

  /// The classes of gpsd's reports that are requested. A report and a view show how late times arrive.
  var requestedClasses: Set<ServiceReport.Kind> {
    let shown = classes.union(neededClasses)
    return report == nil && serve == nil && !view ? shown : shown.union([.toff, .pps])
  }

  /// Whether satellites are listed, instead of only counted.
  var requestsSatellites: Bool {
    satellites || needsSatellites || report?.form == .page || serve != nil
      || [.nmea, .prometheus].contains(format)
  }

  /// Returns when a connection that failed is tried again. A recording is never read again after an error, because
  /// the error would be the same.
  func retries(_ policy: RetryPolicy) -> RetryPolicy {
    reconnects && !isReplay ? policy : .never
  }

  /// Returns the updates of a source, as the run needs them.
  func updates(of source: some LocationProvider, retries: RetryPolicy) -> LocationUpdates {
    var request = LocationRequest(desiredAccuracy: criteria.request.desiredAccuracy)
    request.correctsDates = criteria.request.correctsDates
    return source.updates(
      staleAfter: stale, retries: self.retries(retries), unfilteredFor: request)
  }
}

// MARK: - Several sources

extension Options {
  /// The name of one of several sources; `nil` for one without a name, and for the only source.
  var memberName: String? { isOfFleet ? source : nil }

  /// Returns the options of one of several sources.
  ///
  /// - Parameter name: Its name; `nil` if it has none of its own.
  func ofMember(named name: String?) -> Options {
    var options = self
    options.isOfFleet = true
    if let name { options.source = name }
    return options
  }

  /// Returns the options of one of several sources, with its own target.
  func member(_ target: NamedTarget) -> Options {
    var options = ofMember(named: target.name)
    options.target = target.target
    if case .gpsd(_, let device) = target.target { options.device = device }
    return options
  }
}
