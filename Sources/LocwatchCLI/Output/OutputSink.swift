import LocationCore

/// Buffers rendered records and writes them to a descriptor.
///
/// In live use it never waits for the reader: bytes that cannot be written stay in the buffer until
/// the next flush. A replay waits for the reader and loses nothing.
struct OutputSink {
  /// With more pending bytes than this, live transitions are dropped. Only a stopped terminal is so
  /// far behind.
  private static let maximumPending = 1024 * 1024
  /// So many bytes are written at once. It is half of a pipe's capacity, so that the reader can
  /// work while more is rendered.
  static let worthWriting = 32 * 1024

  /// The buffer to which records are appended.
  var text = TextBuffer()

  private let descriptor: Descriptor
  private let waitsForReader: Bool
  private var written = 0
  /// The position of the next record in a file that always ends with a trailer.
  private var place: Int?
  /// The trailer at this position now.
  private var closing: [UInt8] = []

  /// - Parameters:
  ///   - waitsForReader: Whether to wait for a slow reader, as a replay does.
  init(_ descriptor: Descriptor, waitsForReader: Bool) {
    self.descriptor = descriptor
    self.waitsForReader = waitsForReader
    place = descriptor.positionInFile
  }

  var isEmpty: Bool { written == text.count }
  /// Whether bytes were left over from the last flush.
  private(set) var isBlocked = false
  /// The descriptor if its reader is behind.
  var blockedOutput: Descriptor? { isBlocked ? descriptor : nil }
  var isWorthWriting: Bool { text.count - written >= Self.worthWriting }
  /// Whether the file always ends with a trailer.
  var keepsDocumentClosed: Bool { place != nil }

  /// Returns whether there is room for another update. Only transitions accumulate here.
  func hasRoom(for update: LocationUpdate) -> Bool {
    guard case .state = update, !waitsForReader else { return true }
    return text.count - written <= Self.maximumPending
  }

  /// Writes what can be written.
  ///
  /// - Parameters:
  ///   - trailer: The text that closes the document after these records.
  ///   - isCancelled: Whether to stop waiting for the reader.
  mutating func flush(
    trailer: String, isCancelled: () -> Bool = { Task.isCancelled }
  ) throws(OutputError) {
    if !trailer.isEmpty, let place {
      try writeDocument(trailer, at: place)
      return
    }
    defer { isBlocked = !isEmpty }
    while written < text.count {
      switch descriptor.writeNow(text.bytes[written...]) {
      case .wrote(let count): written += count
      case .notNow:
        guard waitsForReader, !isCancelled() else { return tidy() }
        _ = descriptor.isWritable(within: 100)
      case .failed(let error):
        descriptor.cutTornRecord(of: text.bytes[..<written])
        throw error
      }
    }
    tidy()
  }

  /// Writes the rest.
  ///
  /// - Parameter waitsForReader: Whether to wait for a slow reader until the task is cancelled,
  ///   rather than for half a second.
  mutating func finish(waitsForReader: Bool) throws(OutputError) {
    var turns = 0
    while !isEmpty, turns < 10 || (waitsForReader && !Task.isCancelled) {
      try flush(trailer: "", isCancelled: { true })
      if !isEmpty { _ = descriptor.isWritable(within: 50) }
      turns += 1
    }
  }

  /// Writes records and trailer at once, so that the file is a complete document before and after.
  private mutating func writeDocument(_ trailer: String, at place: Int) throws(OutputError) {
    let length = text.count
    text.append(text: trailer)
    while written < text.count {
      switch descriptor.write(text.bytes[written...], at: place + written) {
      case .wrote(let count): written += count
      case .notNow: continue
      case .failed(let error):
        reopenDocument(at: place)
        throw error
      }
    }
    closing = Array(trailer.utf8)
    self.place = place + length
    // Another process that shares the file continues after the document.
    descriptor.move(to: place + written)
    tidy()
  }

  /// Restores the document after an incomplete write to a full disk.
  private func reopenDocument(at place: Int) {
    guard case .wrote = descriptor.write(closing[...], at: place) else { return }
    descriptor.truncate(to: place + closing.count)
  }

  private mutating func tidy() {
    if written == text.count {
      text.removeAll()
      written = 0
    } else if written > Self.worthWriting {
      text.removeFirst(written)
      written = 0
    }
  }
}

/// Why output could not be written.
enum OutputError: Error, Equatable {
  /// The reader closed the output, which is not an error.
  case closed
  case cannotCreate(path: String, reason: String)
  /// The file contains something other than a recording.
  case noRecording(path: String)
  case cannotWrite(path: String, reason: String)
}

extension OutputError {
  /// The exit status for this error.
  var exitStatus: ExitStatus {
    switch self {
    case .closed: .success
    case .cannotCreate, .noRecording: .cannotCreate
    case .cannotWrite: .cannotWrite
    }
  }
}

extension OutputError: CustomStringConvertible {
  var description: String {
    switch self {
    case .closed: "the output was closed by its reader"
    case .cannotCreate(let path, let reason): "cannot create \(path): \(reason)"
    case .noRecording(let path):
      "cannot record to \(path): it is not empty, and not a recording"
    case .cannotWrite(let path, let reason): "cannot write to \(path): \(reason)"
    }
  }
}
