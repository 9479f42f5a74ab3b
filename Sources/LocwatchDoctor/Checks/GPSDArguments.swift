import GPSDLocation

/// The arguments of a gpsd.
struct GPSDArguments: Equatable {
  /// The letters of the options that are followed by a value.
  private static let valued: Set<Character> = ["D", "F", "f", "P", "S", "s"]

  /// The letters of the options.
  private(set) var options: Set<Character> = []
  /// What follows an option.
  private(set) var values: [Character: String] = [:]
  /// The devices.
  private(set) var devices: [String] = []

  init(_ arguments: some Sequence<String>) {
    var awaiting: Character?
    for argument in arguments {
      if let option = awaiting {
        values[option] = argument
        awaiting = nil
      } else if argument.hasPrefix("-"), argument.count > 1 {
        awaiting = read(argument.dropFirst())
      } else {
        devices.append(argument)
      }
    }
  }

  /// Reads letters of options. Returns the last one if its value is the next argument.
  private mutating func read(_ letters: Substring) -> Character? {
    var rest = letters
    while let letter = rest.popFirst() {
      options.insert(letter)
      guard Self.valued.contains(letter) else { continue }
      if rest.isEmpty { return letter }
      values[letter] = String(rest)
      return nil
    }
    return nil
  }

  /// The port that clients connect to.
  var port: UInt16 { values["S"].flatMap { UInt16($0) } ?? GPSDEndpoint.defaultPort }
}
