/// Why output could not be written.
package enum OutputError: Error, Equatable {
  /// The reader closed the output, which is not an error.
  case closed
  case cannotCreate(path: String, reason: String)
  /// Nobody has opened the named pipe for reading yet.
  case noReader(path: String)
  /// The file contains something other than a recording.
  case noRecording(path: String)
  /// Another run writes to the file.
  case inUse(path: String)
  case cannotWrite(path: String, reason: String)
}

extension OutputError {
  /// The exit status for this error.
  package var exitStatus: ExitStatus {
    switch self {
    case .closed: .success
    case .cannotCreate, .noReader, .noRecording, .inUse: .cannotCreate
    case .cannotWrite: .cannotWrite
    }
  }
}

extension OutputError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .closed: "the output was closed by its reader"
    case .cannotCreate(let path, let reason): "cannot create \(path): \(reason)"
    case .noReader(let path): "cannot write to \(path): nobody reads it"
    case .noRecording(let path):
      "cannot record to \(path): it is not empty, and not a recording"
    case .inUse(let path): "cannot write to \(path): another process writes to it"
    case .cannotWrite(let path, let reason): "cannot write to \(path): \(reason)"
    }
  }
}
