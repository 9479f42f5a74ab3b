import Foundation
import Glibc

/// What a process has used so far.
struct ProcessFigures {
  /// The time that it ran, in user mode and in the kernel.
  var cpu: Duration
  /// The bytes that it has in memory.
  var memory: Int
  var descriptors: Int
  /// The bytes that it has read.
  var bytesRead: Int

  init(of process: pid_t) throws {
    let status = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    // The name, which may have spaces, ends with the last parenthesis.
    let fields = status[(status.lastIndex(of: ")") ?? status.startIndex)...].split(separator: " ")
    let numbers = fields.map { Int($0) ?? 0 }
    guard numbers.count > 22 else { throw CocoaError(.fileReadCorruptFile) }
    cpu = .seconds(numbers[12] + numbers[13]) / sysconf(CInt(_SC_CLK_TCK))
    memory = numbers[22] * sysconf(CInt(_SC_PAGESIZE))
    let input = try String(contentsOfFile: "/proc/\(process)/io", encoding: .utf8)
    bytesRead = input.split(separator: "\n").first.flatMap { Int($0.dropFirst(7)) } ?? 0
    descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
  }
}
