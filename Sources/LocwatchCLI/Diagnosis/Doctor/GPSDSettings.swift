import GPSDLocation
import Glibc

/// A gpsd that runs, by its command line.
struct GPSDProcess: Equatable {
  let id: pid_t
  let arguments: GPSDArguments

  /// `nil` if the process is not a gpsd.
  init?(_ process: Machine.Process) {
    guard process.name == "gpsd" else { return nil }
    id = process.id
    arguments = GPSDArguments(process.arguments.dropFirst())
  }
}

/// The arguments of a gpsd.
struct GPSDArguments: Equatable {
  /// The letters of the options that are followed by a value.
  private static let valued: Set<Character> = ["D", "F", "f", "P", "S", "s"]

  /// The letters of the options.
  private(set) var options: Set<Character> = []
  /// What follows an option.
  private(set) var values: [Character: String] = [:]
  /// The devices.
  private(set) var devices: [String] = []

  init(_ arguments: some Sequence<String>) {
    var awaiting: Character?
    for argument in arguments {
      if let option = awaiting {
        values[option] = argument
        awaiting = nil
      } else if argument.hasPrefix("-"), argument.count > 1 {
        awaiting = read(argument.dropFirst())
      } else {
        devices.append(argument)
      }
    }
  }

  /// Reads letters of options. Returns the last one if its value is the next argument.
  private mutating func read(_ letters: Substring) -> Character? {
    var rest = letters
    while let letter = rest.popFirst() {
      options.insert(letter)
      guard Self.valued.contains(letter) else { continue }
      if rest.isEmpty { return letter }
      values[letter] = String(rest)
      return nil
    }
    return nil
  }

  /// The port that clients connect to.
  var port: UInt16 { values["S"].flatMap { UInt16($0) } ?? GPSDEndpoint.defaultPort }
}

/// What Debian's gpsd is started with: `/etc/default/gpsd`.
struct GPSDSettings: Equatable {
  static let path = "/etc/default/gpsd"

  private var values: [Substring: String] = [:]

  /// `nil` if the file cannot be read.
  init?(on machine: Machine) {
    guard let text = machine.text(of: Self.path) else { return nil }
    for line in text.split(separator: "\n") {
      let line = line.drop { $0 == " " || $0 == "\t" }
      guard line.first != "#", let sign = line.firstIndex(of: "=") else { continue }
      // As systemd does, the last line counts.
      values[line[..<sign]] = line[sign...].dropFirst().filter { $0 != "\"" && $0 != "'" }
    }
  }

  private func words(_ name: Substring) -> [String] {
    (values[name] ?? "").split { $0 == " " || $0 == "\t" }.map(String.init)
  }

  /// Its options and devices.
  var arguments: GPSDArguments {
    GPSDArguments(words("GPSD_OPTIONS") + words("OPTIONS") + words("DEVICES"))
  }

  /// Returns the commands that have gpsd read a device; none if a shell would take the path for something
  /// else.
  static func commands(reading path: String, on machine: Machine) -> [String] {
    path.isPlainInShell ? commands(setting: "DEVICES", to: path, on: machine) : []
  }

  /// Returns the commands that start gpsd with one more option.
  func commands(adding option: String, on machine: Machine) -> [String] {
    Self.commands(
      setting: "GPSD_OPTIONS", to: (words("GPSD_OPTIONS") + [option]).joined(separator: " "),
      on: machine)
  }

  /// Returns the commands that start gpsd without an option and its value.
  func commands(removing letter: Character, on machine: Machine) -> [String] {
    var words = words("GPSD_OPTIONS")
    guard let index = words.firstIndex(where: { $0.hasPrefix("-\(letter)") }) else { return [] }
    let removed = words.remove(at: index)
    if removed.count == 2, index < words.count { words.remove(at: index) }
    return Self.commands(
      setting: "GPSD_OPTIONS", to: words.joined(separator: " "), on: machine)
  }

  private static func commands(
    setting name: String, to value: String, on machine: Machine
  ) -> [String] {
    guard value.utf8.allSatisfy(\.isPlainInShell) else { return [] }
    let lines = (machine.text(of: path) ?? "").split(separator: "\n")
    let change =
      lines.contains { $0.hasPrefix("\(name)=") }
      ? "sudo sed -i 's|^\(name)=.*|\(name)=\"\(value)\"|' \(path)"
      : "echo '\(name)=\"\(value)\"' | sudo tee -a \(path)"
    return [change, "sudo systemctl restart gpsd"]
  }
}

extension String {
  /// Whether a shell takes the text for what it is, without quotation marks.
  var isPlainInShell: Bool { !isEmpty && !contains(" ") && utf8.allSatisfy(\.isPlainInShell) }
}

extension UInt8 {
  /// Whether a letter of a path or an option has no meaning in a quoted text of a shell, or of sed.
  fileprivate var isPlainInShell: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: " /._-+:,@=".utf8.contains(self)
    }
  }
}

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
  static func commands(listeningAt addresses: [String]) -> [String] {
    let lines = ["", "/run/gpsd.sock"] + addresses
    let text = (["[Socket]"] + lines.map { "ListenStream=\($0)" }).joined(separator: #"\n"#)
    let file = "/etc/systemd/system/gpsd.socket.d/locwatch.conf"
    return [
      "sudo mkdir -p /etc/systemd/system/gpsd.socket.d",
      "printf '\(text)\\n' | sudo tee \(file)",
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
