package import LocwatchSystem

/// Finds the program gpsd, which Debian installs outside a user's PATH.
package enum GPSDProgram {
  /// - Parameter directories: Where it is looked for after the directories of PATH.
  /// - Throws: ``Failure`` if gpsd is not installed.
  package static func find(
    _ environment: Environment,
    or directories: [String] = ["/usr/sbin", "/usr/local/sbin", "/sbin"]
  ) throws(Failure) -> String {
    if let program = environment.program("gpsd", or: directories) { return program }
    throw Failure(
      .unavailable, "gpsd, which reads the receiver, is not installed: 'sudo apt install gpsd'")
  }
}
