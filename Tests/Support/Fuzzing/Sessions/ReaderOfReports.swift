import Glibc
import LocationTestKit

/// A pipe whose reader takes what it likes, and may leave.
struct ReaderOfReports {
  /// The end to write to, which never blocks.
  let writing: CInt
  /// Whether the reader has left.
  private(set) var isClosed = false
  private let reading: CInt
  private var bytes: [UInt8] = []
  private var turnsLeft: Int

  /// - Parameter isImpatient: Whether it leaves after a while.
  init(isImpatient: Bool, _ random: inout SeededRandom) {
    var ends: [CInt] = [-1, -1]
    _ = pipe(&ends)
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    (reading, writing) = (ends[0], ends[1])
    turnsLeft = isImpatient ? .random(in: 0...40, using: &random) : .max
  }

  mutating func read(_ random: inout SeededRandom) {
    turnsLeft -= 1
    if turnsLeft <= 0, !isClosed {
      _ = close(reading)
      isClosed = true
    }
    if random.happens(onceIn: 2) { _ = take(random.pick([1, 100, 65_536])) }
  }

  /// Reads what is left, and closes the pipe.
  mutating func readAll() {
    while take(65_536) {}
    if !isClosed { _ = close(reading) }
    _ = close(writing)
  }

  private mutating func take(_ count: Int) -> Bool {
    guard !isClosed else { return false }
    var part = [UInt8](repeating: 0, count: count)
    let count = Glibc.read(reading, &part, count)
    guard count > 0 else { return false }
    bytes += part[..<count]
    return true
  }

  /// The whole lines that were read.
  var lines: [String] {
    bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
