import GPSDLocation
import Glibc
import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem

/// Whether the files that options name can be written is known at the start.
/// Fault 90.
@Suite struct OutputObstacleTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("sub")
  }

  /// Returns why the outputs of a command line, in which `@` is the folder of the test, cannot be written.
  private func obstacle(_ arguments: String...) throws -> String? {
    let arguments = arguments.map { $0.replacing("@", with: folder.path) }
    return try Options(arguments: arguments).outputObstacle?.description
      .replacing(folder.path, with: "@")
  }

  @Test func `a stream needs no folder, and standard streams exist`() throws {
    let pipe = folder.makePipe("pipe.txt")
    for stream in ["/dev/null", "/dev/stdout", "/dev/stderr", pipe] {
      #expect(try obstacle("-o", stream) == nil, "\(stream)")
    }
    // Those of the tests may be a file.
    for stream in ["/dev/null", pipe] {
      #expect(try obstacle("--record", stream) == nil, "\(stream)")
    }
    #expect(try obstacle("--report", pipe) == nil)
    #expect(try obstacle("-o", "-") == nil)
    #expect(try obstacle("--record", "-") == nil)
    #expect(try obstacle("--report", "-") == nil)
  }

  @Test(.disabled(if: geteuid() == 0, "root may write everything"))
  func `missing permission to write is known`() throws {
    try folder.write("old", to: "sub/mine.txt", mode: 0o444)
    let why = "cannot create @/sub/mine.txt: Permission denied"
    #expect(try obstacle("-o", "@/sub/mine.txt") == why)
    #expect(try obstacle("--record", "@/sub/mine.txt") == why)
    // It is replaced, for which only its folder counts.
    #expect(try obstacle("--report", "@/sub/mine.txt") == nil)
    chmod(folder.path + "/sub", 0o555)
    defer { chmod(folder.path + "/sub", 0o755) }
    #expect(try obstacle("--report", "@/sub/mine.txt") == why)
    #expect(try obstacle("-f", "prometheus", "-o", "@/sub/mine.txt") == why)
  }
}
