import LocationCore
import Testing

/// False fixes at moments that suit them, among those of receivers that report often or rarely.
///
/// Fault 133.
@Suite struct `When a false fix is reported` {
  /// The moment of a false fix, in relation to a true one.
  enum Place: CaseIterable {
    case before, after, between

    func seconds(of interval: Double) -> Double {
      switch self {
      case .before: -0.001
      case .after: 0.001
      case .between: interval / 2
      }
    }
  }

  /// How many fixes after a moment are believed.
  struct Count: Equatable {
    var truths = 0
    var lies = 0
    var allTruths = 0
  }

  /// - Parameters:
  ///   - share: How many false fixes there are for each true one.
  ///   - quiet: The number of true fixes before the first false one.
  ///   - first: The number of true fixes after which is counted.
  private func count(
    _ share: Double, _ place: Place, every interval: Double, manyPlaces: Bool = false,
    quiet: Int = 0, first: Int, of fixes: Int
  ) -> Count {
    var reports: [(second: Double, east: Double)] = []
    for number in 0..<fixes {
      let second = Double(number + 1) * interval
      reports.append((second, 0))
      guard number >= quiet,
        Int(Double(number + 1) * share) > Int(Double(number) * share)
      else { continue }
      // Each is farther away than an aeroplane could have come.
      let far = 3e6 + (manyPlaces ? 4e5 * Double(number * 7 % 20) : 0)
      reports.append((second + place.seconds(of: interval), far))
    }
    reports.sort { $0.second < $1.second }
    var story = DoubtStory()
    var count = Count()
    for report in reports {
      story.fix(report.second, east: report.east)
      guard report.second > Double(first) * interval + 0.01 else { continue }
      let isBelieved = story.told.last.map { $0.hasSuffix("none") } ?? true
      if report.east == 0 { count.allTruths += 1 }
      if isBelieved, report.east == 0 { count.truths += 1 }
      if isBelieved, report.east != 0 { count.lies += 1 }
    }
    return count
  }

  @Test(arguments: Place.allCases) func `does not matter if there are fewer of them`(place: Place) {
    for (interval, first) in [(0.2, 700), (1, 140), (4, 40), (10, 40), (60, 40), (900, 40)] {
      for share in [0.5, 0.6] {
        for (quiet, manyPlaces) in [(0, false), (0, true), (60, false), (60, true)] {
          let count = count(
            share, place, every: interval, manyPlaces: manyPlaces, quiet: quiet,
            first: max(first, quiet), of: max(first, quiet) + 100)
          #expect(
            count == Count(truths: 100, lies: 0, allTruths: 100),
            "\(share) every \(interval) s, \(quiet) before, \(manyPlaces)")
        }
      }
    }
  }

  @Test(arguments: Place.allCases) func `does not matter if there are as many`(place: Place) {
    for (interval, first) in [(0.2, 700), (1, 140), (10, 40), (60, 40), (900, 40)] {
      let quiet = max(Int(30 / min(interval, 5)) + 1, 10)
      for manyPlaces in [false, true] {
        // Where it was first, it stays.
        let late = count(
          1, place, every: interval, manyPlaces: manyPlaces, quiet: quiet, first: first,
          of: first + 500)
        #expect(
          late == Count(truths: 500, lies: 0, allTruths: 500), "\(interval) s, \(manyPlaces)")
        // Nobody knows which is true, unless the others are at many places.
        let early = count(
          1, place, every: interval, manyPlaces: manyPlaces, first: first, of: first + 500)
        #expect(
          early == Count(truths: manyPlaces ? 500 : 0, lies: 0, allTruths: 500),
          "\(interval) s, \(manyPlaces), at first")
      }
    }
  }

  /// Returns how many fixes are doubted.
  private func doubted(every interval: Double, _ fixes: [Double]) -> Int {
    var story = DoubtStory()
    var count = 0
    for (number, east) in fixes.enumerated() {
      story.fix(Double(number) * interval, east: east)
      if story.told.last.map({ !$0.hasSuffix("none") }) ?? false { count += 1 }
    }
    return count
  }

  /// Fault 94.
  @Test(arguments: [5.0, 10, 55, 60.01, 61, 65, 120, 300, 900, 3600])
  func `the number of fixes counts, however rare they are`(interval: Double) {
    let there = 15_000_000.0
    let rest = [Double](repeating: 0, count: 199)
    #expect(doubted(every: interval, [there] + rest) == 2)
    #expect(doubted(every: interval, [0] + rest + rest) == 0)
    let still = [Double](repeating: 0, count: 30)
    #expect(doubted(every: interval, still + rest.map { _ in there }) == 6)
    // One of three is false, from the first on.
    let mixed = (0..<200).map { $0 % 3 == 0 ? there : 0 }
    #expect(doubted(every: interval, mixed) == 69)
  }
}
