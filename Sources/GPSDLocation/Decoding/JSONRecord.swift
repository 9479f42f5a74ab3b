/// A value that is read from an object, member by member, and used again for the next one.
protocol JSONRecord {
  associatedtype Field: MemberName

  /// The members from here on in the record's ``KeyTable`` are numbers that are only checked.
  static var firstPassed: Int { get }
  /// The members from here on are integers.
  static var firstInteger: Int { get }
  /// The members from here on are numbers of any kind.
  static var firstNumber: Int { get }

  mutating func removeAll()

  /// Takes a number; `nil` where the value is none.
  mutating func set(_ number: Double?, at member: Int)

  /// Takes an integer; `nil` where the value is none.
  mutating func set(_ integer: Int?, at member: Int)

  /// Reads the value of a member that is no number.
  ///
  /// - Parameter names: Where the names of devices are read.
  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout RepeatedName
  ) throws(NotJSON)

  /// Ends the record when all members are read: forgets what a receiver cannot mean, and throws
  /// where something is missing that it cannot do without.
  mutating func finish() throws(NotJSON)
}

extension JSONRecord {
  static var firstPassed: Int { firstInteger }
  static var firstInteger: Int { firstNumber }
  static var firstNumber: Int { .max }

  mutating func set(_ number: Double?, at member: Int) {}

  mutating func set(_ integer: Int?, at member: Int) {}

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
    of line: Span<UInt8>, _ index: inout Int, _ keys: inout KeyTable, _ names: inout RepeatedName,
    seen: UInt64 = 0, more: Bool, depth: Int = 1
  ) throws(NotJSON) {
    var seen = seen
    var more = more
    // Kept in a register: only copies of it are lent to what is not inlined.
    var position = index
    var previous = KeyTable.start
    while more {
      if let member = try line.member(&position, of: &keys, after: previous) {
        previous = member
        let bit: UInt64 = 1 &<< UInt64(member)
        guard seen & bit == 0 else { throw NotJSON() }
        seen |= bit
        if member >= Self.firstNumber {
          let (number, end) = line.plainNumber(at: position)
          if end > position {
            set(number, at: member)
            position = end
          } else {
            set(try line.numberValue(&position, depth: depth), at: member)
          }
        } else if member >= Self.firstInteger {
          set(try line.integerValue(&position, depth: depth), at: member)
        } else if member >= Self.firstPassed {
          let end = line.endOfPlainNumber(at: position)
          position = end > position ? end : try line.endOfValue(position, depth: depth)
        } else {
          var end = position
          line.skipSpace(&end)
          try read(member, line, &end, &names)
          position = end
        }
      } else {
        position = try line.endOfValue(position, depth: depth)
      }
      more = try line.proceed(to: "}", &position)
    }
    index = position
    try finish()
  }
}
