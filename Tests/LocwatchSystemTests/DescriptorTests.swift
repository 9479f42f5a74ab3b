import Foundation
import Glibc
import LocationCore
import LocwatchTestSupport
import Testing

@testable import LocwatchSystem

/// Fault 28.
@Suite struct DescriptorTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func bytes(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private func flags(_ descriptor: Descriptor) -> CInt { fcntl(descriptor.number, F_GETFL) }

  /// How many bytes a call took; `nil` if it took none.
  private func count(_ outcome: Descriptor.Outcome) -> Int? {
    if case .wrote(let count) = outcome { return count }
    return nil
  }

  // MARK: Opening

  @Test func `A file is appended to, and one that is not there is made`() throws {
    try folder.write("old ", to: "a")
    for name in ["a", "b"] {
      let descriptor = try Descriptor(appendingTo: folder.path(name))
      #expect(descriptor.kind == .file && descriptor.path == "\(folder.path)/\(name)")
      #expect(count(descriptor.writeNow(bytes("new"))) == 3)
      #expect(descriptor.positionInFile == nil)
      #expect(fcntl(descriptor.number, F_GETFD) & FD_CLOEXEC != 0)
      #expect(flags(descriptor) & O_NONBLOCK == 0)
    }
    #expect(folder.text(of: "a") == "old new" && folder.text(of: "b") == "new")
  }

  @Test func `A file is written from its beginning, without what it had`() throws {
    try folder.write("something old", to: "a")
    let descriptor = try Descriptor(replacing: folder.path("a"))
    #expect(folder.text(of: "a") == "something old" && descriptor.positionInFile == 0)
    var writer = RecordWriter(descriptor)
    for piece in ["n", "ew"] {
      #expect(try writer.write(Array(piece.utf8)[...]) == piece.utf8.count)
    }
    #expect(folder.text(of: "a") == "new" && descriptor.positionInFile == 3)
    // It is empty if nothing was written.
    let other = FilePath(try folder.write("something old", to: "b"))
    var sink = OutputSink(try Descriptor(replacing: other), waitsForReader: false)
    #expect(folder.text(of: "b") == "something old")
    try sink.finish(waitsForReader: false)
    #expect(folder.text(of: "b") == "")
  }

  /// Fault 137.
  @Test func `A file has one writer at a time`() throws {
    let path = folder.path("a")
    do {
      let first = try Descriptor(replacing: path)
      #expect(first.writeAll(Array("first".utf8)))
      #expect(throws: OutputError.inUse(path: path.description)) { try Descriptor(replacing: path) }
      #expect(folder.text(of: "a") == "first")
    }
    _ = try Descriptor(replacing: path)
  }

  @Test func `A pipe is a stream that never blocks, if somebody reads it`() throws {
    let name = folder.makePipe("pipe")
    #expect(throws: OutputError.noReader(path: name)) {
      try Descriptor(appendingTo: FilePath(name))
    }
    #expect(throws: OutputError.noReader(path: name)) { try Descriptor(replacing: FilePath(name)) }
    let reader = open(name, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    for descriptor in [
      try Descriptor(appendingTo: FilePath(name)), try Descriptor(replacing: FilePath(name)),
    ] {
      #expect(descriptor.kind == .stream && flags(descriptor) & O_NONBLOCK != 0)
      #expect(descriptor.positionInFile == nil && descriptor.currentPosition == nil)
    }
  }

  @Test func `A file that cannot be created is an error with the reason`() throws {
    let path = FilePath("\(folder.path)/no/a")
    let error = OutputError.cannotCreate(
      path: path.description, reason: "No such file or directory")
    #expect(throws: error) { try Descriptor(appendingTo: path) }
    #expect(throws: error) { try Descriptor(replacing: path) }
    #expect(throws: error) { try Descriptor(creating: path, appends: true) }
  }

  @Test func `A file of a name that is taken is not made`() throws {
    try folder.write("old", to: "a")
    #expect(try Descriptor(creating: folder.path("a"), appends: true) == nil)
    let created = try #require(try Descriptor(creating: folder.path("b"), appends: true))
    #expect(count(created.write(bytes("new"))) == 3)
    #expect(folder.text(of: "a") == "old" && folder.text(of: "b") == "new")
    #expect(flags(created) & O_APPEND != 0 && fcntl(created.number, F_GETFD) & FD_CLOEXEC != 0)
  }

  @Test func `A descriptor is closed with its last user`() throws {
    var descriptor: Descriptor? = try Descriptor(appendingTo: folder.path("a"))
    let link = "/proc/self/fd/\(try #require(descriptor).number)"
    let path = "\(folder.path)/a"
    #expect(SymbolicLink.destination(of: link) == path)
    descriptor = nil
    // Another test may have the number by now, but not the file.
    #expect(SymbolicLink.destination(of: link) != path)
  }

  // MARK: Positions

  @Test func `The position of the next write is that after the last one`() throws {
    let descriptor = try Descriptor(replacing: folder.path("a"))
    #expect(descriptor.currentPosition == 0)
    #expect(count(descriptor.write(bytes("0123456789"))) == 10)
    #expect(descriptor.currentPosition == 10 && descriptor.length == 10)
    #expect(count(descriptor.write(bytes("ab"), at: 3)) == 2)
    #expect(descriptor.currentPosition == 10 && folder.text(of: "a") == "012ab56789")
    descriptor.move(to: 4)
    #expect(count(descriptor.write(bytes("-"))) == 1)
    #expect(descriptor.positionInFile == 5 && folder.text(of: "a") == "012a-56789")
    #expect(descriptor.end(at: 2))
    #expect(descriptor.currentPosition == 2 && folder.text(of: "a") == "01")
  }

  @Test func `A file without an end cannot be truncated, and has no length`() throws {
    let pipe = try PipeEnds()
    #expect(!pipe.descriptor.end(at: 0))
    #expect(pipe.descriptor.length == 0)
  }

  @Test func `The head and the tail of a file are as many bytes as there are`() throws {
    try folder.write("0123456789", to: "a")
    let descriptor = try Descriptor(appendingTo: folder.path("a"))
    #expect(text(descriptor.head(upTo: 3)) == "012" && text(descriptor.tail(upTo: 3)) == "789")
    #expect(text(descriptor.head(upTo: 99)) == "0123456789")
    #expect(text(descriptor.tail(upTo: 99)) == "0123456789")
    // That may only be written.
    let writing = try Descriptor(replacing: folder.path("b"))
    #expect(count(writing.write(bytes("abc"))) == 3)
    #expect(writing.head(upTo: 3) == [] && writing.tail(upTo: 3) == [])
  }

  @Test func `A file is removed once it has no name any more`() throws {
    let descriptor = try Descriptor(appendingTo: folder.path("a"))
    #expect(!descriptor.isRemoved)
    try folder.link("b", to: "a")
    #expect(unlink("\(folder.path)/b") == 0 && !descriptor.isRemoved)
    #expect(link("\(folder.path)/a", "\(folder.path)/c") == 0)
    #expect(unlink("\(folder.path)/a") == 0 && !descriptor.isRemoved)
    #expect(unlink("\(folder.path)/c") == 0 && descriptor.isRemoved)
    // One that had none when it was opened is no different from then.
    let nameless = try Descriptor(appendingTo: FilePath("/proc/self/fd/\(descriptor.number)"))
    #expect(nameless.kind == .file && !nameless.isRemoved)
    #expect(!(try PipeEnds().descriptor.isRemoved))
  }

  /// Another process may remove a file as soon as it is there.
  @Test func `A new file is removed even if that came before its first look`() throws {
    let path = "\(folder.path)/new"
    let number = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    #expect(number >= 0 && unlink(path) == 0)
    #expect(Descriptor(number, path: path, isOwned: true, isNew: true).isRemoved)
  }

  // MARK: Writing

  @Test func `A pipe without room takes nothing now, and one without a reader is closed`() throws {
    let pipe = try PipeEnds()
    let piece = bytes(String(repeating: "x", count: 100_000))
    #expect(count(pipe.descriptor.writeNow(piece)) == 65_536)
    guard case .notNow = pipe.descriptor.writeNow(piece) else {
      Issue.record("There is no room.")
      return
    }
    #expect(!pipe.descriptor.isWritable())
    _ = pipe.readAll()
    #expect(pipe.descriptor.isWritable())
    pipe.closeReader()
    guard case .failed(.closed) = pipe.descriptor.writeNow(piece) else {
      Issue.record("Nobody reads it.")
      return
    }
    #expect(!pipe.descriptor.writeAll(Array(piece)))
  }

  @Test func `A connection that its reader closed with bytes unread is closed`() throws {
    let ends = try ConnectionEnds()
    let descriptor = Descriptor(ends.writer, path: "standard output", isOwned: true)
    #expect(descriptor.kind == .stream && count(descriptor.writeNow(bytes("unread"))) == 6)
    close(ends.reader)
    // A process that another test starts has the reader, too, until it is another program.
    var hangUp = pollfd(fd: descriptor.number, events: 0, revents: 0)
    #expect(poll(&hangUp, 1, 60_000) == 1)
    guard case .failed(.closed) = descriptor.writeNow(bytes("x")) else {
      Issue.record("Nobody reads it.")
      return
    }
  }

  @Test(arguments: [
    (EPIPE, true, true), (ECONNRESET, true, false), (ETIMEDOUT, true, false),
    (EHOSTUNREACH, true, false), (EIO, false, false), (ENOSPC, false, false),
  ])
  func `The reader of a stream can be gone, and that of a file cannot`(
    number: CInt, isGoneFromStream: Bool, isGoneFromFile: Bool
  ) throws {
    let file = try Descriptor(appendingTo: folder.path("a"))
    let stream = try PipeEnds().descriptor
    #expect((stream.error(number) == .closed) == isGoneFromStream)
    #expect((file.error(number) == .closed) == isGoneFromFile)
    let reason = String(cString: strerror(number))
    if !isGoneFromFile {
      #expect(file.error(number) == .cannotWrite(path: file.path, reason: reason))
    }
  }

  @Test func `The null device takes all at once, and a full one is an error`() throws {
    let null = try Descriptor(appendingTo: "/dev/null")
    #expect(null.kind == .stream)
    #expect(count(null.writeNow(bytes(String(repeating: "x", count: 100_000)))) == 100_000)
    let full = try Descriptor(replacing: "/dev/full")
    guard case .failed(let error) = full.write(bytes("x")) else {
      Issue.record("It has no room.")
      return
    }
    #expect(error == .cannotWrite(path: "/dev/full", reason: "No space left on device"))
    #expect(!full.writeAll([1]) && full.writeAll([]))
  }

  @Test func `A terminal takes as much as a pipe that is ready, and has its size`() throws {
    let ends = try PseudoTerminalEnds(rows: 33, columns: 99)
    #expect(ends.terminal.kind == .terminal && ends.terminal.size == (99, 33))
    #expect(ends.terminal.isInLineMode && !ends.terminal.isOfThisSession)
    #expect(!ends.terminal.isInForeground)
    #expect(ends.terminal.currentPosition == nil)
  }

  @Test(arguments: [(0, 99), (33, 0), (0, 0)] as [(UInt16, UInt16)])
  func `A terminal that does not know its size has the usual one`(
    rows: UInt16, columns: UInt16
  ) throws {
    #expect(try PseudoTerminalEnds(rows: rows, columns: columns).terminal.size == (80, 24))
  }

  @Test func `A file has the usual size of a terminal, and is in the foreground`() throws {
    let descriptor = try Descriptor(appendingTo: folder.path("a"))
    #expect(descriptor.size == (80, 24) && descriptor.isInForeground)
    #expect(!descriptor.isInLineMode && !descriptor.isOfThisSession)
  }
}

