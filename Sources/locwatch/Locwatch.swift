import Glibc
import LibGPS
import LocwatchCLI

@main
struct Locwatch {
  static func main() {
    let status = Command.run(
      arguments: Array(CommandLine.arguments.dropFirst()), environment: .ofProcess
    ) { loop in
      LibGPSSession(on: loop)
    }
    exit(status.rawValue)
  }
}
