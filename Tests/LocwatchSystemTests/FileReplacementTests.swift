import Foundation
import GPSDLocation
import Glibc
import LocwatchTestSupport
import Testing

@testable import LocationText
@testable import LocwatchSystem

/// Fault 90.
@Suite struct FileReplacementTests {
  private let place: TemporaryFolder

  init() throws { place = try TemporaryFolder() }

  private func replace(_ name: String, by text: String) throws(OutputError) {
    var buffer = TextBuffer()
    buffer.append(text: text)
    try place.path(name).replaceContents(with: buffer)
  }

  @Test(arguments: [0o600, 0o640, 0o664, 0o444, 0o755] as [mode_t])
  func `the new file has the mode of the old one`(mode: mode_t) throws {
    try place.write("old", to: "a.prom", mode: mode)
    try replace("a.prom", by: "new")
    #expect(place.text(of: "a.prom") == "new")
    #expect(place.mode(of: "a.prom") == mode)
    #expect(place.names == ["a.prom"])
  }

  @Test func `a file that did not exist belongs to its user alone, unless the mode is given`()
    throws
  {
    // Asking for the mask would set it, and other tests make files meanwhile.
    close(open("\(place.path("open"))", O_CREAT | O_CLOEXEC, 0o777))
    let usual = try #require(place.mode(of: "open"))
    try replace("a.html", by: "new")
    #expect(place.mode(of: "a.html") == 0o600 & usual)
    try place.path("a.prom").replaceContents(with: TextBuffer(), mode: 0o644)
    #expect(place.mode(of: "a.prom") == 0o644 & usual)
  }

  @Test(.enabled(if: geteuid() == 0, "only root may give a file away"))
  func `the new file has the owner of the old one`() throws {
    let file = try place.write("old", to: "a.prom", mode: 0o640)
    #expect(chown(file, 12345, 54321) == 0)
    try replace("a.prom", by: "new")
    #expect(place.owner(of: "a.prom") == [12345, 54321])
    #expect(place.mode(of: "a.prom") == 0o640)
  }

  @Test func `a link stays, and the file that it names is replaced`() throws {
    try place.makeFolder("real")
    try place.write("old", to: "real/a.prom", mode: 0o600)
    try place.link("near.prom", to: "real/a.prom")
    try place.link("far.prom", to: place.path + "/near.prom")
    try replace("far.prom", by: "new")
    #expect(place.isLink("far.prom") && place.isLink("near.prom"))
    #expect(!place.isLink("real/a.prom"))
    #expect(place.text(of: "real/a.prom") == "new")
    #expect(place.mode(of: "real/a.prom") == 0o600)
    #expect(place.names == ["far.prom", "near.prom", "real"])
  }

  @Test func `a link to nothing creates the file that it names`() throws {
    try place.makeFolder("real")
    try place.link("a.prom", to: "real/a.prom")
    try replace("a.prom", by: "new")
    #expect(place.isLink("a.prom"))
    #expect(place.text(of: "real/a.prom") == "new")
  }

  @Test func `what another process left behind is neither used nor removed`() throws {
    let left = "a.prom.\(getpid()).new"
    try place.write("another's", to: left)
    try replace("a.prom", by: "new")
    #expect(place.text(of: "a.prom") == "new")
    #expect(place.text(of: left) == "another's")
  }

  @Test func `a name that is taken is left alone for another`() throws {
    try place.write("another's", to: ".locwatch-7.new")
    var numbers = [7, 7, 8]
    try place.path("a.prom").replaceContents(random: { numbers.removeFirst() }) {
      output throws(OutputError) in
      #expect(place.names == [".locwatch-7.new", ".locwatch-8.new"])
      #expect(output.path == "\(place.path)/a.prom")
      _ = output.write(Array("new".utf8)[...])
    }
    #expect(place.names == [".locwatch-7.new", "a.prom"])
    #expect(place.text(of: "a.prom") == "new")
    #expect(place.text(of: ".locwatch-7.new") == "another's")
  }

  @Test func `the longest name that a file can have is replaced, too`() throws {
    let name = String(repeating: "x", count: 255)
    try replace(name, by: "new")
    #expect(place.text(of: name) == "new")
    #expect(place.names == [name])
  }

  @Test func `an error while writing leaves the old file, and nothing else`() throws {
    try place.write("old", to: "a.prom")
    #expect(throws: OutputError.closed) {
      try place.path("a.prom").replaceContents { output throws(OutputError) in
        _ = output.write(Array("half".utf8)[...])
        throw OutputError.closed
      }
    }
    #expect(place.text(of: "a.prom") == "old")
    #expect(place.names == ["a.prom"])
  }

  @Test
  func `a folder that does not exist, and a folder, are errors with the name as it was given`() {
    #expect(
      throws: OutputError.cannotCreate(
        path: "\(place.path)/no/a.prom", reason: "No such file or directory")
    ) { try replace("no/a.prom", by: "new") }
    #expect(throws: OutputError.cannotCreate(path: "\(place.path)/.", reason: "Is a directory")) {
      try replace(".", by: "new")
    }
  }

  @Test func `a pipe is written to, and stays one`() throws {
    let pipe = place.makePipe("pipe")
    let reader = open(pipe, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    try replace("pipe", by: "new")
    var bytes = [UInt8](repeating: 0, count: 10)
    #expect(read(reader, &bytes, 10) == 3)
    #expect(bytes.starts(with: "new".utf8))
    #expect(place.path("pipe").fileType == S_IFIFO)
  }

  @Test func `a pipe that nobody reads is an error at once`() {
    let pipe = place.makePipe("pipe")
    #expect(throws: OutputError.noReader(path: pipe)) { try replace("pipe", by: "new") }
  }
}
