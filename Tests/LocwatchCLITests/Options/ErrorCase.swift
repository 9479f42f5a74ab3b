import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem

/// A wrong command line, and the message about it.
struct ErrorCase: Sendable, CustomTestStringConvertible {
  let arguments: [String]
  let message: String

  var testDescription: String { arguments.joined(separator: " ") }

  init(_ arguments: String..., message: String) {
    self.arguments = arguments
    self.message = message
  }

  private init(withoutEffect option: String, besides output: String) {
    self.init(
      output, option,
      message: "\(output.dropLast(2)) - replaces the output, so \(option.prefix { $0 != "=" }) "
        + "has no effect")
  }

  static let all =
    syntax + values + regions + targets + replacements + contradictions + corrections

  private static let syntax = [
    ErrorCase("--jsn", message: "unknown option --jsn; did you mean --json?"),
    ErrorCase("--tiemout=3", message: "unknown option --tiemout; did you mean --timeout?"),
    ErrorCase("--sat", message: "unknown option --sat; did you mean --satellites?"),
    ErrorCase("--JSON", message: "unknown option --JSON; did you mean --json?"),
    ErrorCase("--zzzzz", message: "unknown option --zzzzz"),
    ErrorCase("--man", message: "unknown option --man; did you mean --generate man?"),
    ErrorCase("--schema", message: "unknown option --schema; did you mean --generate schema?"),
    ErrorCase("-x", message: "unknown option -x"),
    ErrorCase("-json", message: "unknown option -s; did you mean --json?"),
    ErrorCase("--json=yes", message: "option --json takes no value"),
    ErrorCase("--count", message: "option --count needs a value: N"),
    ErrorCase("-t", message: "option -t needs a value: DUR"),
    ErrorCase("a=h", "a=i", message: "two targets are named 'a'"),
    ErrorCase("h", "h", message: "two targets are named 'h'"),
    ErrorCase("=h", message: "no name before the = of '=h'"),
    ErrorCase(
      "a\nb=h", message: "the name in 'a\nb=h' has control characters, or is too long"),
  ]

  /// A path that gpsd would write into its reports as it is.
  private static func unescaped(_ path: String) -> ErrorCase {
    ErrorCase(
      path,
      message:
        "'\(path)' has a quotation mark, a backslash or a control character, with which gpsd's "
        + "reports are not JSON; make a link to it, and name that")
  }

  /// More than any number holds.
  private static let digits = String(repeating: "1234567890", count: 40)

  private static let values: [ErrorCase] =
    counts + ports + addresses + pages + names + durations + limits + speeds + outputs

  private static let counts: [ErrorCase] =
    [
      ErrorCase("-n0", message: "option -n: '0' is not a positive integer"),
      ErrorCase("-n", "1.5", message: "option -n: '1.5' is not a positive integer"),
      ErrorCase("-n", "+5", message: "option -n: '+5' is not a positive integer"),
      ErrorCase("-n", digits, message: "option -n: '\(digits)' is too large"),
      ErrorCase("-t", "0", message: "option -t: must be greater than zero"),
      ErrorCase("-t", "0h0m0s", message: "option -t: must be greater than zero"),
      ErrorCase("--duration", "0", message: "option --duration: must be greater than zero"),
      ErrorCase("-t", "9999999h", message: "option -t: '9999999h' is too long"),
      ErrorCase("-t", digits, message: "option -t: '\(digits)' is too long"),
      ErrorCase("-t", "1h\(digits)s", message: "option -t: '1h\(digits)s' is too long"),
    ]

  private static let ports: [ErrorCase] =
    ["", "x", "99999", "-1", "+1", "1.5", "9947 ", "localhost:", "[::1]", "boat.example", ":"].map {
      ErrorCase(
        "--serve=\($0)",
        message: "option --serve: '\($0)' is not a port such as 9947, or an address with a port")
    }

