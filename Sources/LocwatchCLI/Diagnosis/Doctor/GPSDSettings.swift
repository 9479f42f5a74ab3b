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
