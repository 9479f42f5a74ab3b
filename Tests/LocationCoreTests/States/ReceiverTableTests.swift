import Testing

@testable import LocationCore

/// Fault 41.
@Suite struct `A table of receivers` {
  @Test func `keeps 64 values in the order of their appearance`() {
    var table = ReceiverTable<Int>()
    for number in 0..<64 { table["\(number)"] = number }
    #expect(table.values == Array(0..<64))
    #expect(table["7"] == 7 && table["64"] == nil && table[nil] == nil)
    #expect(table.path(at: 7) == "7")
  }

  @Test func `replaces the receiver that was used least recently`() {
    var table = ReceiverTable<Int>()
    for number in 0..<64 { table["\(number)"] = number }
    table["0"] = 100
    #expect(table.find("1") == 1)
    table["64"] = 64
    #expect(table["0"] == 100 && table["1"] == 1 && table["2"] == nil && table["64"] == 64)
    for number in 65..<100_000 { table["\(number)"] = number }
    #expect(table.values.count == 64)
    #expect(table.values == Array(99_936..<100_000))
  }

  @Test func `replaces only what may be replaced`() {
    var table = ReceiverTable<Int>()
    for number in 0..<64 { table["\(number)"] = number }
    #expect(table.insert(64, for: "64") { $0 == 7 } == 63)
    #expect(table["7"] == nil && table["64"] == 64)
    #expect(table.insert(65, for: "65") { $0 == 7 } == nil)
    #expect(table.values.count == 64)
  }

  @Test func `finds the others after some were removed`() {
    var table = ReceiverTable<Int>()
    for number in 0..<4 { table["\(number)"] = number }
    table["1"] = nil
    #expect(table.find("1") == nil && table.find("2") == 1 && table.find("3") == 2)
    table.removeAll { $0 == "0" }
    #expect(table.values == [2, 3])
    table.removeAll()
    #expect(table.find("2") == nil && table.isEmpty)
    table[nil] = 5
    #expect(table[nil] == 5 && table[""] == nil)
  }

  /// The pairs are canonically equivalent: equal as strings.
  @Test(arguments: [
    ("/dev/\u{e9}", "/dev/e\u{301}"), ("a\u{301}\u{323}", "a\u{323}\u{301}"), ("\u{212a}", "K"),
    ("\u{ac00}", "\u{1100}\u{1161}"),
  ])
  func `56: distinguishes paths by their bytes`(path: String, other: String) {
    #expect(path == other)
    var table = ReceiverTable<Int>()
    table[path] = 1
    #expect(table[other] == nil)
    table[other] = 2
    #expect(table.values == [1, 2])
    #expect(table.find(path) == 0 && table.find(other) == 1)
    table[path] = nil
    #expect(table.values == [2])
    #expect(!isSamePath(path, other))
    #expect(isSamePath(other, String(decoding: Array(other.utf8), as: UTF8.self)))
  }
}
