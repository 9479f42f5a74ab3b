/// The text of a schedule: the places of its choices, such as `0.2.1`; `0*12` are twelve zeros. `!7` is an interruption
/// at point 7, where the job runs that became ready last, and `!7:2` one where the second last runs.
enum ScheduleText {
  /// How many zeros are written as one word.
  private static let fewestZeros = 4

  static func text(of tape: Tape) -> String {
    var words: [String] = []
    var zeros = 0
    for place in tape.places {
      if place == 0 {
        zeros += 1
      } else {
        words.append(text(of: place, after: zeros))
        zeros = 0
      }
    }
    let points = tape.interruptions.sorted { $0.key < $1.key }
      .map { interruption(at: $0.key, place: $0.value) }
    return words.joined(separator: ".") + points.joined()
  }

  /// The words of an unusual place after usual ones.
  static func text(of place: Int, after zeros: Int) -> String {
    let words = zeros < fewestZeros ? Array(repeating: "0", count: zeros) : ["0*\(zeros)"]
    return (words + ["\(place)"]).joined(separator: ".")
  }

  static func interruption(at point: Int, place: Int) -> String {
    place == 1 ? "!\(point)" : "!\(point):\(place)"
  }

  /// Returns the choices; `nil` if the text is none of a schedule. An empty text is the usual order. Interruptions may be
  /// anywhere in it: a crash writes them where they happen.
  static func tape(of text: String) -> Tape? {
    var places: [Int] = []
    var interruptions: [Int: Int] = [:]
    for (index, part) in text.split(separator: ".", omittingEmptySubsequences: false).enumerated() {
      var words = part.split(separator: "!", omittingEmptySubsequences: false)
      let run = words.removeFirst()
      // A text may begin with an interruption.
      if !run.isEmpty || index > 0 || words.isEmpty && !text.isEmpty {
        guard let run = pair(run, "*", below: (100_000, 1_000_000)),
          places.count + run.1 <= 1_000_000
        else { return nil }
        places += Array(repeating: run.0, count: run.1)
      }
      for word in words {
        guard let (point, place) = pair(word, ":", below: (10_000_000, 100_000)), point > 0,
          place > 0, interruptions.updateValue(place, forKey: point) == nil
        else { return nil }
      }
    }
    return Tape(places: places, interruptions: interruptions)
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
