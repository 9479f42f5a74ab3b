import CZlib

/// Compresses bytes piece by piece into a gzip file.
@safe struct Deflater: ~Copyable {
  /// The number of compressed bytes that are written at once.
  private static let capacity = 64 * 1024
  /// A window of 32 KB, and the format of gzip instead of zlib's.
  private static let windowBits: CInt = 15 + 16
  private static let memoryLevel: CInt = 8

  /// zlib keeps a pointer to it, so it must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  /// zlib reads it when it writes its first bytes.
  private let header: UnsafeMutablePointer<gz_header>
  private let extraField: UnsafeMutableBufferPointer<UInt8>
  private var output = [UInt8](repeating: 0, count: capacity)

  /// Returns `nil` if there is no memory.
  ///
  /// - Parameter extra: The extra field of the header.
  init?(extra: [UInt8]) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    unsafe extraField = .allocate(capacity: extra.count)
    _ = unsafe extraField.initialize(from: extra)
    unsafe header = .allocate(capacity: 1)
    unsafe header.initialize(to: gz_header())
    unsafe header.pointee.extra = extraField.baseAddress
    unsafe header.pointee.extra_len = UInt32(extra.count)
    // The operating system is Unix.
    unsafe header.pointee.os = 3
    let code = unsafe deflateInit2_(
      stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, Self.windowBits, Self.memoryLevel,
      Z_DEFAULT_STRATEGY, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
    if unsafe code != Z_OK || deflateSetHeader(stream, header) != Z_OK { return nil }
  }

  deinit {
    unsafe deflateEnd(stream)
    unsafe stream.deallocate()
    unsafe header.deallocate()
    unsafe extraField.deallocate()
  }

  /// Compresses bytes.
  ///
  /// - Parameters:
  ///   - isLast: Whether these are the last bytes.
  ///   - write: Takes compressed bytes. Returns `false` if they cannot be written, which ends the
  ///     compression.
  /// - Returns: Whether all bytes were compressed and written.
  mutating func deflate(
    _ bytes: [UInt8], isLast: Bool, write: (ArraySlice<UInt8>) -> Bool
  ) -> Bool {
    var bytes = bytes
    unsafe stream.pointee.avail_in = UInt32(clamping: bytes.count)
    var start = 0
    while true {
      let room = Self.capacity
      let (code, left) = unsafe bytes.withUnsafeMutableBufferPointer { input in
        unsafe output.withUnsafeMutableBufferPointer { output in
          unsafe stream.pointee.next_in = input.baseAddress.map { unsafe $0 + start }
          unsafe stream.pointee.next_out = output.baseAddress
          unsafe stream.pointee.avail_out = UInt32(room)
          let code = unsafe CZlib.deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
          return (code, unsafe Int(stream.pointee.avail_out))
        }
      }
      start = unsafe bytes.count - Int(stream.pointee.avail_in)
      if left < room, !write(output[..<(room - left)]) { return false }
      switch code {
      case Z_STREAM_END: return true
      // All input was taken, because there is still room for output.
      case Z_OK, Z_BUF_ERROR: if left > 0, !isLast { return true }
      default: return false
      }
    }
  }
}
