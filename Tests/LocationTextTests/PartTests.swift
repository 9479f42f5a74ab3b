import LocationText
import Testing

@Suite struct `A part of a text or a collection` {
  @Test(arguments: [("..", ".."), ("xterm-256color", "256"), ("über", "ü")])
  func `is there`(text: String, part: String) { #expect(text.contains(text: part)) }

  @Test(arguments: [("", ".."), ("5s.", ".."), ("dialout", "dialouts")])
  func `is not there`(text: String, part: String) { #expect(!text.contains(text: part)) }

  @Test func `is in each if it is empty`() {
    #expect("".contains(text: "") && "a".contains(text: ""))
  }

  @Test(arguments: [([1, 2], 0), ([2, 3], 1), ([3], 2), ([3, 4], nil), ([1, 3], nil)])
  func `begins at the first place where all of it is`(part: [Int], index: Int?) {
    #expect([1, 2, 3].firstIndex(ofPart: part) == index)
    #expect([1, 2, 3].contains(part: part) == (index != nil))
  }
}
