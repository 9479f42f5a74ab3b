import GPSDLocation
import Glibc
import LocationCore
import LocwatchTestSupport
import Testing

@testable import LocwatchRecordings

@Suite struct `The spans of recordings` {
  private let folder: TemporaryFolder
  private let cache = SpanCache()

  init() throws { folder = try TemporaryFolder() }

  /// Writes a recording of 10 to 99 s that was last changed at the same time as the others.
  private func write(_ seconds: Int, to name: String = "a") throws -> FilePath {
    let stamps = ["0.000", "\(seconds).000"].map { #"{"class":"LOCWATCH","t":\#($0)}"# + "\n" }
    let path = try folder.write(stamps.joined(), to: name)
    let time = timespec(tv_sec: 1_800_000_000, tv_nsec: 0)
    try #require(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
    return FilePath(path)
  }

  private func length(of path: FilePath) -> Nanoseconds? { cache.read(path)?.length }

  @Test func `are read again only if a file has changed`() throws {
    let path = try write(10)
    #expect(length(of: path) == .seconds(10))
    // Nothing shows that this is another recording.
    _ = try write(20)
    #expect(length(of: path) == .seconds(10))
    try folder.write(#"{"class":"LOCWATCH","t":1.000}"# + "\n", to: "a")
    #expect(length(of: path) == .zero)
    #expect(length(of: try write(30, to: "b")) == .seconds(30))
  }

  @Test func `are those of a path, whose file may have the inode of a removed one`() throws {
    let path = try write(10)
    #expect(length(of: path) == .seconds(10))
    try #require(rename("\(folder.path)/a", "\(folder.path)/b") == 0)
    #expect(length(of: try write(20, to: "b")) == .seconds(20))
  }

  @Test func `are forgotten when nobody has asked for them`() throws {
    let path = try write(10)
    #expect(length(of: path) == .seconds(10))
    cache.forgetUnread()
    #expect(length(of: path) == .seconds(10))
    _ = try write(20)
    cache.forgetUnread()
    #expect(length(of: path) == .seconds(10))
    cache.forgetUnread()
    cache.forgetUnread()
    #expect(length(of: path) == .seconds(20))
  }
}
