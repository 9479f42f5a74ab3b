/// Finds the frames of RTCM 3 in a stream of bytes (RTCM 10403, section 4).
///
/// A frame is a preamble, six bits that are zero, the length of its message in ten, the message, and a
/// CRC. Frames are returned whole or not at all; whatever is between them is skipped and counted. At most
/// one incomplete frame is kept.
struct RTCMFramer {
  private static let preamble: UInt8 = 0xD3
  private static let headerLength = 3
  private static let checksumLength = 3
  /// The longest frame, with a message of 1,023 bytes.
  static let maximumLength = headerLength + 1023 + checksumLength

  /// What may be the beginning of a frame.
  private var rest: [UInt8] = []
  /// The CRCs of everything up to each byte of `rest`, the end included.
  ///
  /// The CRC of what is between two places follows from those of the places, so that each byte is looked at
  /// once, however many frames seem to begin before it.
  private var checksums: [UInt32] = [0]
  /// How many bytes were skipped.
  private(set) var skippedCount = 0

  /// Adds bytes, and returns the frames that they complete. Frames without a message, which keep a
  /// connection alive, are left out.
  mutating func add(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
    append(bytes)
    var frames: [[UInt8]] = []
    var index = 0
    while index < rest.count {
      guard rest[index] == Self.preamble else {
        skippedCount += 1
        index += 1
        continue
      }
      guard rest.count - index >= Self.headerLength else { break }
      let length = Int(rest[index + 1]) << 8 | Int(rest[index + 2])
      let end = index + Self.headerLength + length + Self.checksumLength
      guard length <= 1023 else {
        skippedCount += 1
        index += 1
        continue
      }
      guard end <= rest.count else { break }
      guard isWhole(index..<end) else {
        skippedCount += 1
        index += 1
        continue
      }
      if length > 0 { frames.append(Array(rest[index..<end])) }
      index = end
    }
    rest.removeFirst(index)
    checksums.removeFirst(index)
    return frames
  }

  private mutating func append(_ bytes: some Sequence<UInt8>) {
    let table = Self.remainders
    var remainder = checksums[checksums.count - 1]
    for byte in bytes {
      remainder = Self.remainder(of: remainder, byte, table)
      rest.append(byte)
      checksums.append(remainder)
    }
  }

  /// Returns whether bytes are a message with its own CRC, so that theirs is zero.
  private func isWhole(_ frame: Range<Int>) -> Bool {
    // What is before the frame leaves the remainder that it had, times x to the eighth for each byte.
    let before = checksums[frame.lowerBound]
    return checksums[frame.upperBound] == Self.product(before, Self.powers[frame.count])
  }

  /// Returns the remainder of a polynomial with another byte appended.
  private static func remainder(of polynomial: UInt32, _ byte: UInt8, _ table: [UInt32]) -> UInt32 {
    polynomial << 8 & 0xFF_FFFF ^ table[Int(UInt8(polynomial >> 16) ^ byte)]
  }

  /// Returns a polynomial times x.
  private static func next(_ polynomial: UInt32) -> UInt32 {
    let next = polynomial << 1
    return next & 0x100_0000 == 0 ? next : next ^ 0x186_4CFB
  }

  /// Returns the product of two polynomials.
  private static func product(_ first: UInt32, _ second: UInt32) -> UInt32 {
    var (product, multiple, factor): (UInt32, UInt32, UInt32) = (0, first, second)
    while factor != 0 {
      if factor & 1 != 0 { product ^= multiple }
      multiple = next(multiple)
      factor >>= 1
    }
    return product
  }

  /// The remainders of x to the power of eight times the index, for all lengths of frames.
  private static let powers: [UInt32] = {
    let table = remainders
    return (0..<maximumLength).reduce(into: [1]) { powers, _ in
      powers.append(remainder(of: powers[powers.count - 1], 0, table))
    }
  }()

  /// The remainders of all bytes, times x to the power of 24.
  private static let remainders: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte) << 16) { remainder, _ in next(remainder) }
  }
}
