#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A buffer that splits received bytes into whole lines.
///
/// Add bytes with ``append(_:)``, then call ``next()`` until it returns `nil`.
/// Lines are slices of one buffer, which is reused in place once they are released, so a steady
/// stream allocates nothing. A retained line keeps the whole buffer alive, and the framer then
/// continues in a copy.
package struct LineFramer: Sendable {
  /// The maximum length of a line in bytes, including its line end. gpsd's documented limit is
  /// 10,240, but lines of 28 KB have been seen.
  package static let maximumLineLength = 65_536

  /// The result of ``next()``.
  package enum Frame: Hashable, Sendable {
    /// Whole lines with their line ends, LF or CRLF: all that are buffered, up to one that is too
    /// long.
    case lines(ArraySlice<UInt8>)
    /// Bytes discarded from a line longer than ``LineFramer/maximumLineLength``. As many bytes as that
    /// limit are discarded as soon as they arrive, so that an endless line is noticed. The rest,
    /// including the line end, is discarded when the line ends.
    case discarded(bytes: Int)
  }

  /// Received bytes up to `end`, and room for more.
  private var buffer: ContiguousArray<UInt8> = []
  private var end = 0
  /// The index of the first byte that has not been returned.
  private var start = 0
  /// The index up to which there is no line end.
  private var searched = 0
  /// Whether the next bytes are the rest of a line that is too long.
  private var isInRest = false
  /// How many bytes of that rest have been dropped.
  private var skipped = 0

  /// Creates an empty framer.
  package init() {}

  /// The number of bytes of an incomplete line, without bytes already reported as discarded.
  package var pending: Int { end - start + skipped }

  /// The capacity of the buffer, in bytes.
  package var capacity: Int { buffer.capacity }

  /// Appends received bytes.
  package mutating func append(_ bytes: some Collection<UInt8>) {
    makeRoom()
    buffer.removeLast(buffer.count - end)
    buffer.append(contentsOf: bytes)
    end = buffer.count
  }

  /// Receives with a system call that writes into a buffer of a given size.
  ///
  /// - Returns: The result of the call: the number of bytes received, or a negative number.
  package mutating func receive(
    upTo capacity: Int, by call: (UnsafeMutablePointer<UInt8>, Int) -> Int
  ) -> Int {
    makeRoom()
    let missing = end + capacity - buffer.count
    if missing > 0 { buffer.append(contentsOf: repeatElement(0, count: missing)) }
    let count = unsafe buffer.withUnsafeMutableBufferPointer { bytes in
      unsafe call(bytes.baseAddress! + end, capacity)
    }
    end += max(0, count)
    return count
  }

  /// Returns the buffered lines, or reports a line that is too long; `nil` if more bytes are needed.
  package mutating func next() -> Frame? {
    if isInRest { return endOfRest(findLineEnd()) }
    guard let linesEnd = endOfLines() else {
      if end - start >= Self.maximumLineLength { return beginRest() }
      return nil
    }
    guard linesEnd > start else { return beginRest() }
    defer { start = linesEnd }
    return .lines(buffer[start..<linesEnd])
  }

  /// Returns the end of the whole lines that may be returned; `start` if the first one is too long,
  /// and `nil` if there is none.
  private mutating func endOfLines() -> Int? {
    guard let last = buffer.span.extracting(..<end).lastLineEnd(from: searched) else {
      searched = end
      return nil
    }
    var linesEnd = start
    // If all lines that are left are within the limit together, so is each one.
    while last - linesEnd > Self.maximumLineLength {
      guard let next = buffer.span.extracting(..<end).lineEnd(from: linesEnd),
        next - linesEnd <= Self.maximumLineLength
      else {
        searched = linesEnd
        return linesEnd
      }
      linesEnd = next
    }
    searched = last
    return last
  }

  private mutating func beginRest() -> Frame {
    isInRest = true
    start += Self.maximumLineLength
    searched = start
    return .discarded(bytes: Self.maximumLineLength)
  }

  /// Skips the rest of a line that is too long, up to its end if that is there.
  private mutating func endOfRest(_ lineEnd: Int?) -> Frame? {
    skipped += (lineEnd ?? end) - start
    pass(lineEnd ?? end)
    guard lineEnd != nil else { return nil }
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

  /// Removes and returns the buffered bytes.
  package mutating func takeAll() -> ArraySlice<UInt8> {
    defer { pass(end) }
    return buffer[start..<end]
  }

  /// Resets the framer at the end of a stream.
  ///
  /// - Returns: The number of bytes of an incomplete last line.
  package mutating func finish() -> Int {
    let rest = pending
    end = 0
    start = 0
    searched = 0
    isInRest = false
    skipped = 0
    return rest
  }

  /// Moves the bytes that have not been returned to the front.
  private mutating func makeRoom() {
    guard start > 0 else { return }
    let (offset, count) = (start, end - start)
    // A subscript of the array would check for each byte that the array is uniquely referenced.
    var bytes = buffer.mutableSpan
    for index in 0..<count { bytes[index] = bytes[offset + index] }
    end -= offset
    searched -= offset
    start = 0
  }

  private mutating func findLineEnd() -> Int? {
    let lineEnd = buffer.span.extracting(..<end).lineEnd(from: searched)
    if lineEnd == nil { searched = end }
    return lineEnd
  }
}

extension Span where Element == UInt8 {
  /// Returns the index after the last line end at or after `start`; `nil` if there is none.
  fileprivate func lastLineEnd(from start: Int) -> Int? {
    var end = count
    // Skips eight bytes at a time that hold no line end.
    while end - 8 >= start, let bytes = eightBytes(at: end - 8),
      bytes.bits(before: UInt8(ascii: "\n")) == 64
    {
      end -= 8
    }
    while end > start, self[end - 1] != UInt8(ascii: "\n") { end -= 1 }
    return end > start ? end : nil
  }

  /// Returns the index after the next line end; `nil` if there is none.
  package func lineEnd(from start: Int) -> Int? {
    index(of: UInt8(ascii: "\n"), from: start).map { $0 + 1 }
  }

  /// Returns the next index of a byte; `nil` if there is none.
  package func index(of byte: UInt8, from start: Int) -> Int? {
    unsafe extracting(start...).withUnsafeBufferPointer { bytes in
      guard let first = bytes.baseAddress,
        let found = unsafe memchr(first, CInt(byte), bytes.count)
      else { return nil }
      return unsafe start + (UnsafeRawPointer(found) - UnsafeRawPointer(first))
    }
  }
}
