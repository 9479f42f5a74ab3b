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
      examination.verdicts { _, reception in
        if let jam = reception?.jam, jam >= jammedLevel {
          return .wrong("the receiver reports interference (\(jam) of 255)", Hint.interference)
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
      examination.verdicts { _, reception in reception.map(verdict(onSkyOf:)) }
    })

  private static func verdict(onSkyOf reception: Reception) -> Verdict {
    if let fault = Hint.fault(of: reception.antenna) { return .wrong(fault.seen, fault.remedy) }
    let parts = reception.sky.parts(withStrength: true)
    if let fix = reception.fix {
      return .well((["the receiver has a \(fix.mode) fix"] + parts).joined(separator: ", "))
    }
    guard let seen = reception.sky.seen else {
      return .unknown(
        "no fix, and the receiver does not report satellites", Hint.unknownSatellites)
    }
    let text = (["no fix"] + parts).joined(separator: ", ")
    if reception.sky.isStrong { return .unknown(text, Hint.strongSignals) }
    if seen == 0 || reception.sky.strongest == 0 { return .wrong(text, Hint.noSatellites) }
    if let signals = reception.signals, signals.isTooWeak {
      return .wrong("no fix, \(signals.description)", Hint.weakSignals)
    }
    return .unknown(text, Hint.noFix)
  }
}
