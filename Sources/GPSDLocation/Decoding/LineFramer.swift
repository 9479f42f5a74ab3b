import Glibc

/// Cuts what is received into lines.
///
/// Bytes go in by ``append(_:)`` or ``fill(upTo:_:)``, lines come out of ``next()`` until there is
/// none.
/// All lines are slices of one buffer. Once they are dropped it is used again in place, so that a
/// steady stream costs no memory; a line that is kept keeps its own copy of the buffer.
public struct LineFramer: Sendable {
  /// The most bytes that a line may have, its end included. gpsd's own limit is 10,240, and in fact
  /// it has been seen to write 28 KB.
  public static let longestLine = 65_536

  /// What ``next()`` finds.
  public enum Frame: Hashable, Sendable {
    /// A line with its end, LF or CRLF.
    case line(ArraySlice<UInt8>)
    /// So many bytes are of a line longer than ``LineFramer/longestLine``. As many as that are
    /// discarded as soon as they are there, and the rest, its end included, when that is: a line that
    /// never ends is noticed.
    case discarded(bytes: Int)
  }

  private var buffer: [UInt8] = []
  /// Where the first byte is that has not been handed out.
  private var start = 0
  /// Up to here there is no line end.
  private var searched = 0
  /// Whether what comes is the rest of a line that is too long.
  private var isInRest = false
  /// The bytes of that rest that are gone.
  private var skipped = 0

  /// A framer that holds nothing.
  public init() {}

  /// How many bytes wait for the rest of their line, those aside that were discarded.
  public var pending: Int { buffer.count - start + skipped }

  /// How many bytes the buffer takes.
  package var capacity: Int { buffer.capacity }

  /// Takes bytes as they were received.
  public mutating func append(_ bytes: some Collection<UInt8>) {
    makeRoom()
    buffer.append(contentsOf: bytes)
  }

  /// Receives straight into the buffer.
  ///
  /// - Parameters:
  ///   - capacity: The most bytes that `body` writes.
  ///   - body: Appends what it receives. It may append nothing.
  /// - Throws: What `body` throws; what it appended until then stays.
  public mutating func fill<E>(
    upTo capacity: Int, _ body: (inout OutputSpan<UInt8>) throws(E) -> Void
  ) throws(E) {
    makeRoom()
    try buffer.append(addingCapacity: capacity, initializingWith: body)
  }

  /// Receives by a call to the system, which is told where to put how many bytes at the most.
  ///
  /// - Returns: What the call did: how many bytes there were, or a negative number.
  package mutating func receive(
    upTo capacity: Int, by call: (UnsafeMutablePointer<UInt8>, Int) -> Int
  ) -> Int {
    var count = 0
    fill(upTo: capacity) { buffer in
      count = unsafe buffer.withUnsafeMutableBufferPointer { bytes, used in
        let count = unsafe call(bytes.baseAddress! + used, bytes.count - used)
        used += max(0, count)
        return count
      }
    }
    return count
  }

  /// The next line, or a report of one that is too long. `nil` when more bytes are needed.
  public mutating func next() -> Frame? {
    let end = findLineEnd()
    if isInRest { return endOfRest(end) }
    // Where there is no end yet, a line that has as many bytes has one more at the least.
    guard (end ?? buffer.count + 1) - start <= Self.longestLine else {
      isInRest = true
      start += Self.longestLine
      searched = max(start, searched)
      return .discarded(bytes: Self.longestLine)
    }
    guard let end else { return nil }
    defer { pass(end) }
    return .line(buffer[start..<end])
  }

  /// The rest of a line that is too long, where `end` is its end.
  private mutating func endOfRest(_ end: Int?) -> Frame? {
    skipped += (end ?? buffer.count) - start
    pass(end ?? buffer.count)
    guard end != nil else { return nil }
    defer {
      isInRest = false
      skipped = 0
    }
    return .discarded(bytes: skipped)
  }

  private mutating func pass(_ end: Int) {
    start = end
    searched = end
  }

  /// The bytes that wait, as they came, and no longer wait then.
  package mutating func takeAll() -> ArraySlice<UInt8> {
    defer { pass(buffer.count) }
    return buffer[start...]
  }

  /// Ends the stream, and begins another.
  ///
  /// - Returns: How many bytes there were of a line whose end never came.
  public mutating func finish() -> Int {
    let rest = pending
    buffer.removeAll(keepingCapacity: true)
    start = 0
    searched = 0
    isInRest = false
    skipped = 0
    return rest
  }

  /// Moves what is not handed out to the front.
  private mutating func makeRoom() {
    guard start > 0 else { return }
    buffer.removeSubrange(..<start)
    searched -= start
    start = 0
  }

  private mutating func findLineEnd() -> Int? {
    let end = buffer.span.lineEnd(from: searched)
    if end == nil { searched = buffer.count }
    return end
  }
}

extension Span where Element == UInt8 {
  /// Behind the next line end; `nil` where there is none.
  fileprivate func lineEnd(from start: Int) -> Int? {
    unsafe extracting(start...).withUnsafeBufferPointer { bytes in
      guard let first = bytes.baseAddress,
        let end = unsafe memchr(first, CInt(UInt8(ascii: "\n")), bytes.count)
      else { return nil }
      return unsafe start + (UnsafeRawPointer(end) - UnsafeRawPointer(first)) + 1
    }
  }
}
