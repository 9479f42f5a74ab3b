import Glibc
import TestSupport
import Testing

@testable import GPSDLocation

/// Fault 100.
@Suite(.timeLimit(.minutes(5))) struct `Compressed data` {
  private static let text = (0..<400).map { #"{"class":"TPV","n":\#($0 * 7919 % 1000)}"# + "\r\n" }
    .joined()
  private static let member = gzip(text)

  /// Decompresses bytes that come a piece at a time, into pieces of another size.
  private func inflate(
    _ bytes: [UInt8], inPiecesOf piece: Int = 65_536, to size: Int = 65_536
  ) -> (text: String, isDamaged: Bool) {
    var inflater = Inflater()
    var rest = bytes[...]
    var all: [UInt8] = []
    var output = [UInt8](repeating: 0, count: size)
    while true {
      let count = output.withUnsafeMutableBufferPointer { output in
        inflater.read(into: output.baseAddress!, upTo: size) { buffer, room in
          let next = rest.prefix(min(piece, room))
          for (index, byte) in next.enumerated() { buffer[index] = byte }
          rest = rest.dropFirst(next.count)
          return next.count
        }
      }
      guard count > 0 else { break }
      all += output.prefix(count)
    }
    return (String(decoding: all, as: UTF8.self), inflater.isDamaged)
  }

  @Test(arguments: [(1, 65_536), (2, 1), (3, 7), (65_536, 1), (65_536, 65_536)])
  func `is the same in pieces of any size`(piece: Int, size: Int) {
    let read = inflate(Self.member, inPiecesOf: piece, to: size)
    #expect(read.text == Self.text && !read.isDamaged)
  }

  @Test(arguments: [1, 65_536]) func `may have several members, and zeros after them`(piece: Int) {
    let members = gzip("one\n") + gzip("") + gzip("two\n") + [0, 0] + gzip("three\n")
    for zeros in [0, 1, 3, 70_000] {
      let read = inflate(members + Array(repeating: 0, count: zeros), inPiecesOf: piece)
      #expect(read.text == "one\ntwo\nthree\n" && !read.isDamaged)
    }
  }

  @Test(arguments: [1, 65_536]) func `is read up to where it is torn`(piece: Int) {
    for count in 2..<Self.member.count {
      let read = inflate(Array(Self.member.prefix(count)), inPiecesOf: piece)
      #expect(Self.text.utf8.starts(with: read.text.utf8) && read.isDamaged)
      // Most of what is there can be read.
      if count == Self.member.count - 8 { #expect(read.text == Self.text) }
    }
    let whole = inflate(Self.member + Self.member.dropLast())
    #expect(whole.text == Self.text + Self.text && whole.isDamaged)
  }

  @Test func `continues with the next member after damage`() {
    for missing in [1, 8, 9, 40, Self.member.count / 2, Self.member.count - 20] {
      let torn = Array(Self.member.dropLast(missing))
      let read = inflate(torn + gzip("next\n") + gzip("last\n"))
      #expect(read.isDamaged && read.text.hasSuffix("next\nlast\n"))
    }
  }

  @Test func `ends, and is either unchanged or reported as damaged, whichever bit flips`() {
    let text = String(Self.text.prefix(300))
    let member = gzip(text)
    for index in member.indices {
      for bit in 0..<8 {
        var bytes = member
        bytes[index] ^= 1 << bit
        let read = inflate(bytes)
        let small = inflate(bytes, to: 1)
        #expect(small.text == read.text && small.isDamaged == read.isDamaged)
        // Nothing depends on the time and the system in the header, or on the bits that fill up a byte.
        #expect(read.isDamaged || read.text == text)
      }
    }
  }

  @Test(arguments: [[1], [0x1F], [0x1F, 0x8B], [0x1F, 0x8B, 0x08], Array("text\n".utf8)])
  func `is damaged by other bytes after it`(bytes: [UInt8]) {
    let read = inflate(gzip("one\n") + bytes)
    #expect(read.text == "one\n" && read.isDamaged)
    #expect(inflate(gzip("one\n") + bytes + gzip("two\n")).text == "one\ntwo\n")
  }

  @Test func `that begins as a member over and over is given up`() {
    let bytes: [UInt8] = (0..<200_000).flatMap { _ in [0x1F, 0x8B, 0x08, 0xFF] as [UInt8] }
    let read = inflate(bytes + gzip("one\n"))
    #expect(read.text == "" && read.isDamaged)
    // A member between them counts.
    let few = inflate(
      Array(bytes.prefix(4 * 63)) + gzip("one\n") + Array(bytes.prefix(4 * 63)) + gzip("two\n"))
    #expect(few.text == "one\ntwo\n" && few.isDamaged)
    let many = inflate(Array(bytes.prefix(4 * 64)) + gzip("one\n"))
    #expect(many.text == "" && many.isDamaged)
  }

  @Test func `that expands a thousandfold is a stream`() {
    let bomb = gzip([UInt8](repeating: 0x0A, count: 16 << 20))
    #expect(bomb.count < 17_000)
    var inflater = Inflater(beginning: bomb)
    var output = [UInt8](repeating: 0, count: 4096)
    var sum = 0
    while true {
      let count = output.withUnsafeMutableBufferPointer {
        inflater.read(into: $0.baseAddress!, upTo: 4096) { _, _ in 0 }
      }
      #expect(count <= 4096)
      guard count > 0 else { break }
      sum += count
    }
    #expect(sum == 16 << 20 && !inflater.isDamaged)
  }

  @Test func `waits for more, and says what the read said`() {
    var inflater = Inflater()
    var output: UInt8 = 0
    #expect(inflater.read(into: &output, upTo: 1) { _, _ in -1 } == -1)
    #expect(!inflater.hasInput && !inflater.isDamaged && inflater.bytesRead == 0)
    var rest = gzip("ab")[...]
    let count = inflater.read(into: &output, upTo: 1) { buffer, _ in
      guard let byte = rest.popFirst() else { return -1 }
      buffer[0] = byte
      return 1
    }
    #expect(count == 1 && output == UInt8(ascii: "a") && inflater.hasInput)
    #expect(inflater.bytesRead == gzip("ab").count - rest.count)
  }
}
