import Glibc
import LocationCore
import LocationText

/// Writes records to a descriptor, so that a file ends with a whole record whatever happens.
///
/// It knows where each record ends, and what closes the document there. After the first error, a
/// file is cut back to the last whole record and closed, and nothing more is written.
package struct RecordWriter {
  /// The end of a record.
  private struct End {
    /// The number of bytes up to here that were written by this writer, without trailers.
    var position = 0
    /// What closes the document here; empty if nothing needs to.
    var trailer = ""
  }

  package let descriptor: Descriptor
  /// Where the first record begins in a file whose document can be closed after each write.
  private let origin: Int?
  package private(set) var position = 0
  /// The ends of the last two whole records in the file.
  private var whole = End()
  private var previous = End()
  /// The ends of records that are not completely written.
  private var ends: [End] = []
  private var failure: OutputError?
  /// Whether the first write replaces what is in the file.
  private var replacesContents: Bool

  package init(_ descriptor: Descriptor) {
    self.descriptor = descriptor
    replacesContents = descriptor.hasOldContents
    origin = descriptor.positionInFile
  }

  /// Whether the document in the file is closed after each write.
  package var keepsDocumentClosed: Bool { origin != nil && !latest.trailer.isEmpty }

  /// The position after the last record that was written completely.
  package var endOfRecords: Int { whole.position }

  /// How many records are not completely written.
  package var pendingRecords: Int { ends.count }

  private var latest: End { ends.last ?? whole }

  /// Records that a record ends after a number of unwritten bytes.
  ///
  /// - Parameter trailer: The text that closes the document after this record. It can contain the record.
  package mutating func endRecord(after count: Int, trailer: @autoclosure () -> String = "") {
    let end = position + count
    guard end > latest.position else {
      if origin != nil { replaceTrailer(by: trailer()) }
      return
    }
    // Only the document in a file is ever closed.
    ends.append(End(position: end, trailer: descriptor.kind == .file ? trailer() : ""))
  }

  private mutating func replaceTrailer(by trailer: String) {
    guard trailer != latest.trailer else { return }
    if ends.isEmpty {
      ends.append(End(position: whole.position, trailer: trailer))
    } else {
      ends[ends.count - 1].trailer = trailer
    }
  }

  /// Forgets an error and the records that are not completely written.
  package mutating func retry() {
    failure = nil
    ends = []
    position = whole.position
  }

  /// Continues in another file with the records that are not completely written.
  ///
  /// - Parameter count: The number of bytes before them in that file.
  package mutating func moveOn(to descriptor: Descriptor, after count: Int) {
    let pending = ends.map { End(position: $0.position - position + count, trailer: $0.trailer) }
    self = RecordWriter(descriptor)
    ends = pending
  }

  /// Writes as many bytes as possible without waiting for the reader.
  ///
  /// - Returns: The number of bytes written.
  /// - Throws: The first error of any write.
  package mutating func write(_ bytes: ArraySlice<UInt8>) throws(OutputError) -> Int {
    if let failure { throw failure }
    try replaceContents()
    switch descriptor.writeNow(bytes) {
    case .wrote(let count):
      advance(by: count)
      return count
    case .notNow: return 0
    case .failed(let error): throw fail(error)
    }
  }

  /// Writes whole records and their trailer in one call, so that the file is a closed document before
  /// and after. The trailer of the records before is overwritten.
  ///
  /// - Parameter text: The records, without the trailer. It is empty afterwards.
  mutating func writeDocument(_ text: inout TextBuffer) throws(OutputError) {
    if let failure { throw failure }
    guard let origin, text.count > 0 || !ends.isEmpty else { return }
    try replaceContents()
    let count = text.count
    text.append(text: latest.trailer)
    let start = origin + position
    var written = 0
    while written < text.count {
      switch descriptor.write(text.bytes[written...], at: start + written) {
      case .wrote(let more): written += more
      case .notNow: continue
      case .failed(let error):
        advance(by: min(written, count))
        throw fail(error)
      }
    }
    advance(by: count)
    // Another process that shares the file continues after the document.
    descriptor.move(to: start + written)
    text.removeAll()
  }

  /// Removes what was in the file before, even if nothing is written.
  mutating func replaceContents() throws(OutputError) {
    guard replacesContents else { return }
    replacesContents = false
    guard descriptor.end(at: 0) else {
      throw fail(.cannotWrite(path: descriptor.path, reason: systemText(errno)))
    }
  }

  private mutating func advance(by count: Int) {
    position += count
    let complete = ends.prefix { $0.position <= position }.count
    guard complete > 0 else { return }
    previous = complete > 1 ? ends[complete - 2] : whole
    whole = ends[complete - 1]
    ends.removeSubrange(..<complete)
  }

  private mutating func fail(_ error: OutputError) -> OutputError {
    failure = error
    cutBack()
    return error
  }

  /// Ends the file after the last whole record and closes its document there. If there is no room for
  /// the trailer, the record before makes room.
  private func cutBack() {
    guard descriptor.kind == .file else { return }
    let start: Int
    if keepsDocumentClosed, let origin {
      start = origin
    } else {
      // If another process has written after the incomplete record, that cannot be removed.
      guard let end = descriptor.currentPosition, end == descriptor.length else { return }
      start = end - position
    }
    for end in [whole, previous] {
      guard descriptor.end(at: start + end.position) else { return }
      if end.trailer.isEmpty || descriptor.writeAll(Array(end.trailer.utf8)) { return }
      guard descriptor.end(at: start + end.position) else { return }
    }
  }
}
