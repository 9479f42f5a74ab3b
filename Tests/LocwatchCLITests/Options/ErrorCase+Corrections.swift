@testable import LocwatchCLI

extension ErrorCase {
  private static let form = "ntrip://HOST[:PORT]/MOUNT"
  private static let lack =
    "--corrections needs a serial receiver or tcp://: a gpsd that locwatch did not start takes "
    + "the caster's URL only when it starts"

  private static func url(_ url: String, message: String) -> ErrorCase {
    ErrorCase("/dev/x", "--corrections", url, message: "option --corrections: \(message)")
  }

  static let corrections =
    [
      url("caster", message: "'caster' is neither \(form) nor ntrips://…"),
      url("dgpsip://h/M", message: "'dgpsip://h/M' is neither \(form) nor ntrips://…"),
      url("ntrip:h/M", message: "'ntrip:h/M' is neither \(form) nor ntrips://…"),
      url("ntrip://h", message: "'ntrip://h' has no mount point: write \(form)"),
      url("ntrip://h/", message: "'ntrip://h/' has no mount point: write \(form)"),
      url("ntrips://h", message: "'ntrips://h' has no mount point: write \(form)"),
      url("ftps://h/M", message: "'ftps://h/M' is neither \(form) nor ntrips://…"),
      url("ntrip:///M", message: "the name of the server must not be empty"),
      url("ntrip://h:0/M", message: "port '0' is not a number from 1 to 65535"),
      url("ntrip://h:1:2/M", message: "port '1:2' is not a number from 1 to 65535"),
      url("ntrip://a b/M", message: "'a b' is not a host"),
      url("ntrip://h/a b", message: "'a b' is not a mount point"),
      url("ntrip://h/\u{e9}", message: "'\u{e9}' is not a mount point"),
      url(
        "ntrip://h/" + String(repeating: "m", count: 256),
        message: "'" + String(repeating: "m", count: 256) + "' is not a mount point"),
    ]
    + [
      "ntrip://user:s3cret@h/M", "ntrips://u@h/M", "x://u@h", "ntrip:u:S3cret@h/M",
      "ntrip:/u:S3cret@h/M", "ntrip//u:S3cret@h/M", #"ntrip:\\u:S3cret@h/M"#, "//u:S3cret@h/M",
      "u:S3cret@h/M", "u:S3cret@h:2101/M", "NTRIP:U:S3cret@h/M", "u:S3c@ret@h", "@",
    ].map {
      url(
        $0,
        message: "other users can see a password in the list of processes: put the user and "
          + "the password into ~/.netrc, or into NTRIP_USER and NTRIP_PASSWORD")
    } + [
      ErrorCase("--corrections=ntrip://h/M", message: lack),
      ErrorCase("host:1", "--corrections=ntrip://h/M", message: lack),
      ErrorCase(
        "udp://:1", "--corrections=ntrip://h/M",
        message: "--corrections needs a serial receiver or tcp://: nothing can be sent to udp://:1"),
      ErrorCase(
        "--replay=a", "--corrections=ntrip://h/M",
        message: "--corrections and --replay cannot be combined"),
      ErrorCase(
        "/dev/a", "/dev/b", "--corrections=ntrip://h/M",
        message: "--corrections belongs to the receiver of a single target"),
      ErrorCase(
        "--doctor", "--corrections=ntrip://h/M",
        message: "--doctor and --corrections cannot be combined"),
    ]
}
