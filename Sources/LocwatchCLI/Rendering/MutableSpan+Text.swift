extension MutableSpan<UInt8> {
  /// Stores a word of eight characters, of which the first ones count.
  @inline(__always)
  mutating func store(_ word: UInt64, length: Int, at end: inout Int) {
    // Checked at once, the characters need only one store.
    precondition(end >= 0 && end <= count - 8)
    self[end] = UInt8(truncatingIfNeeded: word)
    self[end &+ 1] = UInt8(truncatingIfNeeded: word &>> 8)
    self[end &+ 2] = UInt8(truncatingIfNeeded: word &>> 16)
    self[end &+ 3] = UInt8(truncatingIfNeeded: word &>> 24)
    self[end &+ 4] = UInt8(truncatingIfNeeded: word &>> 32)
    self[end &+ 5] = UInt8(truncatingIfNeeded: word &>> 40)
    self[end &+ 6] = UInt8(truncatingIfNeeded: word &>> 48)
    self[end &+ 7] = UInt8(truncatingIfNeeded: word &>> 56)
    end &+= length
  }

  @inline(__always)
  mutating func store(_ character: Unicode.Scalar, at end: inout Int) {
    self[end] = UInt8(ascii: character)
    end &+= 1
  }

  @inline(__always)
  mutating func store(_ text: ShortText, at end: inout Int) {
    store(text.first, length: 8, at: &end)
    store(text.second, length: text.length - 8, at: &end)
  }
}
