/// Frames of RTCM 3, as a caster sends them.
package enum RTCMFrame {
  /// Returns the frame of a message.
  package static func frame(_ message: [UInt8]) -> [UInt8] {
    let bytes = [0xD3, UInt8(message.count >> 8), UInt8(message.count & 0xFF)] + message
    var remainder: UInt32 = 0
    for byte in bytes {
      for bit in 0..<8 {
        let isSet = byte << bit & 0x80 != 0
        let top = remainder & 0x80_0000 != 0
        remainder = remainder << 1 & 0xFF_FFFF
        if isSet != top { remainder ^= 0x86_4CFB }
      }
    }
    return bytes + [16, 8, 0].map { UInt8(remainder >> $0 & 0xFF) }
  }

  /// Returns a frame of some type, distinguished from others by its number.
  package static func numbered(_ number: UInt8, length: Int = 20) -> [UInt8] {
    frame([0x43, 0x20, number] + [UInt8](repeating: 0x11, count: max(0, length - 3)))
  }

  /// Returns the frame of a message 1005 or 1006: where a base station is, in metres.
  package static func base(
    _ type: Int = 1005, station: Int = 23, x: Double, y: Double, z: Double
  ) -> [UInt8] {
    var bits: [Bool] = []
    func append(_ value: Int, _ count: Int) {
      for bit in (0..<count).reversed() { bits.append(value >> bit & 1 == 1) }
    }
    append(type, 12)
    append(station, 12)
    append(0b101010_0101, 10)
    append(Int((x * 10_000).rounded()), 38)
    append(0b11, 2)
    append(Int((y * 10_000).rounded()), 38)
    append(0b10, 2)
    append(Int((z * 10_000).rounded()), 38)
    if type == 1006 { append(15_000, 16) }
    var message: [UInt8] = []
    for start in stride(from: 0, to: bits.count, by: 8) {
      message.append(bits[start..<start + 8].reduce(0) { $0 << 1 | ($1 ? 1 : 0) })
    }
    return frame(message)
  }
}
