import LocationCore

extension Ending {
  /// The status that tells the caller of it.
  var exitStatus: ExitStatus {
    switch self {
    case .done, .ended, .output(.closed): .success
    case .cancelled: .interrupted
    case .timedOut: .timedOut
    case .failed(let error, _):
      switch error.code {
      case .unreachable, .unknownHost, .disconnected, .silent, .notAService, .noSuchReceiver:
        .unavailable
      case .timedOut, .locationUnknown: .timedOut
      case .cancelled: .interrupted
      case .unscripted: .fault
      }
    case .output(.cannotCreate), .output(.noRecording): .cannotCreate
    case .output(.cannotWrite): .cannotWrite
    }
  }

  /// What to tell the user; `nil` where there is nothing to tell.
  var words: String? {
    switch self {
    case .done, .ended, .cancelled, .output(.closed): nil
    case .timedOut(let words), .failed(_, let words): words
    case .output(let error): error.description
    }
  }
}
