import CGPS
import CGPSUnpack
import GPSDLocation
import GPSDProtocol
import Glibc

/// Prints how many megabytes a second are decoded of a file, by us and by `gps_unpack`, in turn.
@main
struct DecodeBenchmark {
  static func main() {
    guard CommandLine.arguments.count == 3, let rounds = Int(CommandLine.arguments[2]) else {
      print("usage: decode-benchmark FILE ROUNDS")
      exit(64)
    }
    let bytes = contents(of: CommandLine.arguments[1])
    let lines = bytes.split(separator: UInt8(ascii: "\n")).map { Array($0) + [10] }
    let strings = lines.map { $0 + [0] }
    for _ in 0..<rounds {
      let ours = rate(of: bytes.count) { decode(lines) }
      let theirs = rate(of: bytes.count) { unpack(strings) }
      print(ours, theirs)
    }
  }

  private static func decode(_ lines: [[UInt8]]) {
    var decoder = GPSDDecoder()
    var reports = 0
    for line in lines where decoder.decode(line.span) != .malformed { reports += 1 }
    precondition(reports == lines.count)
  }

  private static func unpack(_ lines: [[UInt8]]) {
    var gps = gps_data_t()
    var line = [UInt8](repeating: 0, count: LineFramer.maximumLineLength)
    for bytes in lines where bytes.count < line.count {
      // It writes into its input.
      line.withUnsafeMutableBytes { target in
        bytes.withUnsafeBytes { target.copyMemory(from: $0) }
        let text = target.baseAddress!.assumingMemoryBound(to: CChar.self)
        _ = lw_unpack(text, &gps)
      }
    }
  }

  private static func rate(of bytes: Int, _ body: () -> Void) -> Double {
    // What others do on the machine does not count.
    let start = clock()
    body()
    return Double(bytes) / Double(clock() - start)
  }

  private static func contents(of path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
      print("cannot read \(path)")
      exit(66)
    }
    return [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
      while count < buffer.count {
        let got = read(descriptor, buffer.baseAddress! + count, buffer.count - count)
        if got <= 0 { break }
        count += got
      }
    }
  }
}
