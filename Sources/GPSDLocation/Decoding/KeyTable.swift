/// The member names of one kind of object, and where each stands in its list.
struct KeyTable: Sendable {
  private struct Slot: Sendable {
    var key = JSONKey(head: 0, tail: 0)
    var member: UInt8 = 0
  }

  // A power of two, and four times what the longest list fills.
  private static let size = 256

  private var slots = [Slot](repeating: Slot(), count: size)

  /// The names of an enumeration's cases, each at its raw value.
  init<Member: CaseIterable & RawRepresentable<UInt8>>(_: Member.Type) {
    for member in Member.allCases {
      insert(JSONKey(String(describing: member).utf8), member.rawValue)
    }
  }

  private mutating func insert(_ key: JSONKey, _ member: UInt8) {
    var place = Self.place(of: key)
    while slots[place].key.head != 0 { place = (place + 1) % Self.size }
    slots[place] = Slot(key: key, member: member)
  }

  /// The place of the name in its list, `nil` for a name that is not in it.
  @inline(__always)
  subscript(key: JSONKey) -> UInt8? {
    var place = Self.place(of: key)
    while slots[place].key != key {
      if slots[place].key.head == 0 { return nil }
      place = (place + 1) % Self.size
    }
    return slots[place].member
  }

  @inline(__always)
  private static func place(of key: JSONKey) -> Int {
    // Fibonacci hashing: the odd number next to 2^64 over the golden ratio spreads similar keys.
    Int(truncatingIfNeeded: (key.head &* 0x9E37_79B9_7F4A_7C15) &>> 56)
  }
}
