import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem

/// A wrong command line, and the message about it: many forms of one value, and characters that no session has.
/// `usage.session` has the others.
struct ErrorCase: Sendable, CustomTestStringConvertible {
  let arguments: [String]
  let message: String

  var testDescription: String { arguments.joined(separator: " ") }

  init(_ arguments: String..., message: String) {
    self.arguments = arguments
    self.message = message
  }

  static let all = ofServing + ofNumbers + ofRegions + ofNames + ofCorrections

  /// More than any number holds.
  private static let digits = String(repeating: "1234567890", count: 40)

  private static let ofServing: [ErrorCase] =
    ["", "x", "99999", "-1", "+1", "1.5", "9947 ", "localhost:", "[::1]", "boat.example", ":"].map {
      ErrorCase(
        "--serve=\($0)",
        message: "option --serve: '\($0)' is not a port such as 9947, or an address with a port")
    }
    + ["", "boat.example", "localhost", "300.1.1.1", "[::", "::]", "[127.0.0.1]", "[]"].map {
      ErrorCase(
        "--serve=\($0):9947",
        message: "option --serve: '\($0)' is not an address such as 127.0.0.1, 0.0.0.0 or [::1]")
    }
    + ["*", "a b", "boat:9947", "http://boat", "::1", "b\u{f6}t", "a,b", "\u{7f}"].map {
      ErrorCase(
        "--serve=9947", "--serve-name=\($0)",
        message: "option --serve-name: '\($0)' is not a name such as gps.example, without a port")
    } + [ErrorCase("--serve-name=", message: "option --serve-name: must not be empty")]

  private static let ofNumbers: [ErrorCase] =
    [
      ErrorCase("-n", digits, message: "option -n: '\(digits)' is too large"),
      ErrorCase("-m", digits, message: "option -m: '\(digits)' is too large"),
      ErrorCase("-t", digits, message: "option -t: '\(digits)' is too long"),
      ErrorCase("-t", "1h\(digits)s", message: "option -t: '1h\(digits)s' is too long"),
    ]
    + [
      "5w", "1w", "5m30", "30s5m", "5m5m", "5m30sx", "5 m", "m", "1h 30m", "5m-3s", "1e3s", "", ".",
    ].map {
      ErrorCase(
        "--timeout=\($0)",
        message:
          "option --timeout: '\($0)' is not a duration such as 30, 30s, 5m30s, 1h, 7d or 500ms")
    }
    + [
      "0", "-1", "1e-21", "1e30", "nan", "0.0009", "0.000000000000000000001", "1000001", digits,
      "0." + String(repeating: "0", count: 400) + "1",
    ].map {
      ErrorCase(
        "--replay=a", "--speed=\($0)",
        message: "option --speed: '\($0)' is neither max nor a number from 0.001 to 1000000")
    }

  private static let ofRegions: [ErrorCase] =
    ["0", "-5", "x", "", digits].map {
      ErrorCase(
        "--region=a=1,2,\($0)",
        message: "option --region: region 'a': the radius is not a number of metres above zero")
    }
    + ["", "1", "1,2", "1,2,3,4", "x,2,3", "1,,3", "1,2:3,4:5", "1,2:3,4:5,6,7", "1,2;3,4;5,6"].map
  {
    ErrorCase(
      "--region=a=\($0)",
      message:
        "option --region: 'a=\($0)' is neither a circle, such as home=47.37,8.54,50, nor a "
        + "polygon, such as yard=47.1,8.1:47.2,8.1:47.2,8.3")
  }

  private static let ofNames: [ErrorCase] =
    [("", "a\nb=h"), ("--region=", "a\tb=1,2,3"), ("--replay=", "a\n=b")].map {
      ErrorCase(
        $0 + $1,
        message: "\($0.isEmpty ? "" : "option \($0.dropLast()): ")the name in '\($1)' has control "
          + "characters, or is too long")
    }
    + ["a\u{a0}b", "a\u{fffd}"].map { ErrorCase($0, message: "'\($0)' is not a host") }
    // gpsd would write it into its reports as it is.
    + [#"/dev/a"b"#, #"/dev/a\b"#, "/dev/a\u{1b}b", "./\u{1f}"].map {
      ErrorCase(
        $0,
        message:
          "'\($0)' has a quotation mark, a backslash or a control character, with which gpsd's "
          + "reports are not JSON; make a link to it, and name that")
    }

  private static let ofCorrections: [ErrorCase] =
    ["\u{e9}", String(repeating: "m", count: 256)].map {
      ErrorCase(
        "/dev/x", "--corrections", "ntrip://h/\($0)",
        message: "option --corrections: '\($0)' is not a mount point")
    }
    + [
      "ntrip://user:s3cret@h/M", "ntrips://u@h/M", "x://u@h", "ntrip:u:S3cret@h/M",
      "ntrip:/u:S3cret@h/M", "ntrip//u:S3cret@h/M", #"ntrip:\\u:S3cret@h/M"#, "//u:S3cret@h/M",
      "u:S3cret@h/M", "u:S3cret@h:2101/M", "NTRIP:U:S3cret@h/M", "u:S3c@ret@h", "@",
    ].map {
      ErrorCase(
        "/dev/x", "--corrections", $0,
        message: "option --corrections: other users can see a password in the list of processes: "
          + "put the user and the password into ~/.netrc, or into NTRIP_USER and NTRIP_PASSWORD")
    }
}