/// The two ends of a TCP connection; they stay open.
private struct ConnectionEnds {
  let writer: CInt
  let reader: CInt

  init() throws {
    let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    // A process that another test starts would keep it open.
    reader = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let reader = reader
    let isConnected = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, size) == 0 && listen(listener, 1) == 0
          && getsockname(listener, address, &size) == 0 && connect(reader, address, size) == 0
      }
    }
    try #require(isConnected)
    writer = accept(listener, nil, nil)
  }
}

@Suite struct FileIdentityTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func identity(_ name: String) -> FileIdentity? { FileIdentity(of: folder.path(name)) }

  @Test func `A file is the same by each of its names`() throws {
    try folder.write("", to: "a")
    try folder.write("", to: "b")
    try folder.link("link", to: "a")
    #expect(link("\(folder.path)/a", "\(folder.path)/hard") == 0)
    let one = try #require(identity("a"))
    for name in ["./a", "link", "hard", "../\(folder.path.split(separator: "/").last!)/a"] {
      #expect(identity(name) == one)
    }
    #expect(identity("b") != one && identity("b") != nil)
    let descriptor = try Descriptor(appendingTo: folder.path("link"))
    #expect(FileIdentity(of: descriptor.number) == one)
  }

  @Test func `A file that is not there yet is the same by its folder and its name`() throws {
    try folder.makeFolder("sub")
    try folder.link("link", to: "sub")
    try folder.link("new", to: "sub/a")
    let one = try #require(identity("sub/a"))
    for name in ["link/a", "new", "sub/a/", "./sub//a"] { #expect(identity(name) == one) }
    #expect(identity("sub/b") != one && identity("a") != one)
    #expect(identity("no/a") == nil)
    // The folder itself is not what is in it.
    #expect(identity("sub") != one && identity("sub") == identity("link/"))
  }

  @Test func `A file that stores nothing has no identity`() throws {
    #expect(FileIdentity(of: "/dev/null") == nil)
    #expect(FileIdentity(of: FilePath(folder.makePipe("pipe"))) == nil)
    #expect(FileIdentity(of: try PipeEnds().descriptor.number) == nil)
    #expect(FileIdentity(of: -1) == nil)
  }

  @Test(arguments: [
    ("a", "./", "a"), ("a/", "./", "a"), ("/a", "/", "a"), ("b/a//", "b/", "a"),
    ("/c/b/a", "/c/b/", "a"), ("/", "./", ""), ("", "./", ""),
  ])
  func `A path has a folder and a name in it`(path: String, folder: String, name: String) {
    #expect(FilePath(path).folder == FilePath(folder))
    #expect(FilePath(path).lastComponent == Array(name.utf8))
    #expect(FilePath(path).sibling("x".utf8) == FilePath(folder + "x"))
  }

  @Test func `Links are followed one after the other, up to forty`() throws {
    try folder.makeFolder("sub")
    try folder.link("sub/2", to: "../end")
    try folder.link("1", to: "\(folder.path)/sub/2")
    #expect(folder.path("1").followingLinks == FilePath("\(folder.path)/sub/../end"))
    #expect(folder.path("end").followingLinks == folder.path("end"))
    try folder.link("l0", to: "nothing")
    for number in 1...40 { try folder.link("l\(number)", to: "l\(number - 1)") }
    #expect(folder.path("l38").followingLinks == folder.path("nothing"))
    #expect(folder.path("l39").followingLinks == folder.path("l39"))
    try folder.link("round", to: "round")
    #expect(folder.path("round").followingLinks == folder.path("round"))
  }

  @Test func `A link in /proc to what has no name stays`() throws {
    let pipe = try PipeEnds()
    let path = FilePath("/proc/self/fd/\(pipe.descriptor.number)")
    #expect(path.followingLinks == path)
    #expect(path.fileType == S_IFIFO)
    #expect(folder.path("none").fileType == 0 && folder.path("none").status == nil)
  }

  @Test func `A file can be renamed to a new name only`() throws {
    let (one, other) = (try folder.write("1", to: "one"), try folder.write("2", to: "other"))
    #expect(try !FilePath(one).rename(toNew: FilePath(other)))
    #expect(folder.text(of: "one") == "1" && folder.text(of: "other") == "2")
    #expect(try FilePath(one).rename(toNew: folder.path("new")))
    #expect(folder.text(of: "one") == nil && folder.text(of: "new") == "1")
    let path = folder.path("none/new")
    let error = OutputError.cannotCreate(path: "\(path)", reason: "No such file or directory")
    #expect(throws: error) { try FilePath(other).rename(toNew: path) }
  }
}

@Suite struct OutputErrorTests {
  @Test(arguments: [
    (OutputError.closed, LocwatchSystem.ExitStatus.success, "the output was closed by its reader"),
    (.cannotCreate(path: "a", reason: "b"), .cannotCreate, "cannot create a: b"),
    (.noReader(path: "a"), .cannotCreate, "cannot write to a: nobody reads it"),
    (
      .noRecording(path: "a"), .cannotCreate,
      "cannot record to a: it is not empty, and not a recording"
    ), (.inUse(path: "a"), .cannotCreate, "cannot write to a: another process writes to it"),
    (.cannotWrite(path: "a", reason: "b"), .cannotWrite, "cannot write to a: b"),
  ])
  func `An error of the output has a status and a message`(
    error: OutputError, status: LocwatchSystem.ExitStatus, message: String
  ) {
    #expect(error.exitStatus == status && error.description == message)
  }
}