  private static let addresses: [ErrorCase] =
    ["", "boat.example", "localhost", "300.1.1.1", "[::", "::]", "[127.0.0.1]", "[]"].map {
      ErrorCase(
        "--serve=\($0):9947",
        message: "option --serve: '\($0)' is not an address such as 127.0.0.1, 0.0.0.0 or [::1]")
    }

  private static let pages: [ErrorCase] =
    [
      ErrorCase(
        "--serve=::1:9947",
        message: "option --serve: write an IPv6 address in brackets: '[::1]:9947'"),
      ErrorCase("--serve-name=", message: "option --serve-name: must not be empty"),
      ErrorCase("--serve-name=boat", message: "--serve-name needs --serve"),
      ErrorCase(
        "--doctor", "--serve=9947", message: "--doctor and --serve cannot be combined"),
    ]

  private static let names: [ErrorCase] =
    ["*", "a b", "boat:9947", "http://boat", "::1", "b\u{f6}t", "a,b", "\u{7f}"].map {
      ErrorCase(
        "--serve=9947", "--serve-name=\($0)",
        message: "option --serve-name: '\($0)' is not a name such as gps.example, without a port")
    }

  private static let durations: [ErrorCase] =
    [
      "5w", "1w", "5m30", "30s5m", "5m5m", "5m30sx", "5 m", "m", "1h 30m", "5m-3s", "1e3s", "", ".",
    ].map {
      ErrorCase(
        "--timeout=\($0)",
        message:
          "option --timeout: '\($0)' is not a duration such as 30, 30s, 5m30s, 1h, 7d or 500ms")
    }

  private static let limits: [ErrorCase] =
    [
      ErrorCase(
        "--stale", "-1",
        message: "option --stale: '-1' is not a duration such as 30, 30s, 5m30s, 1h, 7d or 500ms"),
      ErrorCase(
        "-m", "inf", message: "option -m: 'inf' is not a plain number of metres, such as 5 or 2.5"),
      ErrorCase("-m", digits, message: "option -m: '\(digits)' is too large"),
      ErrorCase(
        "--accuracy", "1,5",
        message: "option --accuracy: '1,5' is not a plain number of metres, such as 5 or 2.5"),
      ErrorCase(
        "--accuracy", "5m",
        message: "option --accuracy: '5m' is not a plain number of metres, such as 5 or 2.5"),
      ErrorCase(
        "--quality", "rtk",
        message: "option --quality: 'rtk' is not one of gps, dgps, rtk-float, rtk-fixed"),
      ErrorCase("--accuracy", "0", message: "option --accuracy: must be greater than zero"),
      ErrorCase("--accuracy", "0.0", message: "option --accuracy: must be greater than zero"),
      ErrorCase("--fix", "4d", message: "option --fix: '4d' is neither 2d nor 3d"),
      ErrorCase(
        "--coords=x",
        message: "option --coords: 'x' is not one of dd, dm, dms, maidenhead, utm, mgrs"),
    ]

  private static let speeds: [ErrorCase] =
    [
      "0", "-1", "1e-21", "1e30", "nan", "0.0009", "0.000000000000000000001", "1000001", digits,
      "0." + String(repeating: "0", count: 400) + "1",
    ].map {
      ErrorCase(
        "--replay=a", "--speed=\($0)",
        message: "option --speed: '\($0)' is neither max nor a number from 0.001 to 1000000")
    }

