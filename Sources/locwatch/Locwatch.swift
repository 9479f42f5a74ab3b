import CLinux
import Glibc
import LibGPS
import LocwatchCLI
import LocwatchSystem

@main
struct Locwatch {
  static func main() {
    let connector = Connector()
    let status = Command.run(arguments: arguments, environment: .ofProcess) { loop in
      LibGPSSession(on: loop, connector: connector)
    }
    exit(status.rawValue)
  }

  /// The arguments after the command's own name, byte for byte, because a file name need not be
  /// UTF-8.
  ///
  /// `CommandLine` replaces bytes that are not UTF-8. It finds the arguments through /proc, or before the
  /// environment in memory, which a preloaded library may have moved.
  private static var arguments: [Argument] {
    (0..<lw_argument_count()).dropFirst().compactMap { index in
      unsafe lw_argument(index).map { start in
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: strlen(start))
        return unsafe Argument(bytes: Array(bytes)[...])
      }
    }
  }
}
