import Glibc
import LibGPS
import LocwatchCLI

@main
struct Locwatch {
  static func main() {
    let status = Command.run(
      arguments: Array(arguments.dropFirst()), environment: .ofProcess
    ) { loop in
      LibGPSSession(on: loop)
    }
    exit(status.rawValue)
  }

  /// The arguments byte for byte, because a file name need not be UTF-8.
  private static var arguments: [Argument] {
    (0..<Int(CommandLine.argc)).compactMap { index in
      let argument = unsafe CommandLine.unsafeArgv[index]
      return unsafe argument.map { start in
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: strlen(start))
        return unsafe Argument(bytes: Array(bytes)[...])
      }
    }
  }
}