  private static let outputs: [ErrorCase] =
    [
      ErrorCase("--device=", message: "option --device: must not be empty"),
      ErrorCase(
        "-f", "jso",
        message: "option -f: unknown format 'jso'; did you mean json? (Templates contain %.)"),
      ErrorCase(
        "-f", "zzz",
        message:
          "option -f: unknown format 'zzz': use \(FormatCase.all.map(\.name).joined(separator: ", ")) "
          + "or a template, with a %"),
      ErrorCase(
        "--rotate=10X",
        message: "option --rotate: '10X' is neither a size such as 10M nor a duration such as 1h"),
      ErrorCase(
        "--rotate=0.9K", message: "option --rotate: '0.9K' is not between 1K and 1000000G"),
      ErrorCase("--rotate=999ms", message: "option --rotate: must be at least a second"),
      ErrorCase(
        "--keep=30",
        message: "option --keep: '30' is neither an age such as 30d nor a size such as 2G"),
      ErrorCase(
        "--keep=2X",
        message: "option --keep: '2X' is neither an age such as 30d nor a size such as 2G"),
      ErrorCase("--keep=999K", message: "option --keep: '999K' is not between 1M and 1000000G"),
      ErrorCase("--keep=59s", message: "option --keep: must be at least a minute"),
      ErrorCase("-o", message: "option -o needs a value: FILE"),
      ErrorCase("--output=", message: "option --output: must not be empty"),
      ErrorCase(
        "-f", "csv:time,spede", message: "option -f: 'spede' is not a column; did you mean speed?"),
      ErrorCase(
        "-f", "csv:sorce,lat", message: "option -f: 'sorce' is not a column; did you mean source?"),
      ErrorCase(
        "-f", "csv:lat,",
        message: "option -f: '' is not a column: 'man locwatch-formats' lists the columns"),
      ErrorCase(
        "-f", "csv:source,lat,source", message: "option -f: the column source is given twice"),
      ErrorCase(
        "-f", "%lat %alt %lon", message: "option -f: '%alt' is not a field; did you mean %altMSL?"),
      ErrorCase(
        "-f", "100 %",
        message: "option -f: no field name after a % in the template; %% is a percent sign"),
    ]

  private static let regions: [ErrorCase] = radii + areas + namedRegions

  private static let namedRegions: [ErrorCase] =
    [
      ErrorCase(
        "--region=home",
        message: "option --region: 'home' is not NAME=AREA, such as home=47.37,8.54,50"),
      ErrorCase("--region==1,2,3", message: "option --region: no name before the = of '=1,2,3'"),
      ErrorCase(
        "--region", "a\tb=1,2,3",
        message: "option --region: the name in 'a\tb=1,2,3' has control characters, or is too long"),
      ErrorCase(
        "--region=a=1,2,3", "--region=a=4,5,6",
        message: "option --region: two regions are named 'a'"),
      ErrorCase(
        "--region=a=90.5,2,3", message: "option --region: region 'a': 90.5,2.0 is not a position"),
      ErrorCase(
        "--region=a=1,2:3,4",
        message: "option --region: region 'a': a polygon has at least three corners"),
      ErrorCase(
        "--region=a=0,0:0,81:40,40",
        message: "option --region: region 'a': two corners are more than 9,000 km apart"),
      ErrorCase(
        "--region=a=1,2,3,400000000000h", message: "option --region: '400000000000h' is too long"),
      ErrorCase(
        "--region=a=1,2,3m",
        message: "option --region: region 'a': '3m' is a time, and the radius is missing: "
          + "a plain number of metres, such as 50"),
      ErrorCase(
        "--region=a=x,2,3m",
        message:
          "option --region: 'a=x,2,3m' is neither a circle, such as home=47.37,8.54,50, nor a "
          + "polygon, such as yard=47.1,8.1:47.2,8.1:47.2,8.3"),
    ]

  private static let radii: [ErrorCase] =
    ["0", "-5", "x", "", digits].map {
      ErrorCase(
        "--region=a=1,2,\($0)",
        message: "option --region: region 'a': the radius is not a number of metres above zero")
    }

  private static let areas: [ErrorCase] =
    ["", "1", "1,2", "1,2,3,4", "x,2,3", "1,,3", "1,2:3,4:5", "1,2:3,4:5,6,7", "1,2;3,4;5,6"].map {
      ErrorCase(
        "--region=a=\($0)",
        message:
          "option --region: 'a=\($0)' is neither a circle, such as home=47.37,8.54,50, nor a "
          + "polygon, such as yard=47.1,8.1:47.2,8.1:47.2,8.3")
    }

