import GPSDLocation
import LocationCore
import LocationTestKit

/// What a gpsd gone mad sends: mutated lines, and between them valid ones that have to arrive.
struct FuzzStream {
  /// The path of the receiver of the valid lines.
  static let neighbour = "/dev/neighbour"

  private let mutator: LineMutator
  private var random: SeededRandom
  private var batch: [UInt8] = []
  private var position = 0
  private(set) var mutatedLines = 0
  private var neighbour = Neighbour(path: Self.neighbour)

  init(_ mutator: LineMutator, seed: UInt64) {
    self.mutator = mutator
    random = SeededRandom(seed: seed)
  }

  /// How many valid lines there were.
  var neighbours: Int { neighbour.count }

  /// Whether all lines that were begun have been given out.
  var isBetweenBatches: Bool { position == batch.count }

  /// What came last, to be looked at where something went wrong.
  var lastBatch: [UInt8] { batch }

  /// The next bytes, cut anywhere.
  mutating func next() -> ArraySlice<UInt8> {
    if isBetweenBatches { makeBatch() }
    let most = Int.random(in: 0..<8, using: &random) == 0 ? 3 : 4096
    let end = min(batch.count, position + .random(in: 1...most, using: &random))
    defer { position = end }
    return batch[position..<end]
  }

  /// Takes back unread bytes, which come again.
  mutating func takeBack(_ count: Int) { position -= count }

  private mutating func makeBatch() {
    batch.removeAll(keepingCapacity: true)
    position = 0
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      batch += mutator.line(&random)
      mutatedLines += 1
    }
    batch += neighbour.next().utf8
    batch += "\r\n".utf8
  }

  /// Whether this is a valid line.
  static func isOfNeighbour(_ line: ArraySlice<UInt8>) -> Bool {
    line.starts(with: beginning.utf8)
  }

  private static let beginning = #"{"class":"TPV","device":"\#(neighbour)","mode":3,"time":""#
}
