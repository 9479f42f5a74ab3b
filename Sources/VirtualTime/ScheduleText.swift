/// The text of a schedule: the places of its choices, such as `0.2.1`; `0*12` are twelve zeros. `!7` is an interruption
/// at point 7, where the job runs that became ready last, and `!7:2` one where the second last runs.
enum ScheduleText {
  /// How many zeros are written as one word.
  private static let fewestZeros = 4

  static func text(of tape: Tape) -> String {
    var text = ""
    var last = 0
    for position in tape.unusual {
      switch position {
      case .place(let choice):
        text += (text.isEmpty ? "" : ".") + words(of: tape[position], after: choice - last - 1)
        last = choice
      case .interruption(let point): text += interruption(at: point, place: tape[position])
      }
    }
    return text
  }

  /// The words of an unusual place after usual ones.
  static func words(of place: Int, after zeros: Int) -> String {
    let words = zeros < fewestZeros ? Array(repeating: "0", count: zeros) : ["0*\(zeros)"]
    return (words + ["\(place)"]).joined(separator: ".")
  }

  static func interruption(at point: Int, place: Int) -> String {
    place == 1 ? "!\(point)" : "!\(point):\(place)"
  }

  /// Returns the choices; `nil` if the text is none of a schedule. An empty text is the usual order. Interruptions may
  /// be anywhere in it: a crash writes them where they happen.
  static func tape(of text: String) -> Tape? {
    var tape = Tape()
    var count = 0
    for (index, part) in text.split(separator: ".", omittingEmptySubsequences: false).enumerated() {
      var words = part.split(separator: "!", omittingEmptySubsequences: false)
      let run = words.removeFirst()
      // A text may begin with an interruption.
      if !run.isEmpty || index > 0 || words.isEmpty && !text.isEmpty {
        guard let (place, times) = pair(run, "*", below: (100_000, 1_000_000)),
          count + times <= 1_000_000
        else { return nil }
        if place > 0 { for choice in 1...max(1, times) { tape[.place(count + choice)] = place } }
        count += times
      }
      for word in words {
        guard let (point, place) = pair(word, ":", below: (10_000_000, 100_000)), point > 0,
          place > 0, tape[.interruption(point)] == 0
        else { return nil }
        tape[.interruption(point)] = place
      }
    }
    return tape
  }

  /// Two numbers with a separator between them, or one number, and then 1.
  private static func pair(
    _ text: Substring, _ separator: Character, below limits: (Int, Int)
  ) -> (Int, Int)? {
    let words = text.split(separator: separator, omittingEmptySubsequences: false)
    guard words.count <= 2, let first = number(words[0], below: limits.0),
      let second = words.count == 1 ? 1 : number(words[1], below: limits.1)
    else { return nil }
    return (first, second)
  }

  private static func number(_ text: Substring, below limit: Int) -> Int? {
    guard text.allSatisfy({ ("0"..."9").contains($0) }), let number = Int(text), number < limit
    else { return nil }
    return number
  }
}
