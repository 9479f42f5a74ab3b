import GPSDLocation

extension GPSDEndpoint {
  /// Refuses what libgps would take for something else than a host: its pseudo hosts give reports
  /// of a gpsd that may be long dead.
  func check() throws(GPSDError) {
    guard port != 0 else { throw GPSDError(.invalidEndpoint, "port 0 is not one to connect to") }
    guard !host.isEmpty else { throw GPSDError(.invalidEndpoint, "the host's name is empty") }
    let isName = host.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "/") }
    guard isName, host.utf8.count <= 255 else {
      throw GPSDError(.invalidEndpoint, "'\(host)' is not a host's name")
    }
  }
}
