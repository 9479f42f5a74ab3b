import Glibc
import LibGPS
import LocwatchCLI
import LocwatchSystem

@main
struct Locwatch {
  static func main() {
    let status = Command.run(arguments: arguments, environment: .ofProcess) { loop in
      LibGPSSession(on: loop)
    }
    exit(status.rawValue)
  }

  /// The arguments after the command's own name, byte for byte, because a file name need not be
  /// UTF-8.
  private static var arguments: [Argument] {
    let (first, count) = unsafe argumentVector
    return (0..<count).dropFirst().compactMap { index in
      unsafe first[index].map { start in
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: strlen(start))
        return unsafe Argument(bytes: Array(bytes)[...])
      }
    }
  }

  /// The addresses of the arguments.
  ///
  /// Swift reads them from /proc. Where that is missing, they are taken from the stack: the kernel
  /// stores their number and addresses, and a null pointer, in front of the environment.
  private static var argumentVector:
    (first: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, count: Int)
  {
    if CommandLine.argc > 0 {
      return unsafe (CommandLine.unsafeArgv, Int(CommandLine.argc))
    }
    var first: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = unsafe environ - 1
    var count = 0
    while unsafe Int(bitPattern: (first - 1).pointee) != count {
      unsafe first -= 1
      count += 1
    }
    return unsafe (first, count)
  }
}
