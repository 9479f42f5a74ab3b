import Synchronization

/// An enumeration whose cases are the names of an object's members.
typealias MemberName = CaseIterable & CodingKey & RawRepresentable<Int>

/// A table that maps the member names of one kind of object to the raw values of their enumeration.
///
/// The table learns the order in which gpsd writes members, and first tries the name that came next
/// the last time. That avoids a search, and the processor can read the value while it still compares
/// the name.
struct KeyTable: Sendable {
  /// The value that stands for the beginning of an object, before its first member.
  static let start = -1
  /// How many further members are tried before a name is looked up.
  private static let guesses = 3

  private struct Slot: Sendable {
    var key = JSONKey(head: 0, tail: 0)
    var member = 0
  }

  /// A name as written in a line, such as `"lat":`, of up to 16 bytes.
  struct Pattern: Sendable {
    var head: UInt64
    var tail: UInt64
    var headMask: UInt64
    var tailMask: UInt64
    var length: Int
    var member: Int

    init(_ name: ContiguousArray<UInt8>, _ member: Int) {
      let text = ContiguousArray("\"".utf8) + name + "\":".utf8
      let key = JSONKey(text.span)
      let mask = JSONKey(ContiguousArray(repeating: 0xFF, count: text.count).span)
      head = key.head
      tail = key.tail
      headMask = mask.head
      tailMask = mask.tail
      length = text.count
      self.member = member
    }

    /// Returns the end of the name and its colon, if they are at `index`.
    @inline(__always)
    func end(in line: Span<UInt8>, at index: Int) -> Int? {
      guard let head = line.eightBytes(at: index), (head ^ self.head) & headMask == 0 else {
        return nil
      }
      if tailMask != 0 {
        guard let tail = line.eightBytes(at: index &+ 8), (tail ^ self.tail) & tailMask == 0 else {
          return nil
        }
      }
      return index &+ length
    }
  }

  // A power of two, twice the maximum number of members.
  private static let size = 2 * MemberSet.limit

  private var slots: [Slot] = []
  private var patterns: [Pattern] = []
  /// The member that came after each one the last time, with that after ``start`` in the first place.
  /// Only they differ between decoders.
  private var successors: [UInt8] = []

  /// The tables that were filled. All decoders share their names, because they take 6 KB a table.
  private static let filled = Mutex<[Filled]>([])

  private struct Filled: Sendable {
    var members: ObjectIdentifier
    var table: KeyTable
  }

  /// Fills the table with the names of an enumeration, and others, if it is empty.
  ///
  /// Filling a table costs more than decoding a thousand reports, and only few kinds of reports occur.
  @inline(__always)
  mutating func prepare<Member: MemberName>(
    for member: Member.Type, and others: @autoclosure () -> [(name: String, number: Int)] = []
  ) {
    if slots.isEmpty { fill(with: member, others()) }
  }

  private mutating func fill<Member: MemberName>(
    with member: Member.Type, _ others: [(name: String, number: Int)]
  ) {
    self = Self.filled.withLock { filled in
      let members = ObjectIdentifier(member)
      if let same = filled.first(where: { $0.members == members }) { return same.table }
      let table = KeyTable(of: member, others)
      filled.append(Filled(members: members, table: table))
      return table
    }
  }

  init() {}

  private init<Member: MemberName>(
    of _: Member.Type, _ others: [(name: String, number: Int)]
  ) {
    let members = Member.allCases.map { (name: $0.stringValue, number: $0.rawValue) } + others
    let end = members.reduce(0) { max($0, $1.number + 1) }
    guard end <= MemberSet.limit else {
      fatalError("\(Member.self) has \(end) members, and a record can have \(MemberSet.limit)")
    }
    slots = Array(repeating: Slot(), count: Self.size)
    // There are numbers without a name, which no member precedes.
    patterns = Array(repeating: Pattern([], 0), count: end)
    for (name, number) in members {
      let name = ContiguousArray(name.utf8)
      insert(JSONKey(name.span), number)
      patterns[number] = Pattern(name, number)
    }
    successors = Array(repeating: 0, count: end + 1)
  }

