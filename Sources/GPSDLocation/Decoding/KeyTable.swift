/// The names of an object's members: the cases of an enumeration, as they are spelled.
typealias MemberName = CaseIterable & CodingKey & RawRepresentable<Int>

/// The member names of one kind of object, and where each stands in its list.
///
/// It learns the order in which gpsd writes them. The name that came next the last time is tried
/// first: the processor then goes on with the value while it still compares, and nothing has to be
/// searched.
struct KeyTable: Sendable {
  /// A record notes its members by a bit each of one word.
  private static let mostMembers = 64
  /// Stands for the beginning of an object, where no member came before.
  static let start = mostMembers

  private struct Slot: Sendable {
    var key = JSONKey(head: 0, tail: 0)
    var member = 0
  }

  /// A name as it stands in a line, `"lat":`, if that has up to 16 bytes.
  private struct Pattern: Sendable {
    var head: UInt64
    var tail: UInt64
    var headMask: UInt64
    var tailMask: UInt64
    var length: Int
    var member: Int

    init(_ name: [UInt8], _ member: Int) {
      let text = [UInt8(ascii: "\"")] + name + [UInt8(ascii: "\""), UInt8(ascii: ":")]
      let key = JSONKey(text.span)
      let mask = JSONKey([UInt8](repeating: 0xFF, count: text.count).span)
      head = key.head
      tail = key.tail
      headMask = mask.head
      tailMask = mask.tail
      length = text.count
      self.member = member
    }
  }

  // A power of two, and four times what the longest list fills.
  private static let size = 256

  private var slots: [Slot] = []
  private var patterns: [Pattern] = []
  /// What came behind each member the last time; ``start`` has the last place.
  private var successors: [Pattern] = []

  /// Takes the names of an enumeration's cases, each at its raw value: its place among them.
  ///
  /// Names cost more to find than a thousand reports to read, and few kinds of reports come.
  @inline(__always)
  mutating func prepare<Member: MemberName>(for member: Member.Type) {
    if slots.isEmpty { fill(with: member) }
  }

  private mutating func fill<Member: MemberName>(with _: Member.Type) {
    let count = Member.allCases.count
    guard count <= Self.mostMembers else {
      fatalError("\(Member.self) has \(count) members, and a record can have \(Self.mostMembers)")
    }
    slots = Array(repeating: Slot(), count: Self.size)
    for member in Member.allCases {
      let name = Array(member.stringValue.utf8)
      insert(JSONKey(name.span), member.rawValue)
      patterns.append(Pattern(name, member.rawValue))
    }
    successors = Array(repeating: patterns[0], count: Self.start + 1)
  }

  private mutating func insert(_ key: JSONKey, _ member: Int) {
    var place = Self.place(of: key)
    while slots[place].key.head != 0 { place = (place + 1) % Self.size }
    slots[place] = Slot(key: key, member: member)
  }

  /// The place of the name in its list, `nil` for a name that is not in it.
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

  /// The member that came after `previous` the last time, if its name and the colon behind it are
  /// there, and where its value begins.
  @inline(__always)
  func expected(
    after previous: Int, in line: Span<UInt8>, at index: Int
  ) -> (member: Int, end: Int)? {
    let pattern = successors[previous]
    guard index >= 0, index &+ 8 <= line.count,
      (line.eightBytes(at: index) ^ pattern.head) & pattern.headMask == 0
    else { return nil }
    if pattern.tailMask != 0 {
      guard index &+ 16 <= line.count,
        (line.eightBytes(at: index &+ 8) ^ pattern.tail) & pattern.tailMask == 0
      else { return nil }
    }
    return (pattern.member, index &+ pattern.length)
  }

  mutating func learn(_ member: Int, after previous: Int) {
    successors[previous] = patterns[member]
  }
}
