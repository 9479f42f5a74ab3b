extension Span where Element == UInt8 {
  /// Reads the name of a member and the colon behind it, and looks the name up.
  ///
  /// It may stop before the space that stands before the value.
  ///
  /// - Parameter previous: The member before it, or ``KeyTable/start``.
  /// - Returns: The place of the name in the table, `nil` where it is not in it.
  @inline(__always)
  func member(
    _ index: inout Int, of keys: inout KeyTable, after previous: Int
  ) throws(NotJSON) -> Int? {
    if let (member, end) = keys.expected(after: previous, in: self, at: index) {
      index = end
      return member
    }
    let (member, end) = try otherMember(at: index, of: &keys, after: previous)
    index = end
    return member
  }

  // Apart, lest its work take the registers of the loop that hardly ever needs it.
  @inline(never)
  private func otherMember(
    at start: Int, of keys: inout KeyTable, after previous: Int
  ) throws(NotJSON) -> (Int?, end: Int) {
    var index = start
    let member = try word(&index, of: keys)
    skipSpace(&index)
    try expect(":", &index)
    skipSpace(&index)
    if let member { keys.learn(member, after: previous) }
    return (member, index)
  }

  /// Reads a string and looks it up.
  @inline(__always)
  func word(_ index: inout Int, of keys: KeyTable) throws(NotJSON) -> Int? {
    if let (key, end) = shortKey(at: index), let word = keys[key] {
      index = end
      return word
    }
    let (key, end) = try key(at: index)
    index = end
    return keys[key]
  }

  /// Reads any string as a key.
  @inline(never)
  private func key(at start: Int) throws(NotJSON) -> (key: JSONKey, end: Int) {
    var index = start
    let text = try string(&index)
    guard text.isEscaped else { return (JSONKey(extracting(text.range)), index) }
    let bytes = try unescaped(text)
    return (JSONKey(bytes.span), index)
  }
}
