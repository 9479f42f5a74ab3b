/// Bytes that wait until their reader takes them.
package struct PendingBytes {
  private var bytes: [UInt8] = []
  /// How many of them were taken.
  private var taken = 0

  package init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  package var count: Int { bytes.count - taken }
  package var isEmpty: Bool { count == 0 }
  package var all: ArraySlice<UInt8> { bytes[taken...] }

  package mutating func append(_ more: some Collection<UInt8>) { bytes += more }

  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    taken = 0
  }

  /// Writes until all is written, or the reader takes no more.
  ///
  /// - Parameter write: Returns how many bytes it has written; `nil` if the reader is gone.
  /// - Returns: `false` if the reader is gone.
  package mutating func write(by write: (ArraySlice<UInt8>) -> Int?) -> Bool {
    while !isEmpty {
      guard let count = write(all) else { return false }
      taken += count
      if count == 0 { break }
    }
    // Each byte is moved once at most, on average.
    if taken >= count {
      bytes.removeFirst(taken)
      taken = 0
    }
    return true
  }
}
