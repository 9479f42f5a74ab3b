import LocwatchReceivers
import LocwatchSystem

extension CasterAddress {
  /// Reads `ntrip://HOST[:PORT]/MOUNT`, or `ntrips://`. A message never repeats the user info of the text, even if it
  /// is misspelt.
  init(url: String) throws(UsageError) {
    guard !url.utf8.contains(UInt8(ascii: "@")) else {
      throw UsageError(
        "other users can see a password in the list of processes: put the user and the "
          + "password into ~/.netrc, or into NTRIP_USER and NTRIP_PASSWORD")
    }
    let scheme = url.utf8.prefix { $0 != UInt8(ascii: ":") }
    let rest = url[scheme.endIndex...]
    let name = Substring(scheme).lowercased()
    guard rest.utf8.starts(with: "://".utf8), ["ntrip", "http", "ntrips", "https"].contains(name)
    else {
      throw UsageError("'\(url)' is neither ntrip://HOST[:PORT]/MOUNT nor ntrips://…")
    }
    let isSecure = name.utf8.last == UInt8(ascii: "s")
    let server = Substring(rest.utf8.dropFirst(3))
    guard let slash = server.utf8.firstIndex(of: UInt8(ascii: "/")),
      case let mount = Substring(server[slash...].utf8.dropFirst()), !mount.isEmpty
    else {
      throw UsageError("'\(url)' has no mount point: write ntrip://HOST[:PORT]/MOUNT")
    }
    let isPlain = mount.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    guard isPlain, mount.utf8.count <= Self.maximumMount else {
      throw UsageError("'\(mount)' is not a mount point")
    }
    let (host, port) = try Target.server(
      String(server[..<slash]),
      defaultPort: isSecure ? Self.defaultSecurePort : Self.defaultPort)
    self.init(host: host, port: port, mount: String(mount), isSecure: isSecure)
  }
}
