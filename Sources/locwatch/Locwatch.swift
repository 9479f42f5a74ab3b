import Glibc
import LibGPS
import LocwatchCLI

@main
struct Locwatch {
  static func main() {
    let status = Command.run(
      arguments: Array(CommandLine.arguments.dropFirst()), environment: .ofProcess
    ) { executor in
      LibGPSSession(executor: executor)
    }
    exit(status.rawValue)
  }
}
