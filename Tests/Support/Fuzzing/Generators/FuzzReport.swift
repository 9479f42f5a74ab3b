import LocationTestKit

/// A report of gpsd while it is written.
struct FuzzReport {
  private var members: String
  private let oddness: Double

  /// - Parameters:
  ///   - device: The path of the receiver; `nil` if the report names none.
  ///   - oddness: How often, from 0 to 1, a number is replaced by an odd one or left out.
  init(_ name: String, device: String?, oddness: Double) {
    self.oddness = oddness
    members = "\"class\":\"\(name)\""
    if let device { add(text: "device", device) }
  }

  /// - Parameter text: A text in which nothing has to be escaped.
  mutating func add(text name: String, _ text: String) {
    members += ",\"\(name)\":\"\(text)\""
  }

  mutating func add(_ name: String, _ number: String, _ random: inout SeededRandom) {
    var number = number
    if oddness > 0, random.happens(oddness) {
      guard Int.random(in: 0..<4, using: &random) > 0 else { return }
      number = OddNumber.any(&random)
    }
    members += ",\"\(name)\":\(number)"
  }

  mutating func add(list name: String, _ elements: [String]) {
    members += ",\"\(name)\":[\(elements.joined(separator: ","))]"
  }

  var text: String { "{\(members)}" }
}
