import Glibc
import LocationCore
import LocwatchReceivers
import LocwatchSystem

// What can be wrong with the machine itself.
extension Check {
  static let container = Check(
    "container",
    "locwatch runs in a container, and gpsd outside it."
  ) { examination in
    guard let machine = examination.machine, let kind = machine.container,
      case .gpsd(let endpoint, _) = examination.target
    else { return nil }
    guard examination.isRefused, !machine.hasGPSD else {
      // One that is installed here may just not run.
      return examination.isRefused
        ? nil : .well("this is a container (\(kind)), and \(endpoint) is reached from it")
    }
    return .wrong(
      "this is a container (\(kind)), without a gpsd; its localhost is not the host's",
      "Start the container with --network host, or name the host: 'locwatch --doctor HOST'.")
  }

  static let ipv6 = Check(
    "ipv6",
    "gpsd.socket fails because IPv6 is off."
  ) { examination in
    guard let machine = examination.machine, examination.usesSystemd,
      let unit = GPSDSocketUnit(on: machine)
    else { return nil }
    let isListed = unit.addresses.contains { $0.hasPrefix("[") }
    guard isListed, !machine.hasIPv6 else {
      return .well(isListed ? "IPv6 is on, which gpsd.socket needs" : "gpsd.socket needs no IPv6")
    }
    guard examination.conversation?.reach ?? .nothing == .nothing else {
      return .well("IPv6 is off, but gpsd answers anyway")
    }
    return .wrong(
      "IPv6 is off, so gpsd.socket, which listens on [::1], fails",
      "Have systemd listen on IPv4 only:",
      run: GPSDSocketUnit.commands(listeningAt: ["127.0.0.1:2947"]))
  }
}

extension Examination {
  /// Whether nothing listens at the port of gpsd.
  var isRefused: Bool { conversation?.failure?.systemError == .errno(ECONNREFUSED) }

  /// Whether gpsd is that of the system, which systemd starts.
  var usesSystemd: Bool { settings != nil && machine?.hasSystemd == true }

  /// The command that restarts gpsd; `nil` if none is known.
  var restart: [ShellText]? { usesSystemd ? ["sudo systemctl restart gpsd"] : nil }
}

extension Machine {
  /// Whether systemd runs.
  var hasSystemd: Bool { exists("/run/systemd/system") }

  /// What the machine is contained in, such as docker; `nil` if it is no container.
  var container: String? {
    if exists("/.dockerenv") { return "docker" }
    if exists("/run/.containerenv") { return "podman" }
    return text(of: "/run/systemd/container").map { $0.filter { !$0.isNewline } }
  }

  /// Whether there is an address of IPv6.
  fileprivate var hasIPv6: Bool {
    text(of: "/proc/net/if_inet6").map { !$0.isEmpty } ?? false
  }
}

// What can be wrong with other programs.
extension Check {
  static let client = Check(
    "client",
    "Another program has no fix: most clients do not reconnect after gpsd restarts.",
    from: .fix
  ) { examination in
    examination.conversation?.reach == .fix && !examination.isPrivate
      ? .well("gpsd gives positions to any program that connects to it") : nil
  }
}
