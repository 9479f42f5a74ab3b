import Glibc

/// Where gpsd is on this machine. Debian keeps it where a user's PATH does not look.
enum GPSDProgram {
  private static let directories = ["/usr/sbin", "/usr/local/sbin", "/sbin"]

  /// - Throws: ``Failure`` where there is none.
  static func find(_ environment: Environment) throws(Failure) -> String {
    let path = environment["PATH", default: ""].split(separator: ":").map(String.init)
    for directory in path + directories {
      let program = "\(directory)/gpsd"
      if unsafe access(program, X_OK) == 0 { return program }
    }
    throw Failure(
      .unavailable, "gpsd is not installed, and it reads the receiver: 'sudo apt install gpsd'")
  }
}
