import GPSDLocation
import Glibc
import LocationCore
import LocwatchSystem
import Synchronization

/// Reads the spans of recordings. A file is read again only if it has changed. A file that locwatch
/// compressed has its span in its first bytes.
final class SpanCache: Sendable {
  private struct Version: Hashable {
    /// The hash of its path. A file can have the inode, the size and the time of one that was removed.
    let path: Int
    let device: dev_t
    let inode: ino_t
    let size: off_t
    let seconds: Int
    let nanoseconds: Int
  }

  private struct Reading {
    let span: RecordedSpan
    /// Whether all of the file was read.
    let isWhole: Bool
    /// The number of calls of ``forgetUnread()`` before the span was last asked for.
    var round: Int
  }

  private struct State {
    var readings: [Version: Reading] = [:]
    var round = 0
  }

  private let state = Mutex(State())

  /// Returns the span of a regular file; `nil` if it cannot be read.
  ///
  /// - Parameter isWhole: Whether all of a compressed file has to be read, instead of its first bytes.
  func read(_ path: FilePath, isWhole: Bool = false) -> RecordedSpan? {
    guard let status = path.ownStatus, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let version = Version(
      path: path.hashValue, device: status.st_dev, inode: status.st_ino, size: status.st_size,
      seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
    let known = state.withLock { state in
      state.readings[version]?.round = state.round
      return state.readings[version]
    }
    if let known, known.isWhole || !isWhole { return known.span }
    guard let file = try? RecordingFile(path: path) else { return nil }
    let stored = RecordedSpan(gzipHeader: file.storedHead(upTo: RecordedSpan.headerLength))
    var span = isWhole ? nil : stored
    if span == nil {
      span = try? RecordedSpan(reading: file)
      // What is missing is known only from the first bytes.
      if file.isDamaged, span != nil { span = stored ?? span }
    }
    guard let span else { return nil }
    state.withLock { state in
      state.readings[version] = Reading(
        span: span, isWhole: isWhole || stored == nil, round: state.round)
    }
    return span
  }

  /// Forgets the files that were not asked for since the last call. They may not exist any more.
  func forgetUnread() {
    state.withLock { state in
      for version in state.readings.filter({ $0.value.round != state.round }).keys {
        state.readings[version] = nil
      }
      state.round += 1
    }
  }
}
