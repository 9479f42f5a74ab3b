import Testing

@testable import LocationText

@Suite struct TextBufferTests {
  @Test func `What is stored behind the end does not count`() {
    var text = TextBuffer()
    text.append(ShortText("ab"))
    #expect(text.string == "ab")
    text.append(number: 0.5)
    #expect(text.string == "ab0.5")
    text.append(character: "!")
    #expect(text.count == 6)
  }

  @Test(arguments: [1, 7, 8, 9, 15, 16, 17, 48])
  func `It grows with what it takes`(length: Int) {
    var text = TextBuffer()
    let word = String(repeating: "x", count: length)
    for _ in 0..<200 { text.append(text: word) }
    text.append(number: -1.7976931348623157e308)
    #expect(text.string.hasPrefix(String(repeating: "x", count: 200 * length) + "-17976"))
    #expect(text.count == 200 * length + 312)
  }

  @Test func `It can lose its beginning, and all of it`() {
    var text = TextBuffer()
    text.append(text: "one two")
    text.removeFirst(4)
    #expect(text.string == "two")
    text.append(text: " three")
    #expect(text.string == "two three")
    text.removeAll()
    #expect(text.string == "")
  }

  @Test(arguments: [
    "", "1234567", "12345678", "123456789abcdef", "123456789abcdefg", "größe 0123456789ABCDEF€",
  ])
  func `A text in pieces is the same text`(source: String) {
    var whole = TextBuffer()
    whole.append(text: source)
    var pieces = TextBuffer()
    pieces.append(ShortText.pieces(of: whole))
    #expect(pieces.string == source)
  }
}
