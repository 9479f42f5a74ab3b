import Glibc
import LocationCore
import LocationFormats
import LocwatchRecordings
import LocwatchSystem

/// A file that a command line names, and the argument that names it.
private struct NamedFile {
  /// The argument, such as `--output drive.gpx`.
  let name: String
  /// `nil` for anything but a file.
  let identity: FileIdentity?

  init(_ option: Option.Name, _ path: FilePath) {
    name = "--\(option.rawValue) \(path)"
    identity = FileIdentity(of: path)
  }

  init(_ name: String, _ descriptor: CInt) {
    self.name = name
    identity = FileIdentity(of: descriptor)
  }

  /// Returns the files that a path names: one file, or a folder with its recordings.
  static func all(_ option: Option.Name, _ path: FilePath) -> [NamedFile] {
    let recordings = path.isFolder ? (try? RecordingFolder.files(in: path)) ?? [] : []
    return ([path] + recordings).map { NamedFile(option, $0) }
  }
}

extension Options {
  /// The files that are read.
  private var inputs: [NamedFile] {
    replays.flatMap { path in
      path.isStandardStream
        ? [NamedFile("standard input", STDIN_FILENO)] : NamedFile.all(.replay, path)
    }
  }

  /// The files that are written.
  private var outputs: [NamedFile] {
    var outputs: [NamedFile] = []
    if let record, !recordsToOutput { outputs += NamedFile.all(.record, record) }
    if let report, !report.replacesOutput { outputs.append(NamedFile(.report, report.path)) }
    outputs.append(
      outputFile.map { NamedFile(.output, $0) } ?? NamedFile("standard output", STDOUT_FILENO))
    return outputs
  }

  /// Throws if a file would be written that is also read, or also written by another option, even if the
  /// options use different names of the file.
  func refuseSharedFiles() throws(UsageError) {
    var names: [FileIdentity: String] = [:]
    for input in inputs {
      if let identity = input.identity { names[identity] = names[identity] ?? input.name }
    }
    for output in outputs {
      guard let identity = output.identity else { continue }
      if let other = names.updateValue(output.name, forKey: identity) {
        throw UsageError("\(other) and \(output.name) are the same file")
      }
    }
  }
}

extension Options {
  /// Why one of the files cannot be written; `nil` if nothing is known to prevent it. Nothing is created
  /// or changed.
  var outputObstacle: OutputError? {
    let obstacle: OutputError? =
      if let record, !recordsToOutput {
        record.isFolder ? record.obstacleToFolder : record.obstacle(isReplaced: false)
      } else {
        nil
      }
    if let obstacle { return obstacle }
    if let file = report, !file.replacesOutput,
      let obstacle = file.path.obstacle(isReplaced: true)
    {
      return obstacle
    }
    return switch display {
    case .none, .view: nil
    case .snapshot(let path): path.obstacle(isReplaced: true)
    case .legs(let path): path.obstacleToFolder
    case .records(let file): file?.obstacle(isReplaced: false)
    }
  }
}

extension FilePath {
  /// Why the file cannot be written; `nil` if nothing is known to prevent it.
  ///
  /// - Parameter isReplaced: Whether the file is replaced atomically, so that its folder must be writable.
  fileprivate func obstacle(isReplaced: Bool) -> OutputError? {
    let file = followingLinks
    let number =
      switch file.fileType {
      case S_IFDIR: EISDIR
      case S_IFREG where isReplaced: file.folder.errorOfAccess(W_OK | X_OK)
      case 0: bytes.last == UInt8(ascii: "/") ? EISDIR : file.folder.errorOfAccess(W_OK | X_OK)
      default: errorOfAccess(W_OK)
      }
    return number == 0 ? nil : .cannotCreate(path: description, reason: systemText(number))
  }

  /// Why files cannot be created in the folder, or the folder itself; `nil` if nothing is known to
  /// prevent it.
  fileprivate var obstacleToFolder: OutputError? {
    let folder = fileType == 0 ? folder : self
    let number = folder.errorOfAccess(W_OK | X_OK)
    return number == 0 ? nil : .cannotCreate(path: description, reason: systemText(number))
  }

  /// The error number with which the system forbids an access; 0 if it permits it.
  private func errorOfAccess(_ mode: CInt) -> CInt {
    unsafe withCString { unsafe faccessat(AT_FDCWD, $0, mode, AT_EACCESS) } == 0 ? 0 : errno
  }
}
