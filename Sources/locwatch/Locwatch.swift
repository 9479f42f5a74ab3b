import Glibc
import LibGPS
import LocwatchCLI

@main
struct Locwatch {
  static func main() {
    let status = Command.run(arguments: arguments, environment: .ofProcess) { loop in
      LibGPSSession(on: loop)
    }
    exit(status.rawValue)
  }

  /// The arguments after the command's own name.
  private static var arguments: [String] {
    let known = CommandLine.arguments.isEmpty ? argumentsOnStack : CommandLine.arguments
    return Array(known.dropFirst())
  }

  /// The arguments where /proc is missing, from which Swift reads them: the kernel stores their
  /// number and addresses, and a null pointer, in front of the environment.
  private static var argumentsOnStack: [String] {
    var first = unsafe environ - 1
    var count = 0
    while unsafe Int(bitPattern: (first - 1).pointee) != count {
      unsafe first -= 1
      count += 1
    }
    return (0..<count).compactMap { index in
      unsafe first[index].map { unsafe String(cString: $0) }
    }
  }
}
