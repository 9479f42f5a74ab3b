import LocationCore

/// How a run ended.
enum Ending: Error {
  /// What was asked for was written.
  case done
  /// The provider has no more to report: a replay is over.
  case ended
  /// A signal ended it.
  case cancelled
  /// The words say how far the chain got.
  case timedOut(String)
  /// The provider failed, and is not tried again.
  case failed(LocationError, String)
  case output(OutputError)

  /// Whether nothing went wrong.
  var isGood: Bool {
    switch self {
    case .done, .ended, .cancelled: true
    case .timedOut, .failed, .output: false
    }
  }
}
