import Glibc
import LibGPS
import LocwatchCLI

@main
struct Locwatch {
  static func main() {
    let status = Command.run(
      arguments: Array(CommandLine.arguments.dropFirst()), environment: environment()
    ) { executor in
      LibGPSSession(executor: executor)
    }
    exit(status.rawValue)
  }

  private static func environment() -> [String: String] {
    var variables: [String: String] = [:]
    var next = unsafe environ
    while let entry = unsafe next.pointee {
      let parts = unsafe String(cString: entry).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
      unsafe next += 1
    }
    return variables
  }
}
