import Glibc
import LocwatchSystem

/// The rules by which AppArmor lets gpsd open devices.
///
/// Debian and Ubuntu install a profile with gpsd. It lists the usual names of serial devices, and AppArmor
/// refuses all others, such as `/dev/ttySC0` and `/dev/gnss0`.
struct AppArmorProfile {
  static let path = "/etc/apparmor.d/usr.sbin.gpsd"
  /// The file for rules of the machine's owner.
  static let localPath = "/etc/apparmor.d/local/usr.sbin.gpsd"

  /// Patterns of the paths that gpsd may read and write, with at most one pair of braces each expanded.
  private let patterns: [String]

  /// Reads the profile of gpsd on a machine, whether or not it is enforced; `nil` if there is none.
  init?(on machine: Machine) {
    guard let text = machine.text(of: Self.path) else { return nil }
    let lines = (text + "\n" + (machine.text(of: Self.localPath) ?? "")).split(separator: "\n")
    patterns = lines.compactMap(Self.pattern).flatMap(Self.expanded)
  }

  /// Returns whether gpsd may open a device.
  ///
  /// - Parameter path: The path of the device, without links.
  func allows(_ path: String) -> Bool {
    patterns.contains { pattern in
      // Only two asterisks match a slash.
      let flags = pattern.split(separator: "/").contains { $0.hasPrefix("**") } ? 0 : FNM_PATHNAME
      return unsafe fnmatch(pattern, path, flags) == 0
    }
  }

  /// Returns whether the profile of gpsd is enforced; `nil` if that cannot be seen.
  static func isEnforced(on machine: Machine) -> Bool? {
    // The list of profiles is for root only. Each process shows its own.
    let profiles = machine.text(of: "/sys/kernel/security/apparmor/profiles")
    let isListed = (profiles ?? "").split(separator: "\n").contains {
      $0 == "/usr/sbin/gpsd (enforce)" || $0 == "gpsd (enforce)"
    }
    if isListed { return true }
    let shown = machine.processes.compactMap { GPSDProcess($0, on: machine) }
      .compactMap { machine.text(of: "/proc/\($0.id)/attr/current") }
    if shown.contains(where: { $0.hasSuffix(" (enforce)\n") }) { return true }
    let isKnown = profiles != nil || !shown.isEmpty || !machine.exists("/sys/module/apparmor")
    return isKnown ? false : nil
  }

  /// The commands that have AppArmor let gpsd open a device.
  static func commands(allowing path: SerialPath) -> [ShellText] {
    [
      "echo '\(path) rw,' | sudo tee -a /etc/apparmor.d/local/usr.sbin.gpsd",
      "sudo apparmor_parser -r /etc/apparmor.d/usr.sbin.gpsd",
    ]
  }

  /// Returns the pattern of a rule such as `owner /dev/ttyS[0-9]* rw,`; `nil` for other lines.
  private static func pattern(ofRule line: Substring) -> String? {
    let words = line.split { $0 == " " || $0 == "\t" }
    guard let index = words.firstIndex(where: { $0.hasPrefix("/") }), index + 1 < words.count,
      words[..<index].allSatisfy({ $0 == "owner" || $0 == "allow" })
    else { return nil }
    let access = words[index + 1].utf8
    let isForBoth = "rw".utf8.allSatisfy(access.contains)
    return isForBoth ? String(words[index]) : nil
  }

  /// Returns a pattern for each alternative in braces.
  private static func expanded(_ pattern: String) -> [String] {
    guard let open = pattern.firstIndex(of: "{"), let close = pattern[open...].firstIndex(of: "}")
    else { return [pattern] }
    let alternatives = pattern[open..<close].dropFirst()
      .split(separator: ",", omittingEmptySubsequences: false)
    let (start, end) = (pattern[..<open], pattern[close...].dropFirst())
    return alternatives.flatMap { expanded("\(start)\($0)\(end)") }
  }
}
