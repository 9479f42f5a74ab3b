import Testing

@testable import LocwatchSystem

/// Fault 130.
@Suite struct MessageTests {
  private static let evil = "a\nlocwatch: \u{1b}[2J\r\u{202e}"

  @Test func `An insertion never begins a line`() {
    let message: Message = "first \(Self.evil)\nsecond \(7)"
    #expect(
      message.lines == [#"first a\u{a}locwatch: \u{1b}[2J\u{d}\u{202e}"#, "second 7"])
    #expect(message.text == "\(message)")
  }

  @Test func `A message that is inserted keeps its lines, and is not escaped again`() {
    let inner: Message = "a \(Self.evil)\nb"
    let outer: Message = "\(inner); \(inner)"
    #expect(outer.lines.count == 3)
    #expect(outer.text == "\(inner.text); \(inner.text)")
  }

  @Test func `Messages are joined by a plus, or as lines`() {
    let sum: Message = "a \(1)" + "b\nc"
    #expect(sum == "a 1b\nc")
    #expect(Message(lines: ["a", "b"]) == "a\nb" && Message(lines: []).isEmpty)
    #expect(("" as Message).isEmpty && !sum.isEmpty && sum.lines == ["a 1b", "c"])
  }

  @Test func `A long text is not cut here`() {
    let text = String(repeating: "x", count: 5000)
    #expect(("\(text)" as Message).text == text)
  }
}
