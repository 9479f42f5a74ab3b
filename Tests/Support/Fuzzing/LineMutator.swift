import LocationTestKit

/// Makes lines that were valid, or nearly, into lines that are anything.
struct LineMutator {
  private let seeds: [[UInt8]]
  private let hostile = HostileLines.all

  /// - Parameter seeds: Lines of a gpsd, without their line ends.
  init(seeds: [[UInt8]]) { self.seeds = seeds }

  /// What means something in JSON or to gpsd, what means nothing, and what ends a line.
  private static let tokens =
    [
      "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud83d", "e", "-", ".", "0", "1e999",
      "null",
      "true", "NaN", " ", "\n", "\r\n", "\0", "\u{1B}[31m", "\u{202E}", "\"lat\":1,", "\"mode\":3,",
      "\"class\":\"TPV\",", "\"class\":\"SKY\",", "\"device\":\"/dev/x\",", "\"activated\":0,",
      "\"time\":\"2026-11-20T07:05:12.000Z\",", "[[[[[[[[[[[[[[[[",
    ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0x80]]

  /// A line, or what a mutation made two of it. It ends with a line end.
  func line(_ random: inout SeededRandom) -> [UInt8] {
    let pool = Int.random(in: 0..<5, using: &random) == 0 ? hostile : seeds
    var line = pool.randomElement(using: &random) ?? []
    // The long ones are slow, and much alike.
    if line.count > 8192, Int.random(in: 0..<32, using: &random) > 0 {
      line = Array(line.prefix(40))
    }
    // Most stay valid, or nearly: only those get far.
    let changes = [0, 1, 1, 1, 2, 4].randomElement(using: &random) ?? 0
    for _ in 0..<changes where !line.isEmpty { mutate(&line, &random) }
    return line + Array((Bool.random(using: &random) ? "\r\n" : "\n").utf8)
  }

  private func mutate(_ line: inout [UInt8], _ random: inout SeededRandom) {
    let place = Int.random(in: 0..<line.count, using: &random)
    let end = min(line.count, place + .random(in: 1...20, using: &random))
    switch Int.random(in: 0..<12, using: &random) {
    case 0: line[place] = .random(in: 0...255, using: &random)
    case 1: line[place] ^= UInt8(1) << UInt8.random(in: 0...7, using: &random)
    case 2: line.removeSubrange(place..<end)
    case 3: line.insert(contentsOf: line[place..<end], at: place)
    case 4: line.removeSubrange(place...)
    case 5: line.insert(contentsOf: Self.tokens.randomElement(using: &random) ?? [], at: place)
    case 6...10: changeDigit(of: &line, from: place, &random)
    default:
      let other = seeds.randomElement(using: &random) ?? []
      let length = Int.random(in: 0...90, using: &random)
      line.replaceSubrange(place..<end, with: other.suffix(length))
    }
  }

  /// Leaves the line valid, and makes it say something else.
  private func changeDigit(of line: inout [UInt8], from place: Int, _ random: inout SeededRandom) {
    let isDigit = { (0x30...0x39).contains($0) } as (UInt8) -> Bool
    guard let digit = line[place...].firstIndex(where: isDigit) else { return }
    line[digit] = .random(in: 0x30...0x39, using: &random)
  }
}
