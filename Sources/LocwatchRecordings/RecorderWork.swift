import Glibc
import LocationCore
import LocwatchSystem
import Synchronization

/// The work of a recorder on other threads than the event loop's: syncing files to the disk, and keeping
/// folders in order.
package final class RecorderWork: Sendable {
  private let disk: BackgroundWork
  private let upkeep: BackgroundWork
  private let syncFolder: @Sendable (FilePath) -> Void
  private let report: @Sendable (String) -> Void
  /// The last error of each kind. Each error is reported once.
  private let errors = Mutex(Errors())
  private let spans = SpanCache()

  private struct Errors {
    var disk: String?
    var upkeep: String?
  }

  /// - Parameters:
  ///   - start: Runs a body elsewhere. Returns `false` if that is not possible.
  ///   - report: Called for each recording that was removed, and once for each problem.
  package convenience init(
    startedBy start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool,
    report: @escaping @Sendable (String) -> Void
  ) {
    self.init(
      disk: BackgroundWork(start: start), upkeep: BackgroundWork(start: start), report: report)
  }

  /// - Parameters:
  ///   - syncFolder: Waits until the names of a folder's files are on the disk.
  ///   - report: Called for each recording that was removed, and once for each problem.
  init(
    disk: BackgroundWork = BackgroundWork(),
    upkeep: BackgroundWork = BackgroundWork { BlockingThread.startWithLowPriority($0) },
    syncFolder: @escaping @Sendable (FilePath) -> Void = { $0.syncFolder() },
    report: @escaping @Sendable (String) -> Void
  ) {
    self.disk = disk
    self.syncFolder = syncFolder
    self.upkeep = upkeep
    self.report = report
  }

  /// Whether a sync is in progress.
  var isSyncing: Bool { disk.isBusy }
  /// Whether a folder is being kept in order.
  var isInUpkeep: Bool { upkeep.isBusy }

  /// Syncs a file to the disk.
  ///
  /// - Parameter folder: The folder of the file if the file is new; otherwise `nil`.
  func sync(_ file: Descriptor, in folder: FilePath?) {
    disk.add { [self] in
      let failure = Self.error { () throws(OutputError) in try file.synchronizeData() }
      if let folder { syncFolder(folder) }
      say(failure?.description, \.disk)
    }
  }

  /// Syncs a complete file and its name to the disk. Then the file may be compressed.
  ///
  /// - Parameters:
  ///   - end: When the last line of the file was received.
  ///   - next: Called when the file is on the disk.
  func finish(
    _ file: Descriptor, at end: Timestamp?, in folder: FilePath?,
    next: @escaping @Sendable () -> Void = {}
  ) {
    disk.add { [self] in
      if let end { file.setModified(timespec(end)) }
      let failure = Self.error { () throws(OutputError) in try file.synchronize() }
      if let folder { syncFolder(folder) }
      file.unlock()
      say(failure?.description, \.disk)
      next()
    }
  }

  /// Starts the upkeep of a folder.
  func keepUp(_ folder: RecordingFolder) {
    upkeep.add { [self] in
      let upkeep = FolderUpkeep(folder: folder.path, limit: folder.limit, spans: spans)
      let outcome = upkeep.run()
      for removal in outcome.removals { report(removal) }
      say(outcome.problem, \.upkeep)
    }
  }

  /// Waits for the disk, up to a deadline. Returns whether everything is on the disk.
  ///
  /// - Parameter executor: Where the timer runs by preference; `nil` for the shared thread pool.
  func waitForDisk(
    until deadline: Moment, by clock: LocationClock, on executor: (any TaskExecutor)?
  ) async -> Bool {
    await disk.finish(until: deadline, by: clock, on: executor)
  }

  private static func error(_ body: () throws(OutputError) -> Void) -> OutputError? {
    do throws(OutputError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  /// Reports a problem once, until it changes or is solved.
  private func say(_ problem: String?, _ kind: WritableKeyPath<Errors, String?>) {
    let isNew = errors.withLock { errors in
      defer { errors[keyPath: kind] = problem }
      return errors[keyPath: kind] != problem
    }
    if let problem, isNew { report(problem) }
  }
}

extension BlockingThread {
  /// Runs a body on a new thread with low priority.
  static func startWithLowPriority(_ body: @escaping @Sendable () -> Void) -> Bool {
    start {
      // On Linux, this affects only the calling thread.
      _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
      body()
    }
  }
}

extension timespec {
  fileprivate init(_ time: Timestamp) {
    let (seconds, rest) = time.nanosecondsSince1970.dividedDown(by: 1_000_000_000)
    self.init(tv_sec: Int(seconds), tv_nsec: Int(rest))
  }
}
