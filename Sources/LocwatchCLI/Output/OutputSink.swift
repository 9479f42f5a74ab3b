import LocationCore

/// Rendered records on their way to a descriptor, whole records only.
///
/// In live use it never waits for a reader: what does not go at once stays here, up to
/// ``mostPending`` bytes, and is tried again. A replay waits instead, and loses nothing.
struct OutputSink {
  /// Beyond so many bytes a live fix is dropped, for its reader is more than a thousand fixes behind.
  private static let mostPending = 256 * 1024
  /// Transitions are let in for longer: a reader that misses one takes for current what is not.
  private static let mostPendingTransitions = 1024 * 1024
  /// So many bytes are worth a write of their own: half of what a pipe holds, so that its reader has
  /// something to do while more is rendered.
  static let worthWriting = 32 * 1024

  /// Where records are appended.
  var text = TextBuffer()

  private let descriptor: Descriptor
  private let waitsForReader: Bool
  private var written = 0
  /// Where the next record goes in a file that is closed by a trailer at every instant.
  private var place: Int?
  /// The trailer that stands there now.
  private var closing: [UInt8] = []

  /// - Parameters:
  ///   - waitsForReader: Whether to wait for a slow reader; it makes gpsd wait in turn.
  init(_ descriptor: Descriptor, waitsForReader: Bool) {
    self.descriptor = descriptor
    self.waitsForReader = waitsForReader
    place = descriptor.positionInFile
  }

  var isEmpty: Bool { written == text.count }
  /// Whether the reader did not take all of the last flush.
  private(set) var isBlocked = false
  var isWorthWriting: Bool { text.count - written >= Self.worthWriting }
  /// Whether the document in the file is closed already, as it stands.
  var keepsDocumentClosed: Bool { place != nil }

  /// Whether there is room for another record.
  func hasRoom(for update: LocationUpdate) -> Bool {
    if waitsForReader { return true }
    let pending = text.count - written
    return switch update {
    case .state: pending <= Self.mostPendingTransitions
    case .fix, .retry, .report: pending <= Self.mostPending
    }
  }

  /// Writes what can be written.
  ///
  /// - Parameters:
  ///   - trailer: What closes the document behind these records.
  ///   - isCancelled: Asked while waiting for a reader.
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

  /// Writes what is left.
  ///
  /// - Parameter waitsForReader: Whether a slow reader gets all the time that it takes, until the task
  ///   is cancelled, and not half a second.
  mutating func finish(waitsForReader: Bool) throws(OutputError) {
    var turns = 0
    while !isEmpty, turns < 10 || (waitsForReader && !Task.isCancelled) {
      try flush(trailer: "", isCancelled: { true })
      if !isEmpty { _ = descriptor.isWritable(within: 50) }
      turns += 1
    }
  }

  /// Records and trailer in one write: the file is a whole document before and after it.
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
    // The shell may have more to write behind the document.
    descriptor.move(to: place + written)
    tidy()
  }

  /// A full disk took a part of a write: the document is as it was before.
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
