import Glibc
package import LocwatchSystem

/// Finds the program gpsd, which Debian installs outside a user's PATH.
package enum GPSDProgram {
  /// - Parameter directories: Where it is looked for after the directories of PATH.
  /// - Throws: ``Failure`` if gpsd is not installed.
  package static func find(
    _ environment: Environment,
    or directories: [String] = ["/usr/sbin", "/usr/local/sbin", "/sbin"]
  ) throws(Failure) -> String {
    let path = environment["PATH", default: ""].split(separator: ":").map(String.init)
    for directory in path + directories {
      let program = "\(directory)/gpsd"
      if isFile(program), unsafe access(program, X_OK) == 0 { return program }
    }
    throw Failure(
      .unavailable, "gpsd, which reads the receiver, is not installed: 'sudo apt install gpsd'")
  }

  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
