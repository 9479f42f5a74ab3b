import Glibc
import LocationCore
import LocationText
import LocwatchReceivers
import LocwatchSystem

// What can be wrong with a receiver on the network.
extension Check {
  /// How long a receiver on the network is given to send, and gpsd to recognise what it sends: both repeat what
  /// they do every second.
  private static let silence = Duration.seconds(5)

  package static let network = Check(
    "network",
    "A receiver on the network cannot be reached or sends nothing.",
    wait: { listening in
      guard let link = listening.link, link.receivedCount == 0 || link.failure != nil else {
        return nil
      }
      guard link.failure == nil else {
        return Wait(from: listening.linkChanged, for: .seconds(2))
      }
      return link.isThere
        ? Wait(from: listening.linkChanged, for: silence) : listening.toTheEnd
    },
    each: { examination in
      guard let link = examination.link else { return [] }
      return [link.isThere ? sent(by: link, examination) : absence(of: link, examination)]
    })

  private static func sent(by link: NetworkLink, _ examination: Examination) -> Finding {
    guard link.receivedCount == 0 else {
      return .well("\(link.address) sends, \(link.receivedCount) bytes so far")
    }
    return .wrong(
      "\(link.address) accepts connections, but sent nothing\(examination.length("for"))",
      "Is this its NMEA port, and does the app have a position?")
  }

  private static func absence(of link: NetworkLink, _ examination: Examination) -> Finding {
    guard let reason = link.failure else {
      return .wrong(
        link.address.transport == .udp
          ? "nothing arrived on port \(link.address.port) by UDP\(examination.length("within"))"
          : "\(link.address) could not be reached\(examination.length("within"))",
        "Does the app send to this machine and this port? Do firewalls let it through?"
      )
    }
    let holders = Text.list(examination.portHolders.map(\.description))
    return .wrong(
      "cannot reach \(link.address): \(reason)" + (holders.isEmpty ? "" : " by \(holders)"),
      hint(for: reason))
  }

  private static func hint(for reason: String) -> Message {
    switch reason {
    case systemText(ECONNREFUSED):
      "Nothing listens there: is the app running, and is this its port?"
    case systemText(EHOSTUNREACH), systemText(ENETUNREACH), systemText(ETIMEDOUT):
      "Are both on the same network, with no firewall in between? A phone can sleep while its screen is off."
    case systemText(EADDRINUSE):
      "Another program on this machine uses that port: end it, or have the app send to another port."
    case systemText(EADDRNOTAVAIL):
      "This machine does not have that address: leave the host out, as in 'udp://:10110'."
    case systemText(ECONNRESET), "closed by the receiver":
      "Something there closes connections: is this its NMEA port, and is it free?"
    case _ where Shortage.reasons.contains(reason): ""
    default: Hint.unknownHost
    }
  }

  static let sentences = Check(
    "sentences",
    "A receiver on the network sends no protocol that gpsd knows.",
    unless: ["network"],
    wait: { listening in
      guard let link = listening.link, link.receivedCount > 0,
        listening.conversation.reach < .reports
      else { return nil }
      return Wait(from: listening.linkChanged, for: silence)
    }
  ) { examination in
    guard let link = examination.link, link.isThere, let conversation = examination.conversation,
      conversation.reach < .reports, conversation.duration ?? .zero >= silence
    else { return nil }
    return .wrong(
      "gpsd recognises nothing in the \(link.receivedCount) bytes that arrived",
      "Have the app send NMEA, at least RMC or GGA.")
  }
}
