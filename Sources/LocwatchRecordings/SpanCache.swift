import GPSDLocation
import Glibc
import LocwatchSystem
import Synchronization

/// Reads the spans of recordings. A file is read again only if it has changed. A file that locwatch
/// compressed has its span in its first bytes.
final class SpanCache: Sendable {
  private struct Version: Hashable {
    let inode: ino_t
    let size: off_t
    let seconds: Int
    let nanoseconds: Int
  }

  private let spans = Mutex<[FilePath: (version: Version, span: RecordedSpan)]>([:])

  /// Returns the span of a regular file; `nil` if it cannot be read.
  func read(_ path: FilePath) -> RecordedSpan? {
    guard let status = path.ownStatus, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let version = Version(
      inode: status.st_ino, size: status.st_size, seconds: status.st_mtim.tv_sec,
      nanoseconds: status.st_mtim.tv_nsec)
    let known = spans.withLock { $0[path] }
    if let known, known.version == version { return known.span }
    guard let file = try? RecordingFile(path: path), let span = Self.span(of: file) else {
      return nil
    }
    spans.withLock { $0[path] = (version, span) }
    return span
  }

  /// Removes all files from the cache except for these.
  func forgetAll(but paths: [FilePath]) {
    let paths = Set(paths)
    spans.withLock { spans in spans = spans.filter { paths.contains($0.key) } }
  }

  private static func span(of file: RecordingFile) -> RecordedSpan? {
    RecordedSpan(gzipHeader: file.storedHead(upTo: RecordedSpan.headerLength))
      ?? (try? RecordedSpan(reading: file))
  }
}
