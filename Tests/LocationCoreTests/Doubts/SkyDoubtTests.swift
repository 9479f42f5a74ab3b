import LocationCore
import Testing

/// Fault 133.
@Suite struct `A sky that is none` {
  /// Satellites from the horizon to the zenith, stronger the higher they are.
  private static func satellites(
    _ count: Int = 10, change: (Int, inout Satellite) -> Void = { _, _ in }
  ) -> [Satellite] {
    (0..<count).map { number in
      var satellite = Satellite(
        prn: number + 1, elevation: 10 + 70 * Double(number) / Double(count - 1), azimuth: 90,
        signalStrength: 32 + 1.5 * Double(number), isUsed: true)
      change(number, &satellite)
      return satellite
    }
  }

  private func told(_ seconds: Range<Int>, _ sky: (Int) -> [Satellite]) -> [String] {
    var story = DoubtStory()
    for second in seconds {
      story.sky(Double(second), sky(second))
      story.fix(Double(second))
    }
    return story.told
  }

  @Test func `is doubted after 5 s and believed after 60 s`() {
    let told = told(0..<200) { second in
      Self.satellites { _, satellite in
        if 50..<70 ~= second { satellite.signalStrength = 44 }
      }
    }
    #expect(
      told == [
        "55.0 sky: the signals of all satellites are equally strong", "130.0 none",
      ])
  }

  @Test func `is one below the horizon or without signals`() {
    let below = told(0..<10) { _ in
      Self.satellites { if $0 < 2 { $1.elevation = -30 } }
    }
    #expect(below == ["5.0 sky: satellites in use are below the horizon"])
    let silent = told(0..<10) { _ in
      Self.satellites { if $0 > 0 { $1.signalStrength = 0 } }
    }
    #expect(silent == ["5.0 sky: satellites in use have no signal"])
  }

  @Test func `is one that rises at once`() {
    let told = told(0..<100) { second in
      Self.satellites { number, satellite in
        satellite.signalStrength = second < 33 ? 36 + Double(number % 4) : 46 + Double(number % 5)
      }
    }
    #expect(told == ["38.0 sky: the signals of all satellites rose at once"])
  }

  @Test func `is an honest one behind a tunnel, with one old almanac or without strengths`() {
    let skies: [(Int) -> [Satellite]] = [
      { second in Self.satellites { if second < 50 { $1.signalStrength! -= 12 } } },
      { _ in Self.satellites { if $0 == 0 { $1.elevation = -40 } } },
      { _ in Self.satellites { $1.signalStrength = nil } },
      { _ in Self.satellites { $1.signalStrength = 0 } },
      { _ in Self.satellites(7) { $1.signalStrength = 40 } },
      { _ in
        Self.satellites {
          $1.signalStrength = 40; $1.elevation = 45
        }
      },
      { second in Self.satellites { if second % 9 < 4 { $1.signalStrength = 40 } } },
      { _ in [] },
    ]
    for (number, sky) in skies.enumerated() { #expect(told(0..<120, sky) == [], "\(number)") }
  }
}
