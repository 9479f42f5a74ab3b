package import LocationCore
package import LocationText

/// Buffers rendered records and writes them to a descriptor.
///
/// In live use it never waits for the reader: bytes that cannot be written stay in the buffer until
/// the next flush. A replay waits for the reader and loses nothing.
package struct OutputSink {
  /// With more pending bytes than this, live transitions are dropped. Only a stopped terminal is so
  /// far behind.
  private static let maximumPending = 1024 * 1024
  /// The number of bytes that are written at once. It is half of a pipe's capacity, so that the reader can
  /// work while more is rendered.
  package static let worthWriting = 32 * 1024

  /// The buffer to which records are appended.
  package var text = TextBuffer()

  private var writer: RecordWriter
  private let waitsForReader: Bool
  private var written = 0

  /// - Parameters:
  ///   - waitsForReader: Whether to wait for a slow reader, as a replay does.
  package init(_ descriptor: Descriptor, waitsForReader: Bool) {
    writer = RecordWriter(descriptor)
    self.waitsForReader = waitsForReader
  }

  package var descriptor: Descriptor { writer.descriptor }
  package var isEmpty: Bool {
    // A record can be in the trailer.
    written == text.count && !(keepsDocumentClosed && writer.pendingRecords > 0)
  }
  /// Whether bytes were left over from the last flush.
  package private(set) var isBlocked = false
  /// How many records are not completely written.
  package var pendingRecords: Int { writer.pendingRecords }
  /// The descriptor if its reader is behind.
  package var blockedOutput: Descriptor? { isBlocked ? writer.descriptor : nil }
  package var isWorthWriting: Bool { text.count - written >= Self.worthWriting }
  /// Whether the document in the file is closed after each flush.
  package var keepsDocumentClosed: Bool { writer.keepsDocumentClosed }

  /// Returns whether there is room for another update. Only transitions and other changes accumulate here.
  package func hasRoom(for update: LocationUpdate) -> Bool {
    switch update {
    case .state, .change: waitsForReader || text.count - written <= Self.maximumPending
    case .fix, .retry, .event: true
    }
  }

  /// Records that a record ends here.
  ///
  /// - Parameter trailer: The text that closes the document after this record.
  package mutating func endRecord(trailer: @autoclosure () -> String) {
    writer.endRecord(after: text.count - written, trailer: trailer())
  }

  /// Writes what can be written.
  ///
  /// - Parameter isCancelled: Whether to stop waiting for the reader.
  package mutating func flush(
    isCancelled: () -> Bool = { Task.isCancelled }
  ) throws(OutputError) {
    if keepsDocumentClosed { return try writer.writeDocument(&text) }
    defer { isBlocked = !isEmpty }
    while written < text.count {
      let count = try writer.write(text.bytes[written...])
      written += count
      if count == 0 {
        guard waitsForReader, !isCancelled() else { return discardWritten() }
        _ = writer.descriptor.isWritable(within: 100)
      }
    }
    discardWritten()
  }

  /// Writes the rest.
  ///
  /// - Parameter waitsForReader: Whether to wait for a slow reader until the task is cancelled,
  ///   rather than for half a second.
  package mutating func finish(waitsForReader: Bool) throws(OutputError) {
    try writer.replaceContents()
    var turns = 0
    while !isEmpty, turns < 10 || (waitsForReader && !Task.isCancelled) {
      try flush(isCancelled: { true })
      if !isEmpty { _ = writer.descriptor.isWritable(within: 50) }
      turns += 1
    }
  }

  private mutating func discardWritten() {
    if written == text.count {
      text.removeAll()
      written = 0
    } else if written > Self.worthWriting {
      text.removeFirst(written)
      written = 0
    }
  }
}

extension Descriptor {
  /// Writes a whole text, and waits for its reader until the task is cancelled.
  ///
  /// - Parameter isOver: Whether to give up a reader that is behind, which is an error.
  package func writeText(
    _ text: TextBuffer, unless isOver: () -> Bool = { false }
  ) throws(OutputError) {
    var sink = OutputSink(self, waitsForReader: true)
    sink.text = text
    try sink.flush { Task.isCancelled || isOver() }
    guard sink.isEmpty || Task.isCancelled else {
      throw .cannotWrite(path: path, reason: "its reader does not keep up")
    }
  }
}
