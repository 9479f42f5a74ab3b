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
    "USB 3, a camera or a radio next to the antenna disturbs all signals at once.", from: .reports,
    each: { examination in
      examination.verdicts { _, reception in
        let remedy: Message =
          "Move the antenna away from USB 3 plugs, cameras, displays and radios."
        if let jam = reception?.jam, jam >= jammedLevel {
          return .wrong("the receiver reports jamming (\(jam) of 255)", remedy)
        }
        if let fall = reception?.commonFall, fall >= suspiciousFall {
          return .wrong(
            "all signals fell by \(Text.rounded(fall, places: 0)) dB or more at the same time",
            remedy)
        }
        return reception?.jam.map { .well("the receiver reports no jamming (\($0) of 255)") }
      }
    })

  static let sky = Check(
    "sky",
    "The antenna is not connected, or has no view of the sky; or the receiver was just turned on, and still "
      + "receives the orbits of the satellites.",
    from: .reports, unless: ["jamming"],
    each: { examination in
      examination.verdicts { _, reception in reception.map(verdict(onSkyOf:)) }
    })

  private static func verdict(onSkyOf reception: Reception) -> Verdict {
    switch reception.antenna {
    case .open?:
      return .wrong("the receiver reports that no antenna is connected", "Connect it.")
    case .short?:
      return .wrong("the receiver reports a short circuit of the antenna", "Replace the antenna.")
    default: break
    }
    let parts = reception.sky.parts(withStrength: true)
    if let fix = reception.fix {
      return .well((["the receiver has a \(fix.mode) fix"] + parts).joined(separator: ", "))
    }
    guard let seen = reception.sky.seen else {
      return .unknown(
        "no fix, and the receiver does not report satellites",
        "Give the antenna a clear view of the sky, and wait for some minutes.")
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