  private mutating func insert(_ key: JSONKey, _ member: Int) {
    var place = Self.place(of: key)
    while slots[place].key.head != 0 { place = (place + 1) % Self.size }
    slots[place] = Slot(key: key, member: member)
  }

  /// The raw value of a name; `nil` if the name is not in the table.
  subscript(key: JSONKey) -> Int? {
    var place = Self.place(of: key)
    while slots[place].key != key {
      if slots[place].key.head == 0 { return nil }
      place = (place + 1) % Self.size
    }
    return slots[place].member
  }

  private static func place(of key: JSONKey) -> Int {
    // Fibonacci hashing: the odd number next to 2^64 over the golden ratio spreads similar keys.
    Int(truncatingIfNeeded: (key.head &* 0x9E37_79B9_7F4A_7C15) &>> 56)
  }

  /// Returns the member that came after `previous` the last time, and where its value begins; `nil`
  /// if its name and colon are not at `index`.
  @inline(__always)
  func expected(
    after previous: Int, in line: Span<UInt8>, at index: Int
  ) -> (member: Int, end: Int)? {
    let pattern = patterns[Int(successors[previous &+ 1])]
    return pattern.end(in: line, at: index).map { (pattern.member, $0) }
  }

  /// Returns the member whose name and colon are at `index` if it came soon after `previous` the last time, with up to
  /// ``guesses`` others in between, and where its value begins; `nil` if it did not.
  func expected(
    behindGapAfter previous: Int, in line: Span<UInt8>, at index: Int
  ) -> (member: Int, end: Int)? {
    var member = Int(successors[previous &+ 1])
    for _ in 0..<Self.guesses {
      member = Int(successors[member &+ 1])
      if let end = patterns[member].end(in: line, at: index) { return (member, end) }
    }
    return nil
  }

  mutating func learn(_ member: Int, after previous: Int) {
    successors[previous &+ 1] = UInt8(member)
  }

  /// Replaces `order` by the members that were learned, from the first on. The last object may lack some of them.
  func getOrder(_ order: inout [Pattern]) {
    order.removeAll(keepingCapacity: true)
    var seen = MemberSet()
    var member = Int(successors[Self.start &+ 1])
    while seen.insert(member) {
      order.append(patterns[member])
      member = Int(successors[member &+ 1])
    }
  }
}

extension Span where Element == UInt8 {
  /// Reads the name of a member and its colon, and looks up the name.
  ///
  /// The index may stop before the space that precedes the value.
  ///
  /// - Parameter previous: The previous member, or ``KeyTable/start``.
  /// - Returns: The raw value of the name; `nil` if the name is not in the table.
  @inline(__always)
  func member(
    _ index: inout Int, of keys: inout KeyTable, after previous: Int
  ) throws(MalformedReport) -> Int? {
    if let (member, end) = keys.expected(after: previous, in: self, at: index) {
      index = end
      return member
    }
    let (member, end) = try otherMember(at: index, of: &keys, after: previous)
    index = end
    return member
  }

  // Not inlined, so that this rare path takes no registers from the caller's loop.
  @inline(never)
  private func otherMember(
    at start: Int, of keys: inout KeyTable, after previous: Int
  ) throws(MalformedReport) -> (Int?, end: Int) {
    if let (member, value) = keys.expected(behindGapAfter: previous, in: self, at: start) {
      return (member, value)
    }
    var index = start
    let member = try word(&index, of: keys)
    skipSpace(&index)
    try expect(":", &index)
    skipSpace(&index)
    if let member { keys.learn(member, after: previous) }
    return (member, index)
  }

