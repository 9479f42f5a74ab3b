import LocwatchSystem

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

  /// Returns the command that starts gpsd with one more option; `nil` if a shell would take the options for
  /// something else.
  func command(adding option: ShellText, on machine: Machine) -> ShellText? {
    Self.shellText(of: words("GPSD_OPTIONS"), on: machine).flatMap { options in
      Self.command(setting: "GPSD_OPTIONS", to: .joined(options + [option]), on: machine)
    }
  }

  /// Returns the command that starts gpsd without an option and its value; `nil` if it has no such option.
  func command(removing letter: Character, on machine: Machine) -> ShellText? {
    var words = words("GPSD_OPTIONS")
    guard let index = words.firstIndex(where: { $0.hasPrefix("-\(letter)") }) else { return nil }
    let removed = words.remove(at: index)
    if removed.count == 2, index < words.count { words.remove(at: index) }
    return Self.shellText(of: words, on: machine).flatMap { options in
      Self.command(setting: "GPSD_OPTIONS", to: .joined(options), on: machine)
    }
  }

  private static func shellText(of words: [String], on machine: Machine) -> [ShellText]? {
    let known = words.compactMap { RootsWord($0, in: path, on: machine) }
    return known.count == words.count ? known.map { "\($0)" } : nil
  }

  /// Returns the command that gives a variable of the file a value.
  static func command(
    setting name: ShellText, to value: ShellText, on machine: Machine
  ) -> ShellText {
    let lines = (machine.text(of: path) ?? "").split(separator: "\n")
    return lines.contains { $0.hasPrefix("\(name)=") }
      ? "sudo sed -i 's|^\(name)=.*|\(name)=\"\(value)\"|' /etc/default/gpsd"
      : "echo '\(name)=\"\(value)\"' | sudo tee -a /etc/default/gpsd"
  }
}
