import CZlib

/// Returns bytes as a member of a gzip file.
package func gzip(_ bytes: [UInt8], level: CInt = Z_DEFAULT_COMPRESSION) -> [UInt8] {
  var stream = z_stream()
  var input = bytes
  deflateInit2_(
    &stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
    CInt(MemoryLayout<z_stream>.size))
  defer { deflateEnd(&stream) }
  return [UInt8](unsafeUninitializedCapacity: Int(deflateBound(&stream, UInt(input.count)))) {
    output, count in
    input.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(input.count)
      stream.next_out = output.baseAddress
      stream.avail_out = UInt32(output.count)
      deflate(&stream, Z_FINISH)
      count = output.count - Int(stream.avail_out)
    }
  }
}

/// Returns a text as a member of a gzip file.
package func gzip(_ text: String) -> [UInt8] { gzip(Array(text.utf8)) }

/// Returns what a member of a gzip file contains, as far as it can be read.
package func gunzip(_ bytes: [UInt8]) -> [UInt8] {
  var stream = z_stream()
  var input = bytes
  inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
  defer { inflateEnd(&stream) }
  var output: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 65_536)
  input.withUnsafeMutableBufferPointer { input in
    stream.next_in = input.baseAddress
    stream.avail_in = UInt32(input.count)
    var code = Z_OK
    while code == Z_OK {
      code = piece.withUnsafeMutableBufferPointer { piece in
        stream.next_out = piece.baseAddress
        stream.avail_out = UInt32(piece.count)
        return inflate(&stream, Z_NO_FLUSH)
      }
      output += piece.prefix(piece.count - Int(stream.avail_out))
    }
  }
  return output
}
