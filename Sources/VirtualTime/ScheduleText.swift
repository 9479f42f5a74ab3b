/// The text of a schedule: the places of its choices, such as `0.2.1`; `0*12` are twelve zeros.
enum ScheduleText {
  /// How many zeros are written as one word.
  private static let fewestZeros = 4

  static func text(of tape: [Int]) -> String {
    var words: [String] = []
    var zeros = 0
    for place in tape + [-1] {
      if place == 0 {
        zeros += 1
        continue
      }
      words += zeros < fewestZeros ? Array(repeating: "0", count: zeros) : ["0*\(zeros)"]
      zeros = 0
      if place > 0 { words.append("\(place)") }
    }
    return words.joined(separator: ".")
  }

  /// Returns the places; `nil` if the text is none of a schedule. An empty text is the usual order.
  static func tape(of text: String) -> [Int]? {
    guard !text.isEmpty else { return [] }
    var tape: [Int] = []
    for word in text.split(separator: ".", omittingEmptySubsequences: false) {
      let parts = word.split(separator: "*", omittingEmptySubsequences: false)
      guard parts.count <= 2, let place = number(parts[0], below: 100_000) else { return nil }
      let count = parts.count == 1 ? 1 : number(parts[1], below: 1_000_000)
      guard let count, tape.count + count <= 1_000_000 else { return nil }
      tape += Array(repeating: place, count: count)
    }
    return tape
  }

  private static func number(_ text: Substring, below limit: Int) -> Int? {
    guard text.allSatisfy({ ("0"..."9").contains($0) }), let number = Int(text), number < limit
    else { return nil }
    return number
  }
}
