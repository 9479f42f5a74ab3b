import CZlib

/// Compresses bytes piece by piece into a gzip file.
@safe struct Deflater: ~Copyable {
  /// How many bytes are written at once.
  private static let capacity = 64 * 1024
  /// 32 KB for what repetitions refer to, and gzip's format instead of zlib's.
  private static let windowBits: CInt = 15 + 16
  private static let memoryLevel: CInt = 8

  /// zlib refers to it by its address.
  private let stream: UnsafeMutablePointer<z_stream>
  private var output = [UInt8](repeating: 0, count: capacity)

  /// Returns `nil` if there is no memory.
  init?() {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let code = unsafe deflateInit2_(
      stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, Self.windowBits, Self.memoryLevel,
      Z_DEFAULT_STRATEGY, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
    if code != Z_OK { return nil }
  }

  deinit {
    unsafe deflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Compresses bytes.
  ///
  /// - Parameters:
  ///   - isLast: Whether no more follow.
  ///   - write: Takes compressed bytes. Returns `false` if they cannot be written, and no more can.
  /// - Returns: Whether all were written.
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
      // There is room left, so that all was taken.
      case Z_OK, Z_BUF_ERROR: if left > 0, !isLast { return true }
      default: return false
      }
    }
  }
}
