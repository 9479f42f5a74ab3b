/// The samples of stops, as deviations from the mean of each stop. The heights of a stop with climbs are left
/// out. So are positions that are too far away for the stop: jumps, and positions whose claimed errors explain
/// the distance.
struct StopSamples {
  private(set) var samples = Samples()
  /// The mean of all heights, in metres above the origin.
  private(set) var meanHeight = 0.0
  /// Where sequences of consecutive fixes begin: the index of the first sample, and the number of its fix.
  private var beginnings: [(index: Int, number: Int)] = []
  private let step: Int
  /// How many times wider than usual a noisy stop can be.
  private static let widest = 3.0
  /// A position that is farther from the place than this many median distances is not noise.
  private static let spreads = 5.0

  /// - Parameters:
  ///   - stops: The stops, in their order.
  ///   - plane: The plane of the samples.
  ///   - reach: A receiver at this distance from the middle of a stop has left it, in metres. It is larger
  ///     where the noise is wider.
  init(of all: Samples, in stops: [Stop], on plane: LocalPlane, reach: Double) {
    step = all.step
    var (heights, count) = (0.0, 0.0)
    for (stop, members) in zip(stops, Self.members(of: all, in: stops)) where !members.isEmpty {
      let centre = plane.project(stop.coordinate)
      func distance(_ sample: Sample) -> Double {
        let (east, north) = (sample.east - centre.east, sample.north - centre.north)
        return (east * east + north * north).squareRoot()
      }
      let noise = Self.spreads * members.map { distance($0.sample) }.middle
      let farthest = min(max(reach, noise), Self.widest * reach)
      let near = members.filter { distance($0.sample) <= farthest }
      let known = stop.climbs ? [] : near.compactMap(\.sample.height)
      heights += known.reduce(0, +)
      count += Double(known.count)
      let mean = (
        east: near.map(\.sample.east).mean, north: near.map(\.sample.north).mean,
        height: known.mean
      )
      var next: Int?
      for (number, sample) in near {
        if number != next { beginnings.append((samples.total, number)) }
        next = number + step
        samples.append(
          Sample(
            east: sample.east - mean.east, north: sample.north - mean.north,
            height: stop.climbs ? nil : sample.height.map { $0 - mean.height }))
      }
    }
    meanHeight = count > 0 ? heights / count : 0
  }

  /// Returns the number of a sample's fix, among all fixes that count. It is called with ascending indices.
  var numbers: (Int) -> Int {
    var part = 0
    return { index in
      while part + 1 < beginnings.count, beginnings[part + 1].index <= index { part += 1 }
      return beginnings[part].number + (index - beginnings[part].index) * step
    }
  }

  /// The samples of each stop, with the numbers of their fixes.
  private static func members(
    of all: Samples, in stops: [Stop]
  ) -> [[(number: Int, sample: Sample)]] {
    var members = Array(repeating: [(number: Int, sample: Sample)](), count: stops.count)
    var stop = 0
    for (index, sample) in all.enumerated() {
      let number = index * all.step
      while stop < stops.count, stops[stop].fixes.upperBound <= number { stop += 1 }
      guard stop < stops.count else { break }
      if stops[stop].fixes.contains(number) { members[stop].append((number, sample)) }
    }
    return members
  }
}
