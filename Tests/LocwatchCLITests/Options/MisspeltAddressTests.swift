import GPSDLocation
import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem

/// Fault 105.
@Suite struct `A password in a misspelt address` {
  private static let spellings = [
    "u:S3cret@h/M", "u:S3cret@h:2101/M", "ntrip:u:S3cret@h/M", "ntrip:/u:S3cret@h/M",
    "ntrip//u:S3cret@h/M", #"ntrip:\\u:S3cret@h/M"#, "//u:S3cret@h/M", "NTRIP:U:S3cret@h/M",
    "u:S3c@ret@h/M", "u:S3c/ret@h/M",
  ]
  private static let advice =
    "is neither a server nor a receiver; a caster's user and password belong in ~/.netrc, or "
    + "in NTRIP_USER and NTRIP_PASSWORD"

  @Test(arguments: spellings)
  func `is in no message about a target, whether single, named or listed`(text: String) throws {
    let end = try #require(text.lastIndex(of: "@"))
    let stars = String(repeating: "*", count: text[..<end].count)
    let message = "'\(stars)\(text[end...])' \(Self.advice)"
    #expect(throws: UsageError(message)) { try Options(arguments: [text]) }
    #expect(throws: UsageError(message)) { try Options(arguments: ["a", "b=\(text)"]) }
    #expect(throws: Failure(.usage, "list:2: \(message)")) { () throws(Failure) in
      try TargetList([], Array("a\n\(text)\n".utf8), of: "list")
    }
  }

  @Test(arguments: [
    ("h u:S3cret@h", "'********@h' follows the target"),
    ("u:S3cret@\u{ff}", nil), ("=u:S3cret@h", "no name before the = of '*********@h'"),
  ])
  func `is in no message about a list`(line: String, message: String?) throws {
    var bytes = Array(line.utf8)
    if message == nil { bytes = Array("u:S3cret@".utf8) + [0xFF] }
    let expected = message ?? "'********@\u{fffd}' is not UTF-8"
    #expect(throws: Failure(.usage, "list:1: \(expected)")) { () throws(Failure) in
      try TargetList([], bytes, of: "list")
    }
  }

  @Test(arguments: ["user@h", "h:1:/dev/a@b", "/dev/serial/by-id/usb-a@b", "./a@b", "a@b=h"])
  func `is not suspected in a valid address`(operand: String) throws {
    #expect(throws: Never.self) { try Options(arguments: [operand]) }
  }
}
