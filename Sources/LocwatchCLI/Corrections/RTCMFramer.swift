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
  /// How many bytes were skipped.
  private(set) var skippedCount = 0

  /// Adds bytes, and returns the frames that they complete. Frames without a message, which keep a
  /// connection alive, are left out.
  mutating func add(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
    rest += bytes
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
      // The remainder of a message with its own CRC is zero.
      guard Self.checksum(of: rest[index..<end]) == 0 else {
        skippedCount += 1
        index += 1
        continue
      }
      if length > 0 { frames.append(Array(rest[index..<end])) }
      index = end
    }
    rest.removeFirst(index)
    return frames
  }

  /// Returns the CRC-24Q of bytes: the polynomial is 0x1864CFB, and the first value 0.
  static func checksum(of bytes: some Sequence<UInt8>) -> UInt32 {
    let table = remainders
    var remainder: UInt32 = 0
    for byte in bytes {
      remainder = remainder << 8 & 0xFF_FFFF ^ table[Int(UInt8(remainder >> 16) ^ byte)]
    }
    return remainder
  }

  /// The remainders of all bytes: noise that looks like long frames would take eight times as long without.
  private static let remainders: [UInt32] = (0..<256).map { byte in
    var remainder = UInt32(byte) << 16
    for _ in 0..<8 {
      remainder <<= 1
      if remainder & 0x100_0000 != 0 { remainder ^= 0x186_4CFB }
    }
    return remainder
  }
}
