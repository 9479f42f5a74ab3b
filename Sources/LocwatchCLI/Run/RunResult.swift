import LocationCore
import LocwatchReceivers
import LocwatchSystem

/// How a source, or the last of several, ended.
enum RunResult {
  /// The requested output was written.
  case done
  /// The provider has no more updates: a replay is over.
  case ended
  /// A signal ended it.
  case cancelled
  /// No suitable fix arrived by the deadline. The message says what is missing.
  case timedOut(Message)
  /// The provider failed and is not tried again.
  case failed(LocationError, Message)
  case output(OutputError)

  /// Whether the output failed.
  var isOfOutput: Bool { if case .output = self { true } else { false } }

  /// Whether the run succeeded or was cancelled.
  var isGood: Bool {
    switch self {
    case .done, .ended, .cancelled: true
    case .timedOut, .failed, .output: false
    }
  }
}

extension RunResult {
  /// Returns the result of a run whose output could not be finished. If the reader has gone away, any other
  /// failure is more important.
  func unfinished(_ error: OutputError) -> RunResult {
    isGood || error != .closed ? .output(error) : self
  }

  /// The exit status.
  var exitStatus: ExitStatus {
    switch self {
    case .done, .ended: .success
    case .cancelled: .interrupted
    case .timedOut: .timedOut
    case .failed(let error, _):
      switch error.code {
      case .unreachable, .unknownHost, .disconnected, .silent, .notAService, .noSuchReceiver:
        .unavailable
      case .cannotOpen: .noInput
      case .timedOut, .locationUnknown: .timedOut
      case .cancelled: .interrupted
      default: .fault
      }
    case .output(let error): error.exitStatus
    }
  }

  /// Replaces the message of a failure.
  mutating func replaceMessage(_ message: Message) {
    switch self {
    case .timedOut: self = .timedOut(message)
    case .failed(let error, _): self = .failed(error, message)
    case .done, .ended, .cancelled, .output: break
    }
  }

  /// The error message; `nil` if there is none.
  var message: Message? {
    switch self {
    case .done, .ended, .cancelled, .output(.closed): nil
    case .timedOut(let message), .failed(_, let message): message
    case .output(let error): "\(error)"
    }
  }
}
