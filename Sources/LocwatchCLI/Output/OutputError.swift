/// Why output could not be written.
enum OutputError: Error, Equatable {
  /// Whoever read it is gone, and that is no fault.
  case closed
  case cannotCreate(path: String, reason: String)
  case cannotWrite(path: String, reason: String)
}

extension OutputError: CustomStringConvertible {
  var description: String {
    switch self {
    case .closed: "nobody reads the output"
    case .cannotCreate(let path, let reason): "cannot create \(path): \(reason)"
    case .cannotWrite(let path, let reason): "cannot write to \(path): \(reason)"
    }
  }
}
