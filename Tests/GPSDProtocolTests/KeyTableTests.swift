import Testing

@testable import GPSDProtocol

@Suite struct `A table of member names` {
  private enum First: Int, CaseIterable, CodingKey { case m0, m1, m2 }

  /// `count` further members, after those of `First` and a gap.
  private static func others(_ count: Int) -> [(name: String, number: Int)] {
    (5..<5 + count).map { ("m\($0)", $0) }
  }

  @Test func `finds each of those of an enumeration, and of others`() {
    var table = KeyTable()
    let others = Self.others(123)
    table.prepare(for: First.self, and: others)
    for (name, number) in First.allCases.map({ ($0.stringValue, $0.rawValue) }) + others {
      #expect(table[JSONKey(Array(name.utf8).span)] == number)
    }
    #expect(others.last?.number == 127)
    for name in ["m3", "m4", "m128", ""] {
      #expect(table[JSONKey(Array(name.utf8).span)] == nil)
    }
  }

  /// A set that forgot the high word would take the 65th member for the first.
  @Test func `tells each member of a record from all others`() {
    for member in 0..<MemberSet.limit {
      var seen = MemberSet()
      for other in 0..<MemberSet.limit where other != member {
        let isNew = seen.insert(other)
        #expect(isNew)
      }
      #expect(!seen.contains(member))
      #expect(seen.mask == ~(1 << UInt128(member)))
      let isNew = [seen.insert(member), seen.insert(member)]
      #expect(isNew == [true, false])
      seen.remove(member)
      #expect(seen.mask == ~(1 << UInt128(member)))
    }
  }

  private enum Overfull: Int, CaseIterable, CodingKey { case m0, m1, m2 }

  @Test func `says that it does not hold 129`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var table = KeyTable()
      table.prepare(for: Overfull.self, and: Self.others(124))
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("Overfull has 129 members, and a record can have 128"))
  }
}
