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
  @Test func `distinguishes each member of a record from all others`() {
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

  @Test func `keeps the members of a record apart in both halves of a set`() {
    for member in 0..<MemberSet.limit {
      // Of the other half.
      let other = (member + 64) % MemberSet.limit
      var (one, both) = (MemberSet(), MemberSet())
      one.add(member)
      #expect(one.mask == 1 << UInt128(member))
      #expect(one.contains(member) && !one.contains(other))
      both.add(other)
      #expect(one.intersection(both) == MemberSet() && both.intersection(one) == MemberSet())
      both.add(member)
      #expect(one.intersection(both) == one && both.intersection(one) == one)
      #expect(both.intersection(both) == both)
      let members = (0..<3).map { _ in both.popFirst() }
      #expect(members == [min(member, other), max(member, other), nil])
      one.remove(other)
      #expect(one.contains(member))
      one.remove(member)
      #expect(one == MemberSet())
    }
  }

  // Tables of one enumeration share their names.
  private enum Second: Int, CaseIterable, CodingKey { case m0, m1, m2 }

  /// `"m5":` to `"m9":` are learned in that order.
  private static let learned: KeyTable = {
    var table = KeyTable()
    table.prepare(for: Second.self, and: others(5))
    table.learn(5, after: KeyTable.start)
    for member in 6...9 { table.learn(member, after: member - 1) }
    return table
  }()

  private static let line = Array(#""m5":1,"m6":1,"m7":1,"m8":1,"m9":1,"m1":1}        "#.utf8)

  @Test func `expects each member after the one before, and up to three further on`() {
    for (place, member) in (5...9).enumerated() {
      let expected = Self.learned.expected(
        after: place == 0 ? KeyTable.start : member - 1, in: Self.line.span, at: 7 * place)
      #expect(expected.map { [$0.member, $0.end] } == [member, 7 * place + 5])
      for before in [KeyTable.start] + Array(5..<9) {
        let gap = member - (before == KeyTable.start ? 5 : before + 1)
        let found = Self.learned.expected(
          behindGapAfter: before, in: Self.line.span, at: 7 * place)
        #expect(found?.member == (1...3 ~= gap ? member : nil), "\(member) after \(before)")
      }
    }
    #expect(Self.learned.expected(after: 9, in: Self.line.span, at: 35) == nil)
    #expect(Self.learned.expected(behindGapAfter: 8, in: Self.line.span, at: 35) == nil)
  }

  @Test func `returns the members in the order that it learned`() {
    var table = Self.learned
    var order: [KeyTable.Pattern] = []
    table.getOrder(&order)
    #expect(order.map(\.member).prefix(5) == [5, 6, 7, 8, 9])
    #expect(Set(order.map(\.member)).count == order.count)
    table.learn(8, after: 5)
    table.getOrder(&order)
    #expect(order.map(\.member).prefix(3) == [5, 8, 9])
  }

  @Test func `reads eight bytes where there are eight, and nowhere else`() {
    for count in 0...17 {
      let bytes = (0..<UInt8(count)).map { $0 + 1 }
      for index in [Int.min, -8, -1] + Array(0...count + 8) + [.max - 7, .max] {
        let isInside = index >= 0 && index <= count - 8
        let word: UInt64? =
          isInside ? bytes[index..<index + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) } : nil
        #expect(bytes.span.eightBytes(at: index) == word)
      }
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
