import Foundation
import Glibc

/// The processes of the machine, as /proc has them.
enum ProcessTable {
  static func identifiers() throws -> [pid_t] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }
  }

  /// The program and its arguments; empty for a process that has ended.
  static func arguments(of process: pid_t) -> [String] {
    let words = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
    return words.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// `nil` for a process that has ended.
  static func parent(of process: pid_t) -> pid_t? {
    let status = FileManager.default.contents(atPath: "/proc/\(process)/stat") ?? Data()
    // The name, which may have spaces, ends with the last parenthesis.
    let fields = String(decoding: status, as: UTF8.self).split(separator: ")").last ?? ""
    return fields.split(separator: " ").dropFirst().first.flatMap { pid_t($0) }
  }
}
