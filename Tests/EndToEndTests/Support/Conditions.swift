import DaemonHarness
import Foundation
import Glibc
import Testing

extension Trait where Self == ConditionTrait {
  /// For what needs a real gpsd.
  static var needsGPSD: Self {
    .enabled(if: GPSDProcess.program != nil, "gpsd is not installed")
  }

  /// For what gpsd's own tools in Python read.
  static var needsGPSCSV: Self {
    .enabled(
      if: ["gpscsv", "gpsprof"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
      }, "gpscsv and gpsprof are not installed")
  }

  /// For what takes half a minute or more: LOCWATCH_LONG_TESTS=1, which `make faults` sets, runs it.
  static var takesLong: Self {
    .enabled(
      if: ProcessInfo.processInfo.environment["LOCWATCH_LONG_TESTS"] == "1",
      "it takes long: LOCWATCH_LONG_TESTS=1 runs it")
  }

  /// For system calls that fail: strace makes them.
  static var needsStrace: Self {
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/strace"),
      "strace is not installed")
  }

  /// For what is written in C.
  static var needsCompiler: Self {
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/cc"), "there is no C compiler")
  }

  /// For file systems of the test's own.
  static var needsMounts: Self {
    .enabled(if: geteuid() == 0, "only root can mount a file system")
  }

  /// For what uses gpsd's own port, or another user's identity.
  static var needsRoot: Self {
    .enabled(if: NetworkNamespace.isAvailable, "it needs root, and Linux namespaces")
  }

  /// For programs that may not write large files, of which ThreadSanitizer makes one at their start, or have
  /// no descriptor left for its symbolizer, without which it suppresses nothing.
  static var needsNoThreadSanitizer: Self {
    .disabled(
      if: ProcessInfo.processInfo.environment["LOCWATCH_SANITIZER"] == "thread",
      "ThreadSanitizer itself needs a file")
  }

  /// For programs without threads or /proc, which sanitizers themselves need.
  static var needsNoSanitizer: Self {
    .disabled(
      if: ProcessInfo.processInfo.environment["LOCWATCH_SANITIZER"] != nil,
      "sanitizers themselves need threads and /proc")
  }
}