  /// Reads a string and returns its raw value in the table.
  @inline(__always)
  func word(_ index: inout Int, of keys: KeyTable) throws(MalformedReport) -> Int? {
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
  private func key(at start: Int) throws(MalformedReport) -> (key: JSONKey, end: Int) {
    var index = start
    let text = try string(&index)
    guard text.isEscaped else { return (JSONKey(extracting(text.range)), index) }
    let bytes = try unescaped(text)
    return (JSONKey(bytes.span), index)
  }
}

/// A short string in two machine words, which can be compared and looked up without a loop.
struct JSONKey: Hashable, Sendable {
  /// The first eight bytes, with the first in the lowest place, padded with zeros.
  var head: UInt64 = 0
  /// The next eight bytes.
  var tail: UInt64 = 0

  /// The key of any string that is empty, longer than 16 bytes, or contains a NUL, none of which gpsd
  /// uses as a name. Its bytes, 0xFF, occur in no valid string.
  static let unknown = JSONKey(head: .max, tail: .max)

  @inline(__always)
  init(head: UInt64, tail: UInt64) {
    self.head = head
    self.tail = tail
  }

  init(_ bytes: Span<UInt8>) {
    guard 1...16 ~= bytes.count else {
      self = .unknown
      return
    }
    for index in bytes.indices {
      guard bytes[index] != 0 else {
        self = .unknown
        return
      }
      let byte = UInt64(bytes[index]) &<< UInt64(index % 8 * 8)
      if index < 8 { head |= byte } else { tail |= byte }
    }
  }
}

extension Span where Element == UInt8 {
  /// Returns the key of a quoted string of 1 to 15 bytes, and its end.
  ///
  /// The string is not validated: an escape or an invalid byte yields a key that is in no table. The
  /// result is `nil` for any other string, for one too near to the end of the line, and for one that
  /// ends with a NUL, whose key would equal that of the string without the NUL.
  @inline(__always)
  func shortKey(at index: Int) -> (key: JSONKey, end: Int)? {
    let quote = UInt8(ascii: "\"")
    guard byte(index) == quote, let head = eightBytes(at: index &+ 1),
      let tail = eightBytes(at: index &+ 9)
    else { return nil }
    let headBits = head.bits(before: quote)
    let key: JSONKey
    let end: Int
    if headBits < 64 {
      key = JSONKey(head: head & ((1 &<< headBits) &- 1), tail: 0)
      end = index &+ 2 &+ Int(headBits &>> 3)
    } else {
      let tailBits = tail.bits(before: quote)
      guard tailBits < 64 else { return nil }
      key = JSONKey(head: head, tail: tail & ((1 &<< tailBits) &- 1))
      end = index &+ 10 &+ Int(tailBits &>> 3)
    }
    // In an empty string, the byte before the closing quote is the opening quote. No name ends with
    // such a low byte.
    guard byte(end &- 2) > quote else { return nil }
    return (key, end)
  }
}

extension Span where Element == UInt8 {
  /// Returns eight bytes as one word, with the first in the lowest place; `nil` if the line ends
  /// before.
  @inline(__always)
  func eightBytes(at index: Int) -> UInt64? {
    // `last` stays the same in a loop, so one comparison is left there. The load's own check would add three. Any eight
    // bytes are a number, so that nothing but the place could be wrong.
    let last = count &- 8
    guard last >= 0, UInt(bitPattern: index) <= UInt(bitPattern: last) else { return nil }
    return unsafe UInt64(
      littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
  }
}

extension UInt64 {
  /// Returns the number of bits below the lowest byte that equals `byte`; 64 if none does.
  @inline(__always)
  func bits(before byte: UInt8) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    // Subtracting one from a zero byte borrows, so that the lowest byte that borrowed is zero.
    let difference = self ^ (ones &* UInt64(byte))
    let marks = (difference &- ones) & ~difference & (ones &<< 7)
    return UInt64(marks.trailingZeroBitCount) & ~7
  }
}
