import LocationCore
import LocationText
import LocwatchSystem

// What can be wrong between the satellites and a receiver that reports.
extension Check {
  /// The level of jamming from which on a receiver is disturbed, of 255.
  private static let jammedLevel = 100
  /// By how much all signals fall when something begins to disturb them, in dB.
  private static let suspiciousFall = 6.0

  static let jamming = Check(
    "jamming",
    "USB 3, a camera or a radio next to the antenna disturbs all signals.", from: .reports,
    each: { examination in
      examination.findings { _, reception in
        if let jam = reception?.jam, jam >= jammedLevel {
          return .wrong("the receiver reports interference (\(jam) of 255)", Hint.interference)
        }
        if reception?.isDisturbed == true {
          return .wrong("the receiver reports interference", Hint.interference)
        }
        if let fall = reception?.commonFall, fall >= suspiciousFall {
          return .wrong(
            "all signals fell by \(Text.rounded(fall, places: 0)) dB or more at the same time",
            Hint.interference)
        }
        return reception?.jam.map { .well("the receiver reports no interference (\($0) of 255)") }
      }
    })

  static let sky = Check(
    "sky",
    "The antenna is not connected or does not see the sky, or the receiver was just turned on.",
    from: .reports, unless: ["jamming"],
    wait: { listening in
      listening.wait { _, reception in
        guard let reception, reception.fix == nil || !reception.hasSky,
          Hint.fault(of: reception.antenna) == nil
        else { return nil }
        // A receiver with a position reports it in every epoch. Some list their satellites only every fifth.
        let isKnown = reception.misses >= 3 && reception.skies >= 2 && reception.hasSky
        return Wait(from: reception.start, for: .seconds(isKnown ? 3 : 6))
      }
    },
    each: { examination in
      examination.findings { _, reception in reception.map(finding(onSkyOf:)) }
    })

  private static func finding(onSkyOf reception: Reception) -> Finding {
    if let fault = Hint.fault(of: reception.antenna) { return .wrong(fault.seen, fault.remedy) }
    let sky = reception.sky
    let parts = sky.parts(withStrength: true)
    if let fix = reception.fix {
      return .well((["the receiver has a \(fix.mode) fix"] + parts).joined(separator: ", "))
    }
    let text = (["the receiver has no position"] + parts).joined(separator: ", ")
    guard let seen = sky.seen else { return .unknown(text, Hint.unknownSatellites) }
    if sky.isStrong { return .unknown(text, Hint.strongSignals) }
    if seen == 0 || sky.strongest == 0 { return .wrong(text, Hint.noSatellites) }
    if let signals = reception.signals {
      guard signals.isTooWeak else { return .unknown(text, Hint.noFix) }
      return .wrong("the receiver has no position, \(signals.description)", Hint.weakSignals)
    }
    if let strongest = sky.strongest, strongest < SignalRange.weakest {
      return .wrong(text, Hint.weakSignals)
    }
    return .unknown(text, Hint.noFix)
  }
}

extension SkySummary {
  /// A strength in dBHz that an antenna without a view of the sky does not reach.
  private static let strong = 40.0

  /// Whether the satellites are enough for a fix, and the strongest is received as under a clear sky.
  fileprivate var isStrong: Bool {
    guard let seen, seen >= 4, let strongest else { return false }
    return strongest >= Self.strong
  }

  /// `5 satellites seen`, `0 used`, `the strongest at 22 dBHz`, as far as it is known.
  ///
  /// - Parameter withStrength: Whether to include the strongest signal even if satellites are used.
  func parts(withStrength: Bool) -> [String] {
    var parts: [String] = []
    if let seen { parts.append("\(seen) satellite\(seen == 1 ? "" : "s") seen") }
    if let used { parts.append("\(used) used") }
    if let strongest, seen != 0, withStrength || used == 0 {
      parts.append("the strongest at \(Text.rounded(strongest, places: 0)) dBHz")
    }
    return parts
  }
}
