import Testing

@testable import LocwatchReceivers

/// Fault 72.
@Suite struct `The file .netrc` {
  private static let user = CasterUser("u", password: "p")

  private static func user(_ text: String) throws(Netrc.OpenQuote) -> CasterUser? {
    try Netrc.user(of: "h", in: Array(text.utf8))
  }

  @Test(arguments: [
    "machine h login u password p", "machine H\nlogin u\npassword p\n",
    "machine a login x password y machine h password p login u machine b login z",
    "machine h login u account a password p", "default login u password p",
    "machine a login x password y default login u password p",
    "machine h login u password p default login x password y",
    "machine h login u password p machine h login x password y",
    "MACHINE h LOGIN u PassWord p", "machine h\r\n\tlogin u\r\n\tpassword p\r\n",
    // A macro, which ends with an empty line
    "macdef m\nmachine h login x password y\n\nmachine h login u password p",
    "macdef m machine h login x\n\nmachine h login u password p",
    "machine a login b\nmacdef m\r\nmachine h login x\r\n\r\nmachine h login u password p",
    "machine h login u password p\nmacdef m\nlogin x\n",
    // Comments
    "# machine h login x password y\nmachine h login u password p # it's mine\n",
    "machine h #login x\nlogin u\n #password y\npassword p",
    // Quotes
    #""machine" "h" login "u" password "p""#, #"machine h login "\u" password "\p""#,
  ])
  func `has the user of a host`(text: String) throws {
    #expect(try Self.user(text) == Self.user)
  }

  @Test(arguments: [
    (#"password "a b""#, "a b"), (#"password "a#b""#, "a#b"), ("password a#b", "a#b"),
    (##"password "#b""##, "#b"), ("password #b", ""), (#"password "a\"b""#, #"a"b"#),
    (#"password "\n\r\t\\x""#, "\n\r\t\\x"), (#"password a"b"#, #"a"b"#),
    (#"password a\nb"#, #"a\nb"#), (#"password """#, ""), ("password machine", "machine"),
    ("password\npassword\n", "password"), ("password macdef", "macdef"), ("", ""),
  ])
  func `has passwords of any characters`(text: String, password: String) throws {
    #expect(try Self.user("machine h login u \(text)") == CasterUser("u", password: password))
  }

  @Test(arguments: [
    "machine a login x password y", "machine h password p", "login u", "machine", "machine h login",
    "", "machine h password p machine a login u", "macdef m\nmachine h login u",
    "#machine h login u", "machine \"H \" login u",
  ])
  func `has no user of another host`(text: String) throws {
    #expect(try Self.user(text) == nil)
  }

  @Test func `is taken byte for byte`() throws {
    let bytes = Array("machine h login u password ".utf8) + [0xFC, 0x80]
    let user = try #require(try Netrc.user(of: "h", in: bytes))
    #expect(user == CasterUser("u".utf8, password: [0xFC, 0x80]))
    #expect(user.encoded == "dTr8gA==")
  }

  @Test(arguments: [
    ("machine h login \"u", 1), ("\n\nmachine h login \"u\npassword p\"", 3), ("\"\\", 1),
  ])
  func `is not used where a quotation mark is not closed`(text: String, line: Int) throws {
    #expect(throws: Netrc.OpenQuote(line: line)) { () throws(Netrc.OpenQuote) in
      try Self.user(text)
    }
    // What comes after the user does not matter.
    let before = "machine h login u password p\nmachine a\n"
    #expect(try Self.user(before + text) == Self.user)
  }
}
