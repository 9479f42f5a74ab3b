import Testing

@testable import LocationCore

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

  /// What is reported of a sky that is alike for 10 s, and then in some views, and again.
  private func told(_ isBad: @escaping (Int) -> Bool) -> [String] {
    told(0..<400) { second in
      Self.satellites { _, satellite in
        if 50..<60 ~= second || (second >= 60 && isBad(second)) { satellite.signalStrength = 44 }
      }
    }.map { String($0.prefix { $0 != ":" }) }
  }

  @Test func `is believed although one view of fifty is bad, and not while most are`() {
    #expect(told { $0 % 50 == 0 } == ["55.0 sky", "122.0 none"])
    let again = told { $0 % 50 == 0 || 200..<206 ~= $0 }
    #expect(again == ["55.0 sky", "122.0 none", "205.0 sky", "268.0 none"])
    #expect(told { $0 % 3 != 0 } == ["55.0 sky"])
    #expect(told { $0 % 2 == 0 } == ["55.0 sky"])
  }

  @Test func `is doubted if two views of three are bad`() {
    func told(_ isBad: @escaping (Int) -> Bool) -> [String] {
      self.told(0..<100) { second in
        Self.satellites { if isBad(second), $0 < 2 { $1.elevation = -30 } }
      }.map { String($0.prefix { $0 != ":" }) }
    }
    #expect(told { $0 % 3 != 0 } == ["14.0 sky"])
    #expect(told { $0 % 2 == 0 } == [])
  }

  @Test func `is not known between two views that are far apart`() {
    func told(_ views: [(second: Int, isBad: Bool)]) -> [String] {
      var story = DoubtStory()
      for second in 0..<2000 {
        for view in views where view.second == second {
          story.sky(
            Double(second), Self.satellites { if view.isBad, $0 < 2 { $1.elevation = -30 } })
        }
        story.fix(Double(second))
      }
      return story.told.map { String($0.prefix { $0 != ":" }) }
    }
    #expect(told([(100, true), (700, true)]) == [])
    #expect(told([(100, true), (700, true), (1300, true)]) == ["1300.0 sky"])
    #expect(told([(100, true), (102, true), (1300, true)]) == [])
    #expect(told([(100, true), (103, true), (1300, true)]) == ["1300.0 sky"])
    // Twelve good views in a row end the doubt.
    let bad = [100, 160, 220].map { ($0, true) }
    for count in [12, 13] {
      let good = (1...count).map { (220 + 60 * $0, false) }
      #expect(
        told(bad + good) == ["220.0 sky"] + (count > 12 ? ["1000.0 none"] : []))
    }
  }

  @Test func `is doubted below the horizon or without signals`() {
    let below = told(0..<10) { _ in
      Self.satellites { if $0 < 2 { $1.elevation = -30 } }
    }
    #expect(below == ["5.0 sky: satellites in use are below the horizon"])
    let silent = told(0..<10) { _ in
      Self.satellites { if $0 > 0 { $1.signalStrength = 0 } }
    }
    #expect(silent == ["5.0 sky: satellites in use have no signal"])
  }

  @Test func `is doubted if it rises at once`() {
    let told = told(0..<100) { second in
      Self.satellites { number, satellite in
        satellite.signalStrength = second < 33 ? 36 + Double(number % 4) : 46 + Double(number % 5)
      }
    }
    #expect(told == ["38.0 sky: the signals of all satellites rose at once"])
  }

  /// Whether a sky is doubted that follows another one after 30 s.
  private func isDoubted(
    after before: [Satellite] = [], _ satellites: [Satellite]
  ) -> Bool {
    !told(0..<60) { $0 < 30 ? before : satellites }.isEmpty
  }

  @Test func `is doubted if eight satellites are alike within 1.5 dB over 40 degrees`() {
    func alike(_ count: Int, within spread: Double, over elevations: Double) -> Bool {
      isDoubted(
        Self.satellites(count) { number, satellite in
          satellite.signalStrength = number == 0 ? 40 + spread : 40
          satellite.elevation = 20 + elevations * Double(number) / Double(count - 1)
        })
    }
    #expect(alike(8, within: 1.5, over: 40))
    #expect(!alike(7, within: 1.5, over: 40))
    #expect(!alike(8, within: 1.6, over: 40))
    #expect(!alike(8, within: 1.5, over: 39))
  }

  @Test func `is doubted with two satellites far below the horizon`() {
    func below(_ count: Int, at elevation: Double) -> Bool {
      isDoubted(Self.satellites { if $0 < count { $1.elevation = elevation } })
    }
    #expect(below(2, at: -10.5))
    #expect(!below(2, at: -10))
    #expect(!below(1, at: -80))
    #expect(
      !isDoubted(Self.satellites { if $0 < 5 { ($1.elevation, $1.isUsed) = (-80, false) } }))
  }

  @Test func `is doubted if most satellites, and four or more, have no signal`() {
    func silent(_ silent: Int, of count: Int) -> Bool {
      isDoubted(Self.satellites(count) { if $0 < silent { $1.signalStrength = 0 } })
    }
    #expect(silent(4, of: 7))
    #expect(!silent(4, of: 8))
    #expect(!silent(3, of: 5))
    // Others are heard, which are not used.
    #expect(
      isDoubted(
        Self.satellites { ($1.signalStrength, $1.isUsed) = $0 < 6 ? (0, true) : (40, false) }))
  }

  @Test func `is doubted if it rises by 6 dB, by 4 at both ends, to strengths within 6 dB`() {
    func rises(_ before: (Int) -> Double, to after: (Int) -> Double) -> Bool {
      isDoubted(
        after: Self.satellites { $1.signalStrength = before($0) },
        Self.satellites { $1.signalStrength = after($0) })
    }
    func four(_ number: Int) -> Double { 36 + Double(number % 4) }
    #expect(rises(four) { four($0) + 6 })
    #expect(!rises(four) { four($0) + 5.9 })
    #expect(rises(four) { $0 == 0 ? 40 : four($0) + (four($0) == 36 ? 7 : 6.5) })
    #expect(!rises(four) { $0 == 0 ? 39.9 : four($0) + (four($0) == 36 ? 7 : 6.5) })
    #expect(rises({ $0 == 0 ? 39 : 33 }, to: { $0 == 0 ? 43 : 41 }))
    #expect(!rises({ $0 == 0 ? 39 : 33 }, to: { $0 == 0 ? 42.9 : 41 }))
    #expect(rises({ $0 == 0 ? 36 : 30 }, to: { $0 == 0 ? 44 : 38 }))
    #expect(!rises({ $0 == 0 ? 36 : 30 }, to: { $0 == 0 ? 44.1 : 38 }))
  }

  @Test func `is judged by the ends and the mean of its strengths, and by three counts`() {
    let strengths = SkyStrengths([
      Satellite(prn: 1, elevation: 10, signalStrength: 30, isUsed: true),
      Satellite(prn: 2, elevation: 50, signalStrength: 40, isUsed: true),
      Satellite(prn: 3, signalStrength: 35, isUsed: true),
      // Weak and below the horizon, only below, and only heard.
      Satellite(prn: 4, elevation: -30, signalStrength: 0, isUsed: true),
      Satellite(prn: 5, elevation: -10.5, isUsed: true),
      Satellite(prn: 6, elevation: 80, signalStrength: 50),
      Satellite(prn: 7, elevation: -80, signalStrength: 45),
    ])
    #expect(strengths.least == 30 && strengths.most == 40)
    #expect(strengths.mean == 35 && strengths.count == 3)
    #expect((strengths.weak, strengths.below, strengths.heard) == (1, 2, 5))
  }

  @Test func `is remembered as risen for ten minutes, and until it falls`() {
    func told(fallsAt fall: Int) -> [String] {
      self.told(0..<1000) { second in
        Self.satellites { number, satellite in
          let strength = 36 + Double(number % 4)
          satellite.signalStrength = second < 30 || second >= fall ? strength : strength + 8
        }
      }
    }
    #expect(
      told(fallsAt: 100) == ["35.0 sky: the signals of all satellites rose at once", "160.0 none"])
    #expect(
      told(fallsAt: 2000) == ["35.0 sky: the signals of all satellites rose at once", "691.0 none"])
  }

  @Test func `is doubted if it rises that far within ten seconds, or until the next view`() {
    func rises(by speed: Double) -> Bool {
      !told(0..<120) { second in
        Self.satellites { number, satellite in
          satellite.signalStrength = 36 + Double(number % 4) + min(12, speed * Double(second))
        }
      }.isEmpty
    }
    // The view after those ten seconds is the 11th.
    #expect(rises(by: 0.55))
    #expect(!rises(by: 0.54))
    func rises(every interval: Double) -> Bool {
      var story = DoubtStory()
      for view in 0..<6 {
        story.sky(
          interval * Double(view),
          Self.satellites { $1.signalStrength = 36 + Double($0 % 4) + (view < 3 ? 0 : 8) })
        story.fix(interval * Double(view))
      }
      return !story.told.isEmpty
    }
    #expect(rises(every: 20))
    #expect(!rises(every: 20.1))
  }

  @Test func `counts as risen until less than half of the rise is left`() {
    func told(left: Double) -> [String] {
      self.told(0..<200) { second in
        Self.satellites { number, satellite in
          satellite.signalStrength =
            36 + Double(number % 4) + (second < 30 ? 0 : second < 100 ? 8 : left)
        }
      }
    }
    let begin = "35.0 sky: the signals of all satellites rose at once"
    #expect(told(left: 3) == [begin])
    #expect(told(left: 2.9) == [begin, "160.0 none"])
  }

  @Test func `is honest if it is as strong as it was before a jammer or a bridge`() {
    func told(gain: Double) -> [String] {
      self.told(0..<200) { second in
        Self.satellites { number, satellite in
          let loss = 50..<100 ~= second ? 12.0 : second < 50 ? 0 : -gain
          satellite.signalStrength = 36 + Double(number % 4) - loss
        }
      }
    }
    #expect(told(gain: 0) == [])
    #expect(told(gain: 2.9) == [])
    #expect(told(gain: 3) == ["105.0 sky: the signals of all satellites rose at once"])
  }

  @Test func `is honest after a tunnel, with an old almanac or without strengths`() {
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
      { _ in Self.satellites { ($1.signalStrength, $1.elevation) = (40, nil) } },
      // One number for all is none.
      { _ in Self.satellites { $1.signalStrength = 40 } },
      { second in Self.satellites { $1.signalStrength = second < 50 ? 40 : 45 } },
      { second in Self.satellites { if second % 9 < 4 { $1.signalStrength = 40 } } },
      { _ in [] },
    ]
    for (number, sky) in skies.enumerated() { #expect(told(0..<120, sky) == [], "\(number)") }
  }
}
