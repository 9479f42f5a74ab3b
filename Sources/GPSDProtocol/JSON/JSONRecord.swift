import LocationCore

/// A value that is decoded from a JSON object, member by member, and reused for the next object.
protocol JSONRecord {
  associatedtype Field: MemberName

  /// The names of further members, with their numbers, which are higher than those of `Field`.
  static var otherMembers: [(name: String, number: Int)] { get }
  /// The raw value of the first member that is a number. All later members are numbers as well.
  static var firstNumber: Int { get }
  /// The raw value of the first number that is checked and not read. So are all later ones.
  var firstUnread: Int { get }

  mutating func removeAll()

  /// Sets a number; `nil` if the value is not a number, or not a possible one.
  mutating func set(_ number: Double?, at member: Int)

  /// Returns whether a number that is negative or large is a possible value of a member. Others are checked by ``finish()``.
  static func isPossible(_ number: Double, at member: Int) -> Bool

  /// Reads the value of a member that is not a number.
  ///
  /// - Parameter names: The cache that reads names of devices.
  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout DeviceNameCache
  ) throws(MalformedReport)

  /// Completes the record when all members are read: removes the values that are still impossible, and throws if a
  /// required one is missing.
  ///
  /// - Returns: How many numbers were removed.
  mutating func finish() throws(MalformedReport) -> Int
}

extension JSONRecord {
  static var otherMembers: [(name: String, number: Int)] { [] }
  static var firstNumber: Int { .max }
  var firstUnread: Int { .max }

  mutating func set(_ number: Double?, at member: Int) {}

  static func isPossible(_ number: Double, at member: Int) -> Bool {
    QuantityRange.signed.contains(number)
  }

  mutating func finish() throws(MalformedReport) -> Int { 0 }

  /// Returns the numbers of the members that are numbers, from their names in the order of their enumeration. Only
  /// reflection would find these out, and slowly.
  static func members(_ names: String...) -> [(name: String, number: Int)] {
    names.enumerated().map { ($1, firstNumber + $0) }
  }

  /// Reads the members of an object, from the current one on.
  ///
  /// A known member may occur only once, because it is unknown which of two values is correct.
  ///
  /// - Parameter seen: The members that have been read.
  /// - Parameter more: Whether there is a member to read.
  /// - Parameter depth: The number of objects and lists that contain the members.
  /// - Returns: How many numbers count as absent because they are impossible.
  @inline(__always)
  @discardableResult
  mutating func readMembers(
    of line: Span<UInt8>, _ index: inout Int, _ keys: inout KeyTable,
    _ names: inout DeviceNameCache,
    seen: MemberSet = MemberSet(), more: Bool, depth: Int = 1
  ) throws(MalformedReport) -> Int {
    var seen = seen
    var more = more
    // Stays in a register, because only copies are passed to methods that are not inlined.
    var position = index
    var previous = KeyTable.start
    var impossible = 0
    let firstUnread = firstUnread
    while more {
      if let member = try line.member(&position, of: &keys, after: previous) {
        previous = member
        guard seen.insert(member) else { throw MalformedReport() }
        if member >= firstUnread {
          let end = line.endOfShortNumber(at: position)
          position = end > position ? end : try line.endOfValue(position, depth: depth)
        } else if member >= Self.firstNumber {
          if let (number, end) = line.shortNumber(at: position) {
            set(number, at: member)
            position = end
          } else {
            let number = try line.anyNumberValue(&position, depth: depth)
            if let number, !Self.isPossible(number, at: member) {
              impossible &+= 1
              set(nil, at: member)
            } else {
              set(number, at: member)
            }
          }
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
    return impossible &+ (try finish())
  }
}

/// A set of members, by their numbers, which are below ``limit``.
struct MemberSet: Hashable, Sendable {
  static let limit = 128

  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// The set as a mask: bit *n* stands for the number *n*.
  var mask: UInt128 { UInt128(high) &<< 64 | UInt128(low) }

  @inline(__always)
  func contains(_ member: Int) -> Bool {
    (member < 64 ? low : high) & Self.bit(member) != 0
  }

  @inline(__always)
  mutating func add(_ member: Int) {
    if member < 64 { low |= Self.bit(member) } else { high |= Self.bit(member) }
  }

  @inline(__always)
  mutating func remove(_ member: Int) {
    if member < 64 { low &= ~Self.bit(member) } else { high &= ~Self.bit(member) }
  }

  @inline(__always)
  func intersection(_ other: MemberSet) -> MemberSet {
    var common = self
    common.low &= other.low
    common.high &= other.high
    return common
  }

  /// Removes and returns the first member; `nil` if the set is empty.
  @inline(__always)
  mutating func popFirst() -> Int? {
    if low != 0 {
      defer { low &= low &- 1 }
      return low.trailingZeroBitCount
    }
    guard high != 0 else { return nil }
    defer { high &= high &- 1 }
    return 64 &+ high.trailingZeroBitCount
  }

  /// Adds a member. Returns `false` if the set has it already.
  @inline(__always)
  mutating func insert(_ member: Int) -> Bool {
    let bit = Self.bit(member)
    if member < 64 {
      guard low & bit == 0 else { return false }
      low |= bit
    } else {
      guard high & bit == 0 else { return false }
      high |= bit
    }
    return true
  }

  // Shifts go by the lowest six bits.
  @inline(__always)
  private static func bit(_ member: Int) -> UInt64 { 1 &<< UInt64(truncatingIfNeeded: member) }
}

/// Reads receivers' names, and reuses the previous string for a repeated name.
struct DeviceNameCache: Sendable {
  /// The maximum length of a name, in bytes. A longer name is rejected, because a truncated one could equal another
  /// receiver's.
  private static let maximumLength = 255

  private var bytes: [UInt8] = []
  private var name = ""

  /// Reads a name; `nil` if the value is not a string, or an empty one.
  @inline(__always)
  mutating func read(
    _ line: Span<UInt8>, _ index: inout Int, depth: Int = 1
  ) throws(MalformedReport) -> String? {
    guard line.byte(index) == UInt8(ascii: "\"") else {
      try line.skipValue(&index, depth: depth)
      return nil
    }
    if isRepeated(in: line, index + 1) {
      index += bytes.count + 2
      return name.isEmpty ? nil : name
    }
    return try readNew(line, &index)
  }

  private func isRepeated(in line: Span<UInt8>, _ start: Int) -> Bool {
    guard line.byte(start + bytes.count) == UInt8(ascii: "\"") else { return false }
    for offset in bytes.indices where line.byte(start + offset) != bytes[offset] { return false }
    return true
  }

  @inline(never)
  private mutating func readNew(
    _ line: Span<UInt8>, _ index: inout Int
  ) throws(MalformedReport) -> String? {
    let text = try line.string(&index)
    let new = try line.text(text, limit: .max)
    guard new.utf8.count <= Self.maximumLength else { throw MalformedReport() }
    // A name with escapes cannot be compared byte by byte.
    if !text.isEscaped {
      name = new
      bytes = text.range.map { line[$0] }
    }
    return new.isEmpty ? nil : new
  }
}