  private static let targets = [
    ErrorCase("h:0", message: "port '0' is not a number from 1 to 65535"),
    ErrorCase("h:65536", message: "port '65536' is not a number from 1 to 65535"),
    ErrorCase("h:99999999", message: "port '99999999' is not a number from 1 to 65535"),
    ErrorCase("h:+80", message: "port '+80' is not a number from 1 to 65535"),
    ErrorCase(
      "--report=a", message: "option --report: 'a' must end in .html, .json or .txt, or be -"),
    ErrorCase(
      "--report=a.pdf",
      message: "option --report: 'a.pdf' must end in .html, .json or .txt, or be -"),
    ErrorCase("--report=", message: "option --report: must not be empty"),
    ErrorCase(
      "--report=-", "--stop=50",
      message: "option --stop: '50' is not a radius from 1 to 100000 m and a time, such as 50,5m"),
    ErrorCase(
      "--report=-", "--stop=0.9,5m",
      message:
        "option --stop: '0.9,5m' is not a radius from 1 to 100000 m and a time, such as 50,5m"),
    ErrorCase(
      "--report=-", "--stop=50,9s", message: "option --stop: must be a time from 10s to 1d"),
    ErrorCase(
      "--report=-", "--stop=50,86401s", message: "option --stop: must be a time from 10s to 1d"),
    ErrorCase(
      "--report=-", "--reference=91,0",
      message: "option --reference: '91,0' is not a position such as 48.15,11.58 or "
        + "48.15,11.58,592.3"),
    ErrorCase(
      "--report=-", "--reference=1,2,",
      message: "option --reference: '1,2,' is not a position such as 48.15,11.58 or "
        + "48.15,11.58,592.3"),
    ErrorCase(
      "--report=-", "--reference=1,2,100000.1",
      message: "option --reference: the height in '1,2,100000.1' is not between -100000 and "
        + "100000 m"),
    ErrorCase("h:", message: "port '' is not a number from 1 to 65535"),
    ErrorCase("h:2947:", message: "no device after the last colon of 'h:2947:'"),
    ErrorCase("fe80::1", message: "write an IPv6 address in brackets: '[fe80::1]'"),
    ErrorCase("::1", message: "write an IPv6 address in brackets: '[::1]'"),
    ErrorCase("[::1", message: "no ']' after the address in '[::1'"),
    ErrorCase("[::1]2947", message: "'[::1]2947' is not [ADDRESS]:PORT"),
    ErrorCase(
      "shared memory",
      message: "'shared memory' is not a host: locwatch talks to gpsd over TCP only"),
    ErrorCase(
      "DBUS export:2947",
      message: "'DBUS export' is not a host: locwatch talks to gpsd over TCP only"),
    ErrorCase(
      "local file", message: "'local file' is not a host: locwatch talks to gpsd over TCP only"),
    ErrorCase("a b", message: "'a b' is not a host"),
    ErrorCase("a\u{a0}b", message: "'a\u{a0}b' is not a host"),
    ErrorCase("a/b", message: "'a/b' is not a host"),
    ErrorCase("a\u{fffd}", message: "'a\u{fffd}' is not a host"),
    ErrorCase(
      "http://localhost:2947",
      message: "'http://localhost:2947' is a URL; write the server without http://: "
        + "'localhost:2947'"),
    ErrorCase(
      "gpsd://boat.example/",
      message: "'gpsd://boat.example/' is a URL; write the server without gpsd://: "
        + "'boat.example'"),
    ErrorCase(
      "http://user@boat:80/",
      message: "'http://user@boat:80/' is a URL; write the server without http://: 'boat:80'"),
    ErrorCase("ssh://", message: "'ssh://' is a URL; write the server without ssh://"),
    ErrorCase(
      "tcp://phone", message: "'tcp://phone' has no port; NMEA often has 10110: 'tcp://phone:10110'"
    ),
    ErrorCase(
      "boat=udp://", message: "'udp://' has no port; NMEA often has 10110: 'udp://:10110'"),
    ErrorCase("tcp://:10110", message: "'tcp://:10110' has no host"),
    ErrorCase("TCP://h:0", message: "port '0' is not a number from 1 to 65535"),
    ErrorCase("udp://[::1]9:1", message: "'[::1]9:1' is not [ADDRESS]:PORT"),
    ErrorCase(
      "tcp://user:s3cret@phone:1",
      message: "a receiver on the network has no user: 'tcp://user:s3cret@phone:1'"),
    ErrorCase("tcp://a b:1", message: "'a b' is not a host"),
    ErrorCase(
      "udp://10110",
      message:
        "'udp://10110' has no port, because 10110 is taken for the host; did you mean 'udp://:10110'?"
    ),
    ErrorCase(
      "a=tcp://10110/",
      message:
        "'tcp://10110/' has no port, because 10110 is taken for the host; did you mean 'tcp://HOST:10110'?"
    ),
    ErrorCase(
      "udp://65536",
      message: "'udp://65536' has no port; NMEA often has 10110: 'udp://65536:10110'"),
    ErrorCase(
      "tcp://::1:10110",
      message: "'tcp://::1:10110': write an IPv6 address in brackets, as in 'tcp://[::1]:10110'"),
    ErrorCase(
      "udp://fe80::a:9",
      message: "'udp://fe80::a:9': write an IPv6 address in brackets, as in 'udp://[::1]:10110'"),
    unescaped(#"/dev/a"b"#), unescaped(#"/dev/a\b"#), unescaped("/dev/a\u{1b}b"),
    unescaped("./\u{1f}"),
    ErrorCase("tcp://h:1:/dev/x", message: "port '1:/dev/x' is not a number from 1 to 65535"),
    ErrorCase(
      "ntrip://caster:2101/mount",
      message: "'ntrip://caster:2101/mount' is a source of corrections, not a receiver: "
        + "'locwatch /dev/ttyACM0 --corrections ntrip://…'"),
    ErrorCase(
      "NTRIPS://caster/mount",
      message: "'NTRIPS://caster/mount' is a source of corrections, not a receiver: "
        + "'locwatch /dev/ttyACM0 --corrections ntrips://…'"),
    ErrorCase(
      "dgpsip://host",
      message: "'dgpsip://host' is a source of corrections, not a receiver: "
        + "'locwatch /dev/ttyACM0 --corrections ntrip://…'"),
    ErrorCase(
      "h::ntrip://caster/mount",
      message: "'ntrip://caster/mount' is a source of corrections, not a receiver"),
    ErrorCase(
      "-d", "DGPSIP://host",
      message: "option -d: 'DGPSIP://host' is a source of corrections, not a receiver"),
    ErrorCase(
      "--device=ttyACM0",
      message: "option --device: 'ttyACM0' is not the path of a receiver; did you mean "
        + "'/dev/ttyACM0'?"),
    ErrorCase(
      "h:1:null",
      message: "'null' is not the path of a receiver; did you mean '/dev/null'?"),
    ErrorCase(
      "localhost", "2947",
      message: "'2947' is taken for a host; for a port, write 'localhost:2947'"),
    ErrorCase(
      "a=65535",
      message: "'65535' is taken for a host; for a port, write 'localhost:65535'"),
    ErrorCase(
      "ttyACM0",
      message:
        "'ttyACM0' is taken for a host; write '/dev/ttyACM0' for the receiver, or 'ttyACM0:2947' "
        + "for a host of that name"),
    ErrorCase(
      "null",
      message: "'null' is taken for a host; write '/dev/null' for the receiver, or 'null:2947' "
        + "for a host of that name"),
    ErrorCase(
      "dev/ttyUSB0", message: "'dev/ttyUSB0' is not a host; did you mean '/dev/ttyUSB0'?"),
    ErrorCase("-", message: "'-' is not a host"),
    ErrorCase("", message: "the name of the server must not be empty"),
  ]

  /// Options for records, where something else replaces them.
  private static let replacements: [ErrorCase] = ofEachOutput + ofRecordings

  private static let ofEachOutput: [ErrorCase] =
    ["--coords=dms", "--events", "--no-events", "--satellites", "--region=a=1,2,3", "--json"]
    .flatMap { option in
      ["--report=-", "--record=-"].map { ErrorCase(withoutEffect: option, besides: $0) }
    }

  private static let ofRecordings: [ErrorCase] =
    [
      ErrorCase(withoutEffect: "--units=imperial", besides: "--record=-"),
      ErrorCase(
        "--record=-", "-1", "--average=9",
        message: "--record - replaces the output, so --average has no effect"),
      ErrorCase("--replay==a", message: "option --replay: no name before the = of '=a'"),
      ErrorCase("--replay=a=", message: "option --replay: must not be empty"),
      ErrorCase(
        "--replay=a\n=b",
        message: "option --replay: the name in 'a\n=b' has control characters, or is too long"),
      ErrorCase(
        "--replay=a=b", "--replay", "c", "--replay", "d=e",
        message: "option --replay: the files are one recording, which cannot be both 'a' and 'd'"),
      ErrorCase("--replay=a=b", "c=d", message: "--replay cannot be combined with 'c=d'"),
    ]

  private static let contradictions = [
    ErrorCase("--events", "--no-events", message: "--events and --no-events cannot be combined"),
    ErrorCase("--events", "-1", message: "--events and --once cannot be combined"),
    ErrorCase(
      "--events", "-n1", message: "--events and --count 1 cannot be combined"),
    ErrorCase("--record=a", "--replay=b", message: "--record and --replay cannot be combined"),
    ErrorCase(
      "--reconnect", "--no-reconnect", message: "--reconnect and --no-reconnect cannot be combined"
    ),
    ErrorCase("-qv", message: "--quiet and --verbose cannot be combined"),
    ErrorCase("--speed", "2", message: "--speed needs --replay"),
    ErrorCase("--rotate", "1h", message: "--rotate needs --record DIR/"),
    ErrorCase(
      "--replay=a", "--from", "2026-06-15", "8:00",
      message:
        "'8:00' is not a target. If it belongs to a date, write a T between them, as in 2026-05-01T8:00"
    ),
    ErrorCase(
      "--replay=a", "--from", "2026-06-15", "8:00+02:00",
      message:
        "'8:00+02:00' is not a target. If it belongs to a date, write a T between them, as in "
        + "2026-05-01T8:00+02:00"),
    ErrorCase(
      "--replay=a", "--to=24:01",
      message:
        "option --to: '24:01' is not a time such as 2026-05-01T09:30:00Z, 2026-05-01 or 09:30"),
    ErrorCase(
      "--replay=a", "--from=2026-06-15", "--to=2026-06-14", message: "--from must be before --to"),
    ErrorCase(
      "-j", "-o", "drive.gpx",
      message:
        "--output FILE.gpx means gpx, but the format is json: write --format gpx, or choose another name"
    ),
    ErrorCase(
      "-f", "csv", "-o", "x.NMEA",
      message: "--output FILE.nmea means nmea, but the format is csv: write --format nmea, or "
        + "choose another name"),
    ErrorCase("--from=09:30", message: "--from needs --replay"),
    ErrorCase("--to=09:30", message: "--to needs --replay"),
    ErrorCase(
      "--replay=a", "--from=09:30", "--to=09:30", message: "--from must be before --to"),
    ErrorCase(
      "--replay=a", "--from=10:00+02:00", "--to=8:00", message: "--from must be before --to"),
    ErrorCase(
      "--replay=a", "--from=2026-05-01T10:00+02:00", "--to=2026-05-01T08:00Z",
      message: "--from must be before --to"),
    ErrorCase("--keep=30d", message: "--keep needs --record DIR/"),
    ErrorCase("--keep=2G", "--record=a.jsonl", message: "--keep needs --record DIR/"),
    ErrorCase(
      "--record=a/", "--keep=30d", "--keep=1G",
      message: "--keep can be given only once, with an age or a size"),
    ErrorCase("--rotate=1h", "--record=a.jsonl", message: "--rotate needs --record DIR/"),
    ErrorCase(
      "--replay=a", "h", message: "--replay cannot be combined with 'h'"),
    ErrorCase(
      "--replay=-", "--replay=a", "--replay=-",
      message: "--replay - can be given only once"),
    ErrorCase("--view", "-j", message: "--view and --json cannot be combined"),
    ErrorCase("--view", "-f", "text", message: "--view and --format cannot be combined"),
    ErrorCase("--view", "-1", message: "--view and --once cannot be combined"),
    ErrorCase("--view", "-n1", message: "--view and --count 1 cannot be combined"),
    ErrorCase("--view", "--satellites", message: "--view and --satellites cannot be combined"),
    ErrorCase("--view", "--events", message: "--view and --events cannot be combined"),
    ErrorCase("--view", "--no-events", message: "--view and --no-events cannot be combined"),
    ErrorCase("--view", "--record=-", message: "--view and --record - cannot be combined"),
    ErrorCase("--view", "--report=-", message: "--view and --report - cannot be combined"),
    ErrorCase("--view", "--class=ATT", message: "--class works with json, not with text"),
    ErrorCase("--reference=1,2", message: "--reference needs --report"),
    ErrorCase("--stop=50,5m", message: "--stop needs --report or --output DIR/"),
    ErrorCase(
      "-o", "tracks.gpx/",
      message: "--output DIR/ works with gpx, kml and geojson, not with text"),
    ErrorCase("--stop=50,5m", "-o", "a.gpx", message: "--stop needs --report or --output DIR/"),
    ErrorCase(
      "--report=-", "-f", "text",
      message: "--report - replaces the output, so --format has no effect"),
    ErrorCase(
      "--report=-", "--record=-", message: "--record - and --report - cannot be combined"),
    ErrorCase("-1", "-n2", message: "--once and --count 2 cannot be combined"),
    ErrorCase("-j", "-f", "csv", message: "--json and --format csv cannot be combined"),
    ErrorCase(
      "-d", "/dev/a", "h:1:/dev/b", message: "--device '/dev/a' contradicts 'h:1:/dev/b'"),
    ErrorCase("-d", "/dev/a", "/dev/b", message: "--device cannot be combined with '/dev/b'"),
    ErrorCase(
      "-j", "--units=imperial", message: "--units works with text, not with json"),
    ErrorCase(
      "-f", "gpx", "--events",
      message: "--events works with text and json, not with gpx"),
    ErrorCase(
      "-d", "/dev/x", "a", "b",
      message: "--device belongs to a single target; write SERVER:PORT:DEVICE"),
    ErrorCase("--best", message: "--best needs several targets"),
    ErrorCase("--doctor", "-1", message: "--doctor and --once cannot be combined"),
    ErrorCase("--doctor", "--replay", "x", message: "--doctor and --replay cannot be combined"),
    ErrorCase("--doctor", "--record", "x", message: "--doctor and --record cannot be combined"),
    ErrorCase("--doctor", "--view", message: "--doctor and --view cannot be combined"),
    ErrorCase("--doctor", "-f", "csv", message: "--doctor and --format cannot be combined"),
    ErrorCase("--doctor", "a", "b", message: "--doctor and several targets cannot be combined"),
    ErrorCase("-n2", "--average=9", message: "--average needs --once"),
    ErrorCase(
      "-f", "prometheus", "-o", "a", "-n1", message: "prometheus and --once cannot be combined"),
    ErrorCase(
      "-o", "/tmp", "-f", "gpx", "-n1",
      message: "--once writes no legs, so it cannot be combined with --output DIR/"),
    ErrorCase(
      "--best", "--record=-", "a", "b", message: "--record - and --best cannot be combined"),
    ErrorCase(
      "-j", "--best", "--class=ATT", "a", "b", message: "with --best, --class needs --record"),
    ErrorCase("-f", "prometheus", message: "prometheus needs --output FILE"),
    ErrorCase("-f", "prometheus", "-o", "-", message: "prometheus needs --output FILE"),
    ErrorCase(
      "-f", "prometheus", "-o", "a", "-1", message: "prometheus and --once cannot be combined"),
    ErrorCase(
      "-o", "a/drive.KMZ",
      message: "--output FILE.kmz says no format: .json, .jsonl, .ndjson, .csv, .gpx, .kml, "
        + ".geojson, .nmea, .prom do; for text, choose .txt or add --format text"),
    ErrorCase("--view", "-o", "a", message: "--view and --output cannot be combined"),
    ErrorCase("-oa", "--record=-", message: "--record - and --output cannot be combined"),
    ErrorCase("-oa", "--report=-", message: "--report - and --output cannot be combined"),
    ErrorCase(
      "-oa", "--record=a", message: "--record a and --output a are the same file"),
    ErrorCase(
      "-oa", "--replay=b", "--replay=a", message: "--replay a and --output a are the same file"),
    ErrorCase(
      "-oa.txt", "--report=a.txt",
      message: "--report a.txt and --output a.txt are the same file"),
    ErrorCase("--class=ATT", message: "--class works with json, not with text"),
    ErrorCase("--class=ATT", "-f", "gpx", message: "--class works with json, not with gpx"),
    ErrorCase(
      "--class=ATT", "-j", "-1",
      message: "--once and --class cannot be combined: the run ends with its first fix"),
    ErrorCase(
      "--class=ATT", "-j", "-n1",
      message: "--class and --count 1 cannot be combined: the run ends with its first fix"),
    ErrorCase(
      "-j", "--class=ATT,",
      message: "option --class: '' is not a class of reports, such as ATT or AIS"
    ),
    ErrorCase(
      "-j", "--class", "A B",
      message: "option --class: 'A B' is not a class of reports, such as ATT or AIS"),
    ErrorCase(
      "-o", "/tmp", "-j",
      message: "--output DIR/ works with gpx, kml and geojson, not with json"),
    ErrorCase(
      "-o", "/tmp", "-f", "gpx", "-1",
      message: "--once writes no legs, so it cannot be combined with --output DIR/"),
    ErrorCase(
      "--interval=5s..5m",
      message:
        "option --interval: '5s..5m' is not a duration such as 30, 30s, 5m30s, 1h, 7d or 500ms"
    ),
    ErrorCase("--average=9", message: "--average needs --once"),
    ErrorCase(
      "-1", "--average=9", "-m5", message: "--average and --min-move cannot be combined"),
    ErrorCase(
      "-1", "--average=9", "--best", "a", "b", message: "--average and --best cannot be combined"),
    ErrorCase(
      "-1", "--average=9", "--satellites",
      message: "--average and --satellites cannot be combined"),
    ErrorCase(
      "-1", "--average=9", "-f", "gpx",
      message: "--average works with text, json and csv, not with gpx"),
    ErrorCase(
      "-1", "--average=9", "-f", "csv:lat",
      message: "--average has its own columns, so it works only with plain csv"),
    ErrorCase("-1", "--average=1", message: "option --average: must be at least 2 fixes"),
    ErrorCase("-1", "--average=0", message: "option --average: '0' is not a positive integer"),
    ErrorCase(
      "-1", "--average=x",
      message: "option --average: 'x' is neither a number of fixes such as 600 nor a duration "
        + "such as 10m"),
    ErrorCase("--region=a=1,2,3", "-1", message: "--once and --region cannot be combined"),
    ErrorCase("--region=a=1,2,3", "-n1", message: "--region and --count 1 cannot be combined"),
    ErrorCase(
      "--region=a=1,2,3", "--no-events", message: "--region and --no-events cannot be combined"),
    ErrorCase(
      "--region=a=1,2,3", "-f", "csv", message: "--region works with text and json, not with csv"),
    ErrorCase(
      "-f", "json", "--record=-",
      message: "--record - replaces the output, so --format has no effect"),
  ]
}
