import Glibc
import Testing

@testable import LocwatchReceivers
@testable import LocwatchSystem

/// Fault 72.
@Suite struct `The user of a caster` {
  @Test(arguments: [
    ("", "", "Og=="), ("u", "", "dTo="), ("u", "p", "dTpw"), ("us", "p", "dXM6cA=="),
    ("Aladdin", "open sesame", "QWxhZGRpbjpvcGVuIHNlc2FtZQ=="), ("\u{fc}", "\u{ff}", "w7w6w78="),
    ("?", "???>>>", "Pzo/Pz8+Pj4="),
  ])
  func `is encoded as in RFC 7617`(name: String, password: String, encoded: String) {
    #expect(CasterUser(name, password: password).encoded == encoded)
  }

  private static func user(
    _ variables: [String: String], netrc: String?, mode: mode_t = 0o600
  ) throws -> (CasterUser?, warnings: [String]) {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    try folder.makeFolder("home")
    if let netrc {
      try folder.write(netrc, to: "home/.netrc")
      #expect(chmod("\(folder.path)/home/.netrc", mode) == 0)
    }
    var warnings: [String] = []
    let user = CasterUser.find(
      for: "h", in: Environment(variables), on: Machine(root: folder.path)
    ) { warnings.append($0) }
    return (user, warnings)
  }

  private static let netrc = "machine h login u password p"

  @Test func `is that of the environment, else that of the file in HOME`() throws {
    let found = CasterUser("u", password: "p")
    #expect(try Self.user(["HOME": "/home"], netrc: Self.netrc) == (found, []))
    let variables = ["HOME": "/home", "NTRIP_USER": "e", "NTRIP_PASSWORD": "f"]
    #expect(
      try Self.user(variables, netrc: Self.netrc) == (CasterUser("e", password: "f"), []))
    #expect(try Self.user(["NTRIP_USER": "e"], netrc: nil) == (CasterUser("e", password: ""), []))
    #expect(try Self.user(["NTRIP_PASSWORD": "f"], netrc: Self.netrc) == (nil, []))
    #expect(try Self.user(["HOME": "/home"], netrc: nil) == (nil, []))
    #expect(try Self.user(["HOME": "/home"], netrc: "machine a login b", mode: 0o644) == (nil, []))
  }

  /// Whoever writes the file decides as which user the caster sees locwatch.
  @Test(arguments: [0o620, 0o602, 0o666, 0o777])
  func `is not taken from a file that others can write`(mode: mode_t) throws {
    #expect(
      try Self.user(["HOME": "/home"], netrc: Self.netrc, mode: mode)
        == (
          nil,
          [
            "/home/.netrc is not used: other users can write to it; 'chmod 600 /home/.netrc' if it is yours"
          ]
        ))
  }

  @Test(arguments: [0o640, 0o604, 0o610, 0o755])
  func `in a file of which others have a part is warned of`(mode: mode_t) throws {
    let (user, warnings) = try Self.user(["HOME": "/home"], netrc: Self.netrc, mode: mode)
    #expect(user != nil)
    #expect(
      warnings == ["/home/.netrc can be read by other users: 'chmod 600 /home/.netrc'"])
  }

  @Test func `is not taken from a file that is damaged or too long without a word`() throws {
    let home = ["HOME": "/home"]
    #expect(
      try Self.user(home, netrc: "\nmachine h login \"u password p")
        == (nil, ["/home/.netrc is not used: a quotation mark in its line 2 is not closed"]))
    for count in [256 * 1024 - 1, 256 * 1024] {
      let comment = "\n#" + String(repeating: "x", count: count - Self.netrc.utf8.count - 2)
      let (user, warnings) = try Self.user(home, netrc: Self.netrc + comment)
      #expect(user == CasterUser("u", password: "p"))
      #expect(
        warnings
          == (count == 256 * 1024
            ? ["/home/.netrc is too long: only its first 256 KiB are read"] : []))
    }
  }

  @Test func `is not printed`() {
    #expect("\(CasterUser("someone", password: "s3cret"))" == "a user")
    #expect(String(reflecting: CasterUser("someone", password: "s3cret")) == "a user")
  }

  @Test func `is not in the environment of gpsd`() {
    let environment = Environment(["NTRIP_USER": "u", "NTRIP_PASSWORD": "p", "A": "b"])
    #expect(environment.entries(setting: "X", to: "y").sorted() == ["A=b", "X=y"])
  }
}
