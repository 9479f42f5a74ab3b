import GPSDLocation
import LocationCore
import Testing

@testable import LocwatchCLI
@testable import LocwatchReceivers
@testable import LocwatchSystem

/// Faults 84 and 104.
@Suite struct TargetListTests {
  private func targets(_ bytes: [UInt8], after operands: String...) throws -> [NamedTarget] {
    try TargetList(try TargetList(operands).targets, bytes, of: "list").targets
  }

  private func targets(_ text: String, after operands: String...) throws -> [NamedTarget] {
    try TargetList(try TargetList(operands).targets, Array(text.utf8), of: "list").targets
  }

  /// The status and the message with which a list is refused.
  private func refusal(of bytes: [UInt8]) -> String? {
    do {
      _ = try targets(bytes)
      return nil
    } catch let error as Failure {
      return "\(error.status.rawValue) \(error.message)"
    } catch {
      return "\(error)"
    }
  }

  private func host(_ name: String, _ host: String, _ port: UInt16 = 2947) -> NamedTarget {
    NamedTarget(name, .gpsd(GPSDEndpoint(host: host, port: port), device: nil))
  }

  @Test func `A line has a target, and a comment after it`() throws {
    let text = "# two boats\n\n a=h1 \t# the first\r\nb=h2:1\n\u{b}\u{c}\n  #c=h3\n/dev/x#y"
    #expect(
      try targets(text) == [
        host("a", "h1"), host("b", "h2", 1), NamedTarget("/dev/x#y", .tty("/dev/x#y")),
      ])
  }

  @Test func `A name has no user info of a URL`() throws {
    #expect(
      try targets("h::tcp://u:s3cret@x:1") == [
        NamedTarget(
          "h::tcp://********@x:1",
          .gpsd(GPSDEndpoint(host: "h"), device: "tcp://u:s3cret@x:1"))
      ])
  }

  @Test func `The targets of the command line come first`() throws {
    #expect(try targets("b=h2", after: "a=h1") == [host("a", "h1"), host("b", "h2")])
    #expect(try targets("# nothing", after: "a=h1") == [host("a", "h1")])
  }

  @Test(arguments: [
    ("", "list lists no target"), ("#a\n\n", "list lists no target"),
    ("a=h\n\nb=[", "list:3: no ']' after the address in '['"),
    ("a=h\nb=i c=j", "list:2: 'c=j' follows the target"),
    ("a=h b#c", "list:1: 'b#c' follows the target"),
    // What follows may be the rest of a password.
    (
      "ntrip://u:p s3cret@h/m",
      "list:1: 'ntrip://u:p' is a source of corrections, not a receiver: "
        + "'locwatch /dev/ttyACM0 --corrections ntrip://…'"
    ),
    ("a=h\na=i", "list:2: two targets are named 'a'"),
    ("h\nh", "list:2: two targets are named 'h'"),
    ("h\u{a0}i", "list:1: 'h\u{a0}i' is not a host"),
    ("h\u{85}i", "list:1: 'h\u{85}i' is not a host"),
    ("h\u{0}", "list:1: 'h\u{0}' is not a host"),
    ("h\u{1}:1", "list:1: 'h\u{1}' is not a host"),
    ("h\u{7f}", "list:1: 'h\u{7f}' is not a host"),
    ("h\u{fffd}", "list:1: 'h\u{fffd}' is not a host"),
    ("[::1\u{0}]", "list:1: '::1\u{0}' is not a host"),
    ("/dev/a\u{0}b", "list:1: the path of a receiver cannot contain a NUL"),
    ("h:1:/dev/a\u{0}b", "list:1: the path of a receiver cannot contain a NUL"),
    ("a\u{0}=h", "list:1: the name in 'a\u{0}=h' has control characters, or is too long"),
  ])
  func `An error in a line is reported with the line's number`(text: String, message: String) {
    #expect(refusal(of: Array(text.utf8)) == "64 \("\(message)" as Message)")
  }

  @Test func `A target is UTF-8, a comment need not be`() throws {
    #expect(refusal(of: Array("a=h\nb=i".utf8) + [0xE9]) == "64 list:2: 'b=i\u{fffd}' is not UTF-8")
    #expect(
      refusal(of: Array("a=/dev/".utf8) + [0xFF]) == "64 list:1: 'a=/dev/\u{fffd}' is not UTF-8")
    #expect(try targets(Array("a=h # caf".utf8) + [0xE9]) == [host("a", "h")])
    #expect(
      refusal(of: Array("a=h caf".utf8) + [0xE9]) == "64 list:1: 'caf\u{fffd}' follows the target")
  }

  @Test func `A host has at most 253 bytes, and a path as many as the system accepts`() throws {
    let long = String(repeating: "h", count: 253)
    #expect(try targets("a=\(long)") == [host("a", long)])
    #expect(
      refusal(of: Array("a=\(long)h:1".utf8))
        == "64 list:1: the name of a host has at most 253 bytes, not 254")
    // Bytes count, not characters.
    let accented = String(repeating: "\u{e9}", count: 126)
    #expect(try targets("a=\(accented)h") == [host("a", "\(accented)h")])
    #expect(refusal(of: Array("a=\(accented)hh".utf8)) != nil)
    let path = "/" + String(repeating: "d", count: 4094)
    #expect(try targets("a=\(path)") == [NamedTarget("a", .tty(path))])
    #expect(
      refusal(of: Array("a=\(path)d".utf8))
        == "64 list:1: the path of a receiver has at most 4095 bytes, not 4096")
    let device = "/" + String(repeating: "d", count: 254)
    #expect(
      try targets("a=h::\(device)") == [
        NamedTarget("a", .gpsd(GPSDEndpoint(host: "h"), device: device))
      ])
    #expect(
      refusal(of: Array("a=h::\(device)d".utf8))
        == "64 list:1: the path of a receiver has at most 255 bytes, not 256")
    #expect(
      refusal(of: Array(repeating: UInt8(ascii: "x"), count: 70_000))
        == "64 list:1: the name of a host has at most 253 bytes, not 70000")
  }

  @Test func `A list of ten thousand is read in one go`() throws {
    let list = (0..<10_000).map { "s\($0)=h\($0)" }.joined(separator: "\n")
    let targets = try targets(list)
    #expect(targets.count == 10_000)
    let changes = TargetList.changes(from: targets, to: targets.dropLast() + [host("x", "y")])
    #expect(changes == TargetList.Changes(gone: [targets[9999]], added: [host("x", "y")]))
  }

  @Test func `A missing file cannot be read`() {
    do throws(Failure) {
      _ = try TargetList([], contentsOf: "/nowhere/list")
      Issue.record("it was read")
    } catch {
      #expect(error.status == .noInput)
      #expect(error.message.text.hasPrefix("/nowhere/list: "))
    }
  }

  /// Fault 120.
  @Test func `An endless file is not a list`() {
    #expect(
      throws: Failure(.usage, "/dev/zero is longer than 8 MiB, too long for a list of targets")
    ) {
      () throws(Failure) in try TargetList([], contentsOf: "/dev/zero")
    }
  }

  @Test(arguments: [0, 1])
  func `A list has at most 8 MiB`(extra: Int) throws {
    let folder = try TemporaryFolder()
    let comment = "#" + String(repeating: "x", count: (8 << 20) - 4 + extra)
    try folder.write("\(comment)\na\n", to: "list")
    let path = FilePath("\(folder.path)/list")
    if extra == 0 {
      #expect(try TargetList([], contentsOf: path).targets.map(\.name) == ["a"])
    } else {
      #expect(throws: Failure.self) { () throws(Failure) in
        try TargetList([], contentsOf: path)
      }
    }
  }

  // From one list to another

  @Test func `Nothing changes if the lists are the same, in any order`() {
    let (a, b) = (host("a", "h1"), host("b", "h2"))
    #expect(TargetList.changes(from: [a, b], to: [b, a]) == TargetList.Changes())
    #expect(TargetList.changes(from: [], to: []) == TargetList.Changes())
  }

  @Test func `A target comes, goes, or has another address`() {
    let (a, b, c) = (host("a", "h1"), host("b", "h2"), host("c", "h3"))
    #expect(
      TargetList.changes(from: [a, b], to: [b, c]) == TargetList.Changes(gone: [a], added: [c]))
    #expect(TargetList.changes(from: [], to: [a, b]) == TargetList.Changes(added: [a, b]))
    #expect(TargetList.changes(from: [a, b], to: []) == TargetList.Changes(gone: [a, b]))
    let moved = host("b", "h2", 1)
    #expect(
      TargetList.changes(from: [a, b], to: [a, moved])
        == TargetList.Changes(gone: [b], added: [moved]))
    #expect(
      TargetList.changes(from: [b], to: [host("x", "h2")])
        == TargetList.Changes(gone: [b], added: [host("x", "h2")]))
  }
}
