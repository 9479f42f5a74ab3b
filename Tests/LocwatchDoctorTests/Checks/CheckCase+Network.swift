import GPSDLocation
import Glibc
import LocationCore

@testable import LocwatchDoctor
@testable import LocwatchReceivers
@testable import LocwatchSystem

extension CheckCase {
  private static let phone = "tcp://phone:10110"

  /// A connection to a phone, or what came by UDP.
  private static func link(
    _ transport: NetworkAddress.Transport = .tcp, failure: String? = nil, received: Int? = nil
  ) -> NetworkLink {
    NetworkLink(
      address: NetworkAddress(transport, host: transport == .tcp ? "phone" : "", port: 10110),
      isThere: received != nil, failure: failure, receivedCount: received ?? 0)
  }

  private static func absent(_ reason: String, _ hint: Message) -> CheckCase {
    CheckCase("network", phone, is: .wrong("cannot reach \(phone): \(reason)", hint)) {
      ($0.isPrivate, $0.link) = (true, link(failure: reason))
      $0.events = noReceivers
    }
  }

  private static let isSameNetwork: Message =
    "Are both on the same network, with no firewall in between? A phone can sleep while its screen is off."

  /// Has two processes listen on port 10110 of UDP, and another one on the next.
  private static func takePort(on fake: FakeMachine) throws {
    try fake.write(
      "  sl  local_address rem_address   st\n" + socket("277E", 71) + socket("277F", 72),
      to: "proc/net/udp")
    try fake.write(socket("277E", 73), to: "proc/net/udp6")
    for (name, id, inode) in [("gpsfeed", 90, 71), ("relay", 91, 73), ("other", 92, 72)] {
      try fake.run(name, as: pid_t(id), opening: "/dev/null", "socket:[\(inode)]")
    }
  }

  /// A line of the table of UDP.
  private static func socket(_ port: String, _ inode: Int) -> String {
    " 1: 00000000:\(port) 00000000:0000 07 0:0 00:0 0 0 0 \(inode) 2 0 0\n"
  }

  /// What can be wrong with a receiver on the network.
  static let ofNetwork: [CheckCase] = [
    absent(
      systemText(ECONNREFUSED), "Nothing listens there: is the app running, and is this its port?"),
    absent(systemText(EHOSTUNREACH), isSameNetwork),
    absent(systemText(ENETUNREACH), isSameNetwork),
    absent(systemText(ETIMEDOUT), isSameNetwork),
    absent("Name or service not known", Hint.unknownHost),
    // This machine lacks something, and no advice about the other one helps.
    absent(systemText(EMFILE), ""),
    absent("no thread is left", ""),
    absent(
      "closed by the receiver",
      "Something there closes connections: is this its NMEA port, and is it free?"),
    absent(
      systemText(EADDRINUSE),
      "Another program on this machine uses that port: end it, or have the app send to another port."
    ),
    absent(
      systemText(EADDRNOTAVAIL),
      "This machine does not have that address: leave the host out, as in 'udp://:10110'."),
    CheckCase(
      "network", "udp://:10110",
      is: .wrong(
        "cannot reach udp://:10110: \(systemText(EADDRINUSE)) by gpsfeed (process 90) and relay (process 91)",
        "Another program on this machine uses that port: end it, or have the app send to another port."
      )
    ) {
      ($0.isPrivate, $0.link) = (true, link(.udp, failure: systemText(EADDRINUSE)))
      $0.events = noReceivers
      try takePort(on: $0.fake)
    },
    CheckCase(
      "network", phone,
      is: .wrong(
        "\(phone) accepts connections, but sent nothing for 16 s",
        "Is this its NMEA port, and does the app have a position?")
    ) {
      ($0.isPrivate, $0.link) = (true, link(received: 0))
      $0.events = noReceivers
    },
    CheckCase(
      "network", "udp://:10110",
      is: .wrong(
        "nothing arrived on port 10110 by UDP within 16 s",
        "Does the app send to this machine and this port? Do firewalls let it through?")
    ) {
      ($0.isPrivate, $0.link) = (true, link(.udp))
      $0.events = noReceivers
    },
    CheckCase("network", phone, is: .well("\(phone) sends, 1 bytes so far")) {
      ($0.isPrivate, $0.link) = (true, link(received: 1))
    },
    CheckCase(
      "sentences", phone,
      is: .wrong(
        "gpsd recognises nothing in the 77 bytes that arrived",
        "Have the app send NMEA, at least RMC or GGA.")
    ) {
      ($0.isPrivate, $0.link) = (true, link(received: 77))
      $0.events = [SickMachine.answer, SickMachine.receivers(phone, driver: nil)]
      $0.duration = .seconds(5)
    },
    CheckCase(
      "network", phone,
      is: .wrong(
        "\(phone) could not be reached within 16 s",
        "Does the app send to this machine and this port? Do firewalls let it through?")
    ) {
      ($0.isPrivate, $0.link) = (true, link())
      $0.events = noReceivers
    },
    absent(
      systemText(ECONNRESET),
      "Something there closes connections: is this its NMEA port, and is it free?"),
  ]
}
