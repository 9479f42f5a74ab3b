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
  func `is in no message about a target, whether single or named`(text: String) throws {
    let end = try #require(text.lastIndex(of: "@"))
    let stars = String(repeating: "*", count: text[..<end].count)
    let message = "'\(stars)\(text[end...])' \(Self.advice)"
    #expect(throws: UsageError(message)) { try Options(arguments: [text]) }
    #expect(throws: UsageError(message)) { try Options(arguments: ["a", "b=\(text)"]) }
  }

  @Test func `is in no message about its name or its bytes`() throws {
    #expect(throws: UsageError("no name before the = of '*********@h'")) {
      try Options(arguments: ["=u:S3cret@h"])
    }
    let bytes = Array("u:S3cret@".utf8) + [0xFF]
    #expect(throws: UsageError("'********@\u{fffd}' is not UTF-8")) {
      try Options(arguments: [Argument(bytes: bytes[...])], environment: [:])
    }
  }

  @Test(arguments: ["user@h", "h:1:/dev/a@b", "/dev/serial/by-id/usb-a@b", "./a@b", "a@b=h"])
  func `is not suspected in a valid address`(operand: String) throws {
    #expect(throws: Never.self) { try Options(arguments: [operand]) }
  }
}
