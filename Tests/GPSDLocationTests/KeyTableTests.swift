import Testing

@testable import GPSDLocation

@Suite struct `A table of member names` {
  private enum Full: Int, CaseIterable, CodingKey {
    case m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12,
      m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25,
      m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38,
      m39, m40, m41, m42, m43, m44, m45, m46, m47, m48, m49, m50, m51,
      m52, m53, m54, m55, m56, m57, m58, m59, m60, m61, m62, m63, m64, m65,
      m66, m67, m68, m69, m70, m71, m72, m73, m74, m75, m76, m77, m78, m79
  }

  private enum Overfull: Int, CaseIterable, CodingKey {
    case m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12,
      m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25,
      m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38,
      m39, m40, m41, m42, m43, m44, m45, m46, m47, m48, m49, m50, m51,
      m52, m53, m54, m55, m56, m57, m58, m59, m60, m61, m62, m63, m64, m65,
      m66, m67, m68, m69, m70, m71, m72, m73, m74, m75, m76, m77, m78, m79, m80
  }

  @Test func `finds each of 80`() {
    var table = KeyTable()
    table.prepare(for: Full.self)
    for member in Full.allCases {
      #expect(table[JSONKey(Array(member.stringValue.utf8).span)] == member.rawValue)
    }
  }

  /// A set that forgot the high word would take the 65th member for the first.
  @Test func `tells each member of a record from all others`() {
    for member in Full.allCases.indices {
      var seen = MemberSet()
      for other in Full.allCases.indices where other != member {
        let isNew = seen.insert(other)
        #expect(isNew)
      }
      let isNew = [seen.insert(member), seen.insert(member)]
      #expect(isNew == [true, false])
    }
  }

  @Test func `says that it does not hold 81`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var table = KeyTable()
      table.prepare(for: Overfull.self)
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("Overfull has 81 members, and a record can have 80"))
  }
}
