/// A value that is read from an object, member by member, and used again for the next one.
protocol JSONRecord {
  mutating func removeAll()

  /// Reads the value of one member.
  ///
  /// - Parameter member: The place of its name in the record's ``KeyTable``.
  /// - Parameter names: Where the names of devices are read.
  mutating func read(
    _ member: UInt8, _ line: Span<UInt8>, _ index: inout Int, _ names: inout RepeatedName
  ) throws(NotJSON)

  /// Ends the record when all members are read: forgets what a receiver cannot mean, and throws
  /// where something is missing that it cannot do without.
  mutating func finish() throws(NotJSON)
}

extension JSONRecord {
  mutating func finish() throws(NotJSON) {}

  /// Reads the members of an object, from the first on or from where another has been read.
  ///
  /// A member that we know may come once: of two latitudes there is no telling which is right.
  ///
  /// - Parameter seen: The members that have been read, by a bit each.
  /// - Parameter more: Whether there is a member to read.
  /// - Parameter depth: How many objects and lists the members lie in.
  @inline(__always)
  mutating func readMembers(
    of line: Span<UInt8>, _ index: inout Int, _ keys: KeyTable, _ names: inout RepeatedName,
    seen: UInt64 = 0, more: Bool, depth: Int = 1
  ) throws(NotJSON) {
    var seen = seen
    var more = more
    while more {
      if let member = keys[try line.key(&index)] {
        let bit: UInt64 = 1 &<< UInt64(member)
        guard seen & bit == 0 else { throw NotJSON() }
        seen |= bit
        try read(member, line, &index, &names)
      } else {
        try line.skipValue(&index, depth: depth)
      }
      more = try line.proceed(to: "}", &index)
    }
    try finish()
  }
}
