import GPSDProtocol
import Testing

/// Fault 16.
@Suite struct `Lines are cut out of what is received` {
  /// The frames of what comes in chunks, each line by itself.
  private func frames(_ chunks: [[UInt8]]) -> (frames: [LineFramer.Frame], rest: Int) {
    var framer = LineFramer()
    var frames: [LineFramer.Frame] = []
    for chunk in chunks {
      framer.append(chunk)
      while let frame = framer.next() {
        switch frame {
        case .lines(let bytes):
          var rest = bytes
          while let line = rest.firstLine {
            frames.append(.lines(line))
            rest = rest[line.endIndex...]
          }
        case .discarded: frames.append(frame)
        }
      }
    }
    return (frames, framer.finish())
  }

  private func line(_ text: String) -> LineFramer.Frame { .lines(ArraySlice(text.utf8)) }

  @Test func `A line keeps its end, and whatever is in it`() {
    let text = "one\r\n\r\n\ntw\0o\n$GPGGA,1*00\r\n"
    #expect(
      frames([Array(text.utf8)]).frames == [
        line("one\r\n"), line("\r\n"), line("\n"), line("tw\0o\n"), line("$GPGGA,1*00\r\n"),
      ])
  }

  @Test func `All whole lines come together, up to one that is too long`() {
    var framer = LineFramer()
    framer.append("one\ntwo\r\nhal".utf8)
    #expect(framer.next() == line("one\ntwo\r\n"))
    #expect(framer.next() == nil)
    framer.append("f\n\n".utf8)
    framer.append([UInt8](repeating: 0x78, count: LineFramer.maximumLineLength) + [0x0A])
    framer.append("after\nlast\n".utf8)
    #expect(framer.next() == line("half\n\n"))
    #expect(framer.next() == .discarded(bytes: LineFramer.maximumLineLength))
    #expect(framer.next() == .discarded(bytes: 1))
    #expect(framer.next() == line("after\nlast\n"))
    #expect(framer.next() == nil)
  }

  @Test(arguments: 1...9)
  func `The lines are the same, however the bytes arrive`(size: Int) {
    let bytes = Array("{\"a\":1}\r\n{\"b\":2}\n\nrest".utf8)
    let chunks = stride(from: 0, to: bytes.count, by: size).map {
      Array(bytes[$0..<min($0 + size, bytes.count)])
    }
    let (frames, rest) = frames(chunks)
    #expect(frames == [line("{\"a\":1}\r\n"), line("{\"b\":2}\n"), line("\n")])
    #expect(rest == 4)
  }

  @Test(arguments: [20_481, 28 * 1024, LineFramer.maximumLineLength])
  func `A line up to the limit is whole`(length: Int) {
    let bytes = [UInt8](repeating: 0x20, count: length - 1) + [0x0A]
    #expect(frames([bytes]).frames == [.lines(bytes[...])])
  }

  @Test(arguments: [1, 1000, 4096, 200_000])
  func `A longer line is discarded and counted, its neighbours are not`(size: Int) {
    let long = [UInt8](repeating: 0x78, count: LineFramer.maximumLineLength) + [0x0A]
    let bytes = Array("before\n".utf8) + long + Array("after\n".utf8)
    let chunks = stride(from: 0, to: bytes.count, by: size).map {
      Array(bytes[$0..<min($0 + size, bytes.count)])
    }
    #expect(
      frames(chunks).frames == [
        line("before\n"), .discarded(bytes: LineFramer.maximumLineLength), .discarded(bytes: 1),
        line("after\n"),
      ])
  }

  @Test(arguments: [65_537, 131_071, 131_072, 131_073, 200_000])
  func `A line that is too long is noticed at once, and its rest when it ends`(length: Int) {
    let bytes = [UInt8](repeating: 0x78, count: length - 1) + [0x0A]
    let first = LineFramer.Frame.discarded(bytes: LineFramer.maximumLineLength)
    for size in [4096, 65_536, 1_000_000] {
      let chunks = stride(from: 0, to: length, by: size).map { bytes[$0..<min($0 + size, length)] }
      var framer = LineFramer()
      var count = 0
      var found: [LineFramer.Frame] = []
      for chunk in chunks {
        framer.append(chunk)
        count += chunk.count
        while let frame = framer.next() { found.append(frame) }
        #expect(found.first == (count >= LineFramer.maximumLineLength ? first : nil))
      }
      #expect(found == [first, .discarded(bytes: length - LineFramer.maximumLineLength)])
      #expect(framer.pending == 0)
    }
  }

  @Test(arguments: [(65_535, 65_535), (65_536, 0), (65_537, 1), (300_000, 234_464)])
  func `A line that is cut off at the end counts as far as it is pending`(length: Int, rest: Int) {
    var framer = LineFramer()
    framer.append([UInt8](repeating: 0x78, count: length))
    #expect(framer.next() == (length < 65_536 ? nil : .discarded(bytes: 65_536)))
    #expect(framer.next() == nil)
    #expect(framer.pending == rest)
    #expect(framer.finish() == rest)
    framer.append("next\n".utf8)
    #expect(framer.next() == line("next\n"))
  }

  @Test func `A stream without a line end is counted, and takes no more memory than one line`() {
    var framer = LineFramer()
    let chunk = [UInt8](repeating: 0x78, count: 4096)
    for index in 0..<25_600 {
      framer.append(chunk)
      #expect(framer.next() == (index == 15 ? .discarded(bytes: 65_536) : nil))
      #expect(framer.capacity <= 2 * LineFramer.maximumLineLength)
    }
    framer.append([0x0A])
    #expect(framer.next() == .discarded(bytes: (25_600 - 16) * 4096 + 1))
    #expect(framer.finish() == 0)
  }

  @Test func `A steady stream uses one buffer again and again`() {
    var framer = LineFramer()
    framer.append([UInt8](repeating: 0x20, count: 4096) + [0x0A])
    var addresses: Set<UInt?> = []
    for _ in 0..<1000 {
      addresses.insert(addressOfNextLine(&framer))
      framer.append("{\"class\":\"TPV\"}\r\n".utf8)
    }
    #expect(addresses.count == 1)
    #expect(!addresses.contains(nil))
  }

  /// The line itself is gone when this returns.
  private func addressOfNextLine(_ framer: inout LineFramer) -> UInt? {
    guard case .lines(let bytes) = framer.next() else { return nil }
    return bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
  }

  @Test func `A line that is kept does not change`() {
    var framer = LineFramer()
    framer.append("first\n".utf8)
    let kept = framer.next()
    framer.append("second\n".utf8)
    #expect(framer.next() == line("second\n"))
    #expect(kept == line("first\n"))
  }

  @Test func `Bytes that are received directly into the buffer are framed alike`() {
    var framer = LineFramer()
    func receive(_ text: String) {
      let count = framer.receive(upTo: 10) { place, capacity in
        #expect(capacity == 10)
        for (index, byte) in text.utf8.enumerated() { place[index] = byte }
        return text.utf8.count
      }
      #expect(count == text.utf8.count)
    }
    receive("one\ntw")
    #expect(framer.next() == line("one\n"))
    #expect(framer.next() == nil)
    receive("")
    #expect(framer.receive(upTo: 10) { _, _ in -1 } == -1)
    #expect(framer.next() == nil)
    receive("o\n")
    #expect(framer.next() == line("two\n"))
  }
}
