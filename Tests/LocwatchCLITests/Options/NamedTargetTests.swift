import GPSDLocation
import LocationCore
import Testing

@testable import LocwatchCLI
@testable import LocwatchReceivers
@testable import LocwatchSystem

/// Faults 84 and 104.
@Suite struct `The targets of a command line` {
  private func targets(_ operands: String...) throws -> [NamedTarget] {
    try NamedTarget.all(operands)
  }

  /// The message with which an operand is refused.
  private func refusal(of operand: String) -> String? {
    do throws(UsageError) {
      _ = try NamedTarget.all([operand])
      return nil
    } catch {
      return error.message
    }
  }

  private func host(_ name: String, _ host: String, _ port: UInt16 = 2947) -> NamedTarget {
    NamedTarget(name, .gpsd(GPSDEndpoint(host: host, port: port), device: nil))
  }

  @Test func `have names, which are their addresses if they have no other`() throws {
    #expect(
      try targets("a=h1", "b=h2:1", "h3", "/dev/x#y") == [
        host("a", "h1"), host("b", "h2", 1), host("h3", "h3"),
        NamedTarget("/dev/x#y", .tty("/dev/x#y")),
      ])
  }

  @Test func `have no user info of a URL in their names`() throws {
    #expect(
      try targets("h::tcp://u:s3cret@x:1") == [
        NamedTarget(
          "h::tcp://********@x:1",
          .gpsd(GPSDEndpoint(host: "h"), device: "tcp://u:s3cret@x:1"))
      ])
  }

  @Test(arguments: [
    ("[", "no ']' after the address in '['"),
    // A quoted list is a single argument.
    ("a=h b=i", "'h b=i' is not a host"),
    ("h\u{a0}i", "'h\u{a0}i' is not a host"),
    ("h\u{85}i", "'h\u{85}i' is not a host"),
    ("h\u{1}:1", "'h\u{1}' is not a host"),
    ("h\u{7f}", "'h\u{7f}' is not a host"),
    ("h\u{fffd}", "'h\u{fffd}' is not a host"),
    ("a\u{1}=h", "the name in 'a\u{1}=h' has control characters, or is too long"),
  ])
  func `are hosts without blanks and control characters`(operand: String, message: String) {
    #expect(refusal(of: operand) == message)
  }

  @Test func `have at most 253 bytes as hosts, and as paths as many as the system accepts`() throws
  {
    let long = String(repeating: "h", count: 253)
    #expect(try targets("a=\(long)") == [host("a", long)])
    #expect(
      refusal(of: "a=\(long)h:1") == "the name of a host has at most 253 bytes, not 254")
    // Bytes count, not characters.
    let accented = String(repeating: "\u{e9}", count: 126)
    #expect(try targets("a=\(accented)h") == [host("a", "\(accented)h")])
    #expect(refusal(of: "a=\(accented)hh") != nil)
    let path = "/" + String(repeating: "d", count: 4094)
    #expect(try targets("a=\(path)") == [NamedTarget("a", .tty(path))])
    #expect(
      refusal(of: "a=\(path)d") == "the path of a receiver has at most 4095 bytes, not 4096")
    let device = "/" + String(repeating: "d", count: 254)
    #expect(
      try targets("a=h::\(device)") == [
        NamedTarget("a", .gpsd(GPSDEndpoint(host: "h"), device: device))
      ])
    #expect(
      refusal(of: "a=h::\(device)d") == "the path of a receiver has at most 255 bytes, not 256")
    #expect(
      refusal(of: String(repeating: "x", count: 70_000))
        == "the name of a host has at most 253 bytes, not 70000")
  }

  /// Fault 120.
  @Test func `can be ten thousand`() throws {
    let operands = (0..<10_000).map { "s\($0)=h\($0)" }
    let options = try Options(arguments: operands)
    #expect(options.fleet.count == 10_000)
    #expect(options.fleet.last == host("s9999", "h9999"))
    #expect(throws: UsageError("two targets are named 's0'")) {
      try Options(arguments: operands + ["s0=other"])
    }
  }
}
