import LocwatchSystem

/// systemd's unit gpsd.socket, which listens for gpsd.
struct GPSDSocketUnit {
  private static let folders = [
    "/etc/systemd/system", "/run/systemd/system", "/lib/systemd/system", "/usr/lib/systemd/system",
  ]

  /// Where it listens.
  private(set) var addresses: [String] = []

  /// `nil` if there is no such unit.
  init?(on machine: Machine) {
    let files = Self.folders.compactMap { machine.text(of: "\($0)/gpsd.socket") }
    guard let unit = files.first else { return nil }
    read(unit)
    for folder in Self.folders.map({ "\($0)/gpsd.socket.d" }) {
      for name in machine.names(in: folder) where name.hasSuffix(".conf") {
        read(machine.text(of: "\(folder)/\(name)") ?? "")
      }
    }
  }

  private mutating func read(_ text: String) {
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].trimmed == "ListenStream" else { continue }
      // An empty value takes back those before it.
      if parts[1].trimmed.isEmpty { addresses = [] } else { addresses.append(parts[1].trimmed) }
    }
  }

  /// Returns the commands that have systemd listen at addresses, and for gpsdctl, and nowhere else.
  static func commands(listeningAt addresses: [ShellText]) -> [ShellText] {
    let lines: [ShellText] = ["", "/run/gpsd.sock"] + addresses
    var text: ShellText = "[Socket]"
    for line in lines { text = "\(text)\\nListenStream=\(line)" }
    return [
      "sudo mkdir -p /etc/systemd/system/gpsd.socket.d",
      "printf '\(text)\\n' | sudo tee /etc/systemd/system/gpsd.socket.d/locwatch.conf",
      "sudo systemctl daemon-reload",
      "sudo systemctl stop gpsd.service gpsd.socket",
      "sudo systemctl start gpsd.socket",
    ]
  }
}

extension Substring {
  /// The text without blanks at both ends.
  fileprivate var trimmed: String {
    var text = drop { $0.isWhitespace }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
