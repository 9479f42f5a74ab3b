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
  static let reload: ShellText = "sudo apparmor_parser -r /etc/apparmor.d/usr.sbin.gpsd"

  private let rules: [Rule]

  /// Reads the profile of gpsd on a machine, whether or not it is enforced; `nil` if there is none.
  init?(on machine: Machine) {
    guard let text = machine.text(of: Self.path) else { return nil }
    let lines = (text + "\n" + (machine.text(of: Self.localPath) ?? "")).split(separator: "\n")
    rules = lines.compactMap(Rule.init)
  }

  /// Returns whether gpsd may read and write a device.
  ///
  /// - Parameter path: The path of the device, without links.
  func allows(_ path: String) -> Bool {
    let permitted = rules.filter { !$0.denies && $0.isAbout(path) }.flatMap(\.access)
    return !denies(path) && "rw".allSatisfy(permitted.contains)
  }

  /// Returns whether a rule denies reading or writing a device, which no other rule can allow then.
  func denies(_ path: String) -> Bool {
    rules.contains { $0.denies && $0.isAbout(path) && $0.access.contains(where: "rw".contains) }
  }

  /// Returns whether the profile of gpsd is enforced; `nil` if that cannot be seen.
  static func isEnforced(on machine: Machine) -> Bool? {
    // The list of profiles is for root only. Each process shows its own.
    let profiles = machine.text(of: "/sys/kernel/security/apparmor/profiles")
    let isListed = (profiles ?? "").split(separator: "\n").contains {
      $0 == "/usr/sbin/gpsd (enforce)" || $0 == "gpsd (enforce)"
    }
    if isListed { return true }
    let shown = machine.daemons.compactMap { machine.text(of: "/proc/\($0.id)/attr/current") }
    if shown.contains(where: { $0.hasSuffix(" (enforce)\n") }) { return true }
    let isKnown = profiles != nil || !shown.isEmpty || !machine.exists("/sys/module/apparmor")
    return isKnown ? false : nil
  }

  /// The commands that have AppArmor let gpsd open a device.
  static func commands(allowing path: SerialPath) -> [ShellText] {
    [
      "echo '\(path) rw,' | sudo tee -a /etc/apparmor.d/local/usr.sbin.gpsd",
      reload,
    ]
  }
}

/// A rule about files, such as `owner /dev/ttyS[0-9]* rw,` or `audit deny w /dev/{gnss0,gnss1},`.
private struct Rule {
  let denies: Bool
  /// The letters of the permissions.
  let access: Substring
  /// The patterns of the paths, one for each alternative in braces.
  private let patterns: [String]

  /// Reads a line; `nil` for one without such a rule.
  init?(_ line: Substring) {
    let words = line.split { $0 == " " || $0 == "\t" }
    let qualifiers = words.prefix {
      ["audit", "quiet", "allow", "deny", "owner", "file"].contains($0)
    }
    var rule = words.dropFirst(qualifiers.count).prefix(2).map { word in
      (word.last == "," ? word.dropLast() : word).filter { $0 != "\"" }[...]
    }
    // The permissions can also come first.
    if rule.last?.first == "/" { rule.reverse() }
    guard rule.count == 2, rule[0].first == "/", rule[1].allSatisfy("rwamklixupcUPC".contains)
    else { return nil }
    denies = qualifiers.contains("deny")
    access = rule[1]
    patterns = Self.expanded(String(rule[0]))
  }

  func isAbout(_ path: String) -> Bool {
    patterns.contains { pattern in
      // Only two asterisks match a slash.
      let flags = pattern.split(separator: "/").contains { $0.hasPrefix("**") } ? 0 : FNM_PATHNAME
      return unsafe fnmatch(pattern, path, flags) == 0
    }
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
