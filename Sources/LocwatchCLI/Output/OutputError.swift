/// Why output could not be written.
enum OutputError: Error, Equatable {
  /// Whoever read it is gone, and that is no fault.
  case closed
  case cannotCreate(path: String, reason: String)
  /// A recording is not appended to a file of another kind.
  case noRecording(path: String)
  case cannotWrite(path: String, reason: String)
}

extension OutputError: CustomStringConvertible {
  var description: String {
    switch self {
    case .closed: "nobody reads the output"
    case .cannotCreate(let path, let reason): "cannot create \(path): \(reason)"
    case .noRecording(let path):
      "cannot record to \(path): it has something else in it than a recording"
    case .cannotWrite(let path, let reason): "cannot write to \(path): \(reason)"
    }
  }
}
