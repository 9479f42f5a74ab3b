import GPSDLocation
import GPSDProtocol
import LocationCore
import LocationReports
import Testing

@testable import LocationFormats
@testable import LocationText
@testable import LocwatchCLI
@testable import LocwatchReceivers
@testable import LocwatchRecordings
@testable import LocwatchSystem
@testable import LocwatchTerminal

/// Faults 57 and 104.
@Suite struct OptionParserTests {
  @Test func `An empty command line watches the local gpsd`() throws {
    let options = try Options(arguments: [])
    #expect(options == Options())
    #expect(options.target == .gpsd(GPSDEndpoint(host: "localhost", port: 2947), device: nil))
    #expect(options.goal.timeout == nil)
    #expect(options.reconnects)
  }

  @Test(arguments: OptionCase.all)
  func `An option sets its value`(example: OptionCase) throws {
    var expected = Options()
    example.change(&expected)
    #expect(try Options(arguments: example.arguments) == expected)
  }

  @Test(arguments: [
    (["-1j"], ["--once", "--json"]),
    (["-n5"], ["--count", "5"]),
    (["-n1"], ["-1"]),
    (["-jn", "5"], ["--json", "--count=5"]),
    (["-qt2m"], ["--quiet", "--timeout=120s"]),
    (["-n", "3", "-n", "4"], ["-n4"]),
    (["--", "host"], ["host"]),
    (["-d", "/dev/x", "host:1"], ["host:1:/dev/x"]),
    (["--fix=3D"], ["--fix=3d"]), (["--coords=DMS"], ["--coords=dms"]),
    (["--units=Metric"], ["--units=metric"]), (["--color=Never"], ["--color=never"]),
    (["-f", "JSON"], ["-j"]), (["-f", "Csv:lat,lon"], ["-f", "csv:lat,lon"]),
    (["--replay=a", "--speed=Max"], ["--replay=a", "--speed=max"]),
    (["--generate=MAN"], ["--generate=man"]),
  ])
  func `Options can be written in several ways`(one: [String], other: [String]) throws {
    #expect(try Options(arguments: one) == Options(arguments: other))
  }

  @Test(
    arguments: [
      (["/dev/caf"], ""), (["--", "/dev/caf"], ""), (["-1", "a", "b=/dev/caf"], ""),
      (["-d", "/dev/caf"], "option -d: "), (["-1d/dev/caf"], "option -d: "),
      (["--device=/dev/caf"], "option --device: "), (["-f", "caf"], "option -f: "),
    ])
  func `A name that is not UTF-8 is not taken for another one`(
    arguments: [String], prefix: String
  ) throws {
    let last = Argument(arguments.last ?? "")
    let all = arguments.dropLast().map { Argument($0) } + [Argument(bytes: last.bytes + [0xE9])]
    let start = last.text.hasSuffix("/dev/caf") ? "/dev/caf" : "caf"
    let name = (arguments.last == "b=/dev/caf" ? "b=" : "") + start
    #expect(throws: UsageError("\(prefix)'\(name)\u{fffd}' is not UTF-8")) {
      try Options(arguments: all, environment: [:])
    }
  }

  @Test(arguments: ["-jo", "--output=", "-o"])
  func `The bytes of a file's name stay as they are`(option: String) throws {
    let name = Array("caf".utf8) + [0xE9, 0x01]
    let options = try Options(
      arguments: [Argument(bytes: (Array(option.utf8) + name)[...])], environment: [:])
    #expect(options.output == FilePath(bytes: name))
  }

  @Test(arguments: [
    ["--help"], ["-h"], ["-jh"], ["--jsn", "--help"], ["--count", "x", "a", "b", "--help"],
    ["--timeout", "--help"], ["-t", "-h"], ["-xh"], ["--events", "--no-events", "-h"],
    ["--generate", "man", "--help"], ["--help", "--generate", "man"], ["--help", "--version"],
  ])
  func `Help takes precedence over everything else`(arguments: [String]) throws {
    #expect(try Options(arguments: arguments).action == .help)
  }

  @Test(arguments: [["--version"], ["--jsn", "--version"], ["--version", "--help", "a", "b"]])
  func `The version takes precedence as well`(arguments: [String]) throws {
    #expect(try Options(arguments: arguments).action == .version)
  }

  @Test(arguments: [
    ["--best", "-1", "a", "b"], ["-n1", "--average=9"],
    ["-f", "prometheus", "-oa", "-n2"], ["-j", "--units=imperial", "--report=a.html"],
    ["-f", "gpx", "--units=imperial", "--report=a.txt"], ["--report=-", "--units=imperial"],
    ["--report=-", "van=localhost"], ["--record=-", "van=localhost"],
    ["--record=-", "--report=a.txt", "--units=imperial"],
    ["--record=-", "--serve=9947", "--satellites", "--region=a=1,2,3", "--units=imperial"],
    ["--record=-", "-1", "--timeout=5"], ["--report=-", "-n5", "-m5"],
  ])
  func `Options that belong together are accepted`(arguments: [String]) {
    #expect(throws: Never.self) { try Options(arguments: arguments).refuseSharedFiles() }
  }

  @Test func `After two dashes nothing is an option`() {
    #expect(throws: UsageError.self) { try Options(arguments: ["--", "--help", "b"]) }
  }

  @Test(arguments: ErrorCase.all)
  func `An error names what is wrong`(example: ErrorCase) {
    #expect(throws: UsageError(example.message)) {
      try Options(arguments: example.arguments).refuseSharedFiles()
    }
  }

  @Test(
    arguments: [
      ("drive.gpx", .gpx), ("a.b/Drive.KML", .kml), ("drive.geojson", .geoJSON),
      ("drive.json", .ndjson), ("drive.jsonl", .ndjson), ("drive.ndjson", .ndjson),
      ("drive.csv", .csv), ("drive.nmea", .nmea), ("gps.prom", .prometheus), ("drive.txt", .text),
      ("drive.LOG", .text), ("drive.2026-11-20", .text), ("a.b/drive", .text), ("gpx", .text),
      (".gpx", .text), ("drive.gpx.1", .text),
    ] as [(String, LocationFormat)])
  func `The ending of a file chooses its format`(name: String, format: LocationFormat) throws {
    #expect(try Options(arguments: ["-o", name]).format == format)
  }

  @Test(
    arguments: [
      ("Ntrips://h/M", CasterAddress(host: "h", port: 443, mount: "M", isSecure: true)),
      ("https://h:2102/M", CasterAddress(host: "h", port: 2102, mount: "M", isSecure: true)),
      ("NTRIP://[::1]:1/!A-b.c~", CasterAddress(host: "::1", port: 1, mount: "!A-b.c~")),
    ])
  func `A caster has a scheme, which implies its port`(url: String, caster: CasterAddress) throws {
    #expect(try Options(arguments: ["tcp://h:1", "--corrections", url]).corrections == caster)
  }

  @Test(
    arguments: [
      ("--keep=1.5G", .size(1_500_000_000)), ("--keep=1M", .size(1_000_000)),
      ("--keep=60s", .age(.seconds(60))),
    ] as [(String, RecordingFolder.Limit)])
  func `The limit of a folder is a size or an age`(
    option: String, limit: RecordingFolder.Limit
  ) throws {
    #expect(try Options(arguments: ["--record=a/", option]).keep == limit)
    let rotated = try Options(arguments: ["--record=a/", "--rotate=1h30m"])
    #expect(rotated.rotation == .every(.seconds(5400)))
  }

  @Test(arguments: [("2.5", ReplaySpeed.times(2.5)), ("1000000", .times(1_000_000)), ("max", .max)])
  func `A replay has a speed`(text: String, speed: ReplaySpeed) throws {
    #expect(try Options(arguments: ["--replay=a", "--speed", text]).speed == speed)
  }

  @Test(arguments: [[], ["--region=a=1,2,3"], ["--coords=dms"], ["--no-events"]])
  func `A replay prints no records beside a report unless an option is about them`(
    arguments: [String]
  ) throws {
    let options = try Options(arguments: ["--replay=a", "--report=a.txt"] + arguments)
    #expect(options.printsReport == arguments.isEmpty)
  }

  @Test(
    arguments: [
      ("gps.example:2000", .gpsd(GPSDEndpoint(host: "gps.example", port: 2000), device: nil)),
      (":2000", .gpsd(GPSDEndpoint(host: "localhost", port: 2000), device: nil)),
      ("h:2000:/dev/x", .gpsd(GPSDEndpoint(host: "h", port: 2000), device: "/dev/x")),
      ("h::tcp://u:p@10.0.0.1:5", .gpsd(GPSDEndpoint(host: "h"), device: "tcp://u:p@10.0.0.1:5")),
      ("h::tty.log", .gpsd(GPSDEndpoint(host: "h"), device: "tty.log")),
      ("[::1]:65535", .gpsd(GPSDEndpoint(host: "::1", port: 65535), device: nil)),
      ("[fe80::1%eth0]", .gpsd(GPSDEndpoint(host: "fe80::1%eth0"), device: nil)),
      ("tty-host", .gpsd(GPSDEndpoint(host: "tty-host"), device: nil)),
      ("ttyACM0:2947", .gpsd(GPSDEndpoint(host: "ttyACM0"), device: nil)),
      ("2947:1", .gpsd(GPSDEndpoint(host: "2947", port: 1), device: nil)),
      ("65536", .gpsd(GPSDEndpoint(host: "65536"), device: nil)),
      ("/dev/ttyUSB0", .tty("/dev/ttyUSB0")), ("./pty", .tty("./pty")),
      ("tcp://phone:10110", .network(NetworkAddress(.tcp, host: "phone", port: 10110))),
      ("UDP://:9999/", .network(NetworkAddress(.udp, host: "", port: 9999))),
      ("udp://[::1]:9999", .network(NetworkAddress(.udp, host: "::1", port: 9999))),
    ] as [(String, Target)])
  func `A target is a gpsd, a device or a receiver on the network`(
    text: String, target: Target
  ) throws {
    let options = try Options(arguments: [text])
    #expect(options.target == target)
    let device = if case .gpsd(_, let device) = target { device } else { String?.none }
    #expect(options.device == device)
  }

  @Test func `An error points to the help`() {
    #expect(UsageError("no").description == "no\nTry 'locwatch --help'.")
  }

  @Test func `A run for one fix fails at once unless --reconnect is given`() throws {
    #expect(try !Options(arguments: ["-1"]).reconnects)
    #expect(try Options(arguments: ["-1", "--reconnect"]).reconnects)
    #expect(try !Options(arguments: ["--no-reconnect"]).reconnects)
  }
}

/// Words on a command line, and what they change.
struct OptionCase: Sendable, CustomTestStringConvertible {
  let arguments: [String]
  let change: @Sendable (inout Options) -> Void

  var testDescription: String { arguments.joined(separator: " ") }

  init(_ arguments: String..., change: @escaping @Sendable (inout Options) -> Void) {
    self.arguments = arguments
    self.change = change
  }

  /// At least one for each option of the table.
  static let all = [
    OptionCase("-1") {
      $0.goal.once = true
      $0.goal.count = 1
      $0.goal.timeout = .seconds(30)
    },
    OptionCase("--serve", "9947", "--serve-name", "gps.example", "--serve-name=My_boat-2") {
      $0.serve = NetworkAddress(.tcp, host: "127.0.0.1", port: 9947)
      $0.serveNames = ["gps.example", "My_boat-2"]
      $0.speed = .times(1)
    },
    OptionCase("--serve", "[::]:0") {
      $0.serve = NetworkAddress(.tcp, host: "::", port: 0)
      $0.speed = .times(1)
    },
    OptionCase("--replay", "a.jsonl", "--serve=192.0.2.1:80") {
      $0.replays = [FilePath("a.jsonl")]
      $0.serve = NetworkAddress(.tcp, host: "192.0.2.1", port: 80)
      $0.speed = .times(1)
    },
    OptionCase("--report", "a.html") { $0.report = try? ReportFile("a.html") },
    OptionCase("-1", "--average", "10m") {
      $0.goal.once = true
      $0.goal.count = 1
      $0.goal.timeout = .seconds(30)
      $0.goal.average = .duration(.seconds(600))
    },
    OptionCase("/dev/ttyACM0", "--corrections", "ntrip://caster.example/MOUNT") {
      $0.target = .tty("/dev/ttyACM0")
      $0.corrections = CasterAddress(host: "caster.example", port: 2101, mount: "MOUNT")
    },
    OptionCase("--record=a/", "--keep", "1d12h", "--rotate", "10M") {
      $0.record = "a/"
      $0.keep = .age(.seconds(36 * 3600))
      $0.rotation = .size(10_000_000)
    },
    OptionCase("--count", "5") { $0.goal.count = 5 },
    OptionCase("-t", "500ms") { $0.goal.timeout = .milliseconds(500) },
    OptionCase("-t", "1.5s") { $0.goal.timeout = .milliseconds(1500) },
    OptionCase("-t", "30") { $0.goal.timeout = .seconds(30) },
    OptionCase("-t", "2m") { $0.goal.timeout = .seconds(120) },
    OptionCase("--timeout=1h") { $0.goal.timeout = .seconds(3600) },
    OptionCase("-t", "5m30s") { $0.goal.timeout = .seconds(330) },
    OptionCase("-t", "1h30m") { $0.goal.timeout = .seconds(5400) },
    OptionCase("-t", "1m500ms") { $0.goal.timeout = .milliseconds(60_500) },
    OptionCase("-t", "1h2m3s4ms") { $0.goal.timeout = .milliseconds(3_723_004) },
    OptionCase("-t", "1.5h0.5s") { $0.goal.timeout = .milliseconds(5_400_500) },
    OptionCase("--duration", "5m") { $0.goal.duration = .seconds(300) },
    OptionCase("-1", "--duration=2m") {
      $0.goal.once = true
      $0.goal.count = 1
      $0.goal.duration = .seconds(120)
    },
    OptionCase("-1", "--duration=2m", "-t10") {
      $0.goal.once = true
      $0.goal.count = 1
      $0.goal.duration = .seconds(120)
      $0.goal.timeout = .seconds(10)
    },
    OptionCase("--fix", "3d") { $0.criteria.request.minimumMode = .fix3D },
    OptionCase("--quality", "rtk-float") { $0.criteria.request.minimumQuality = .rtkFloat },
    OptionCase("--quality", "DGPS") { $0.criteria.request.minimumQuality = .dgps },
    OptionCase("--accuracy", "12.5") { $0.criteria.request.desiredAccuracy = 12.5 },
    OptionCase("--stale", "10s") { $0.stale = .seconds(10) },
    OptionCase("--reconnect") { $0.reconnect = true },
    OptionCase("--no-reconnect") { $0.reconnect = false },
    OptionCase("--device", "/dev/ttyACM0") {
      $0.device = "/dev/ttyACM0"
      $0.target = .gpsd(GPSDEndpoint(), device: "/dev/ttyACM0")
    },
    OptionCase("-m", "0") { $0.criteria.minMove = 0 },
    OptionCase("--min-move", "10") { $0.criteria.minMove = 10 },
    OptionCase("--region", "home=47.37,-8.54,50.5", "--region=a b=-1,2:3,4:5,6") {
      let corners = [(-1.0, 2.0), (3, 4), (5, 6)].map { Coordinate(latitude: $0, longitude: $1)! }
      $0.regions = [
        .circle("home", around: Coordinate(latitude: 47.37, longitude: -8.54)!, radius: 50.5),
        .polygon("a b", corners)!,
      ]
    },
    OptionCase("--region=a=1,2,3,0s", "--region=b=1,2:3,4:5,6,1m30s", "--region=c=1,2,3") {
      let corners = [(1.0, 2.0), (3, 4), (5, 6)].map { Coordinate(latitude: $0, longitude: $1)! }
      $0.regions = [
        .circle("a", around: corners[0], radius: 3), .polygon("b", corners)!,
        .circle("c", around: corners[0], radius: 3),
      ]
      $0.dwells = ["a": .zero, "b": .seconds(90)]
    },
    OptionCase("--believed") { $0.criteria.request.onlyBelieved = true },
    OptionCase("--correct-date") { $0.criteria.request.correctsDates = true },
    OptionCase("--interval", "1m") { $0.criteria.interval = .seconds(60) },
    OptionCase("-j") { $0.format = .ndjson },
    OptionCase("-f", "csv") { $0.format = .csv([.time, .lat, .lon, .quantity(.altHAE), .device]) },
    OptionCase("-f", "csv:time,speed,device") {
      $0.format = .csv([.time, .quantity(.speed), .device])
    },
    OptionCase("--format", "nmea") { $0.format = .nmea },
    OptionCase("-f", "owntracks") { $0.format = .ownTracks },
    OptionCase("-f", "prometheus", "-o", "a.prom") {
      $0.format = .prometheus
      $0.output = "a.prom"
    },
    OptionCase("--output=-") { $0.output = "-" },
    OptionCase("--coords", "maidenhead") { $0.coordinates = .maidenhead },
    OptionCase("-j", "--class", "att,PPS", "--class=AIS") {
      $0.format = .ndjson
      $0.classes = [.att, .pps, ServiceReport.Kind(rawValue: "AIS")]
    },
    OptionCase("--coords", "utm") { $0.coordinates = .utm },
    OptionCase("--coords", "mgrs") { $0.coordinates = .mgrs },
    OptionCase("--coords", "dms") { $0.coordinates = .seconds },
    OptionCase("--units", "nautical") { $0.units = .nautical },
    OptionCase("--satellites") { $0.satellites = true },
    OptionCase("--view") { options in
      options.view = true
      options.satellites = true
      options.speed = .times(1)
    },
    OptionCase("--view", "--replay=a", "--speed=max") { options in
      options.view = true
      options.satellites = true
      options.replays = ["a"]
    },
    OptionCase("--events") { $0.events = .transitionsOnly },
    OptionCase("--no-events") { $0.events = .fixesOnly },
    OptionCase("--json", "van=localhost", "-d", "/dev/a") {
      $0.format = .ndjson
      $0.source = "van"
      $0.target = .gpsd(GPSDEndpoint(), device: "/dev/a")
      $0.device = "/dev/a"
    },
    OptionCase("a", "van=h:2000", "x=/dev/ttyUSB0", "/dev/tty=1") {
      $0.fleet = [
        NamedTarget("a", .gpsd(GPSDEndpoint(host: "a"), device: nil)),
        NamedTarget("van", .gpsd(GPSDEndpoint(host: "h", port: 2000), device: nil)),
        NamedTarget("x", .tty("/dev/ttyUSB0")), NamedTarget("/dev/tty=1", .tty("/dev/tty=1")),
      ]
    },
    OptionCase("van=h") {
      $0.target = .gpsd(GPSDEndpoint(host: "h"), device: nil)
      $0.source = "van"
    },
    OptionCase("--best", "--view", "a=h", "b=i") { options in
      options.takesBest = true
      options.fleet = ["a": "h", "b": "i"].sorted { $0.key < $1.key }.map { name, host in
        NamedTarget(name, .gpsd(GPSDEndpoint(host: host), device: nil))
      }
      options.view = true
      options.satellites = true
      options.speed = .times(1)
    },
    OptionCase("--replay=a", "--from", "07:05", "--to", "2026-11-20T08:00:00Z") {
      $0.replays = ["a"]
      $0.range.from = .timeOfDay(.seconds(7 * 3600 + 300))
      $0.range.to = Timestamp(iso8601: "2026-11-20T08:00:00Z").map { .time($0) }
    },
    OptionCase("--replay=a", "--from", "8:05", "--to", "24:00") {
      $0.replays = ["a"]
      $0.range.from = .timeOfDay(.seconds(8 * 3600 + 300))
      $0.range.to = .timeOfDay(.seconds(86_400))
    },
    OptionCase("--replay=a", "--from=23:00", "--to=1:00:30") {
      $0.replays = ["a"]
      $0.range.from = .timeOfDay(.seconds(23 * 3600))
      $0.range.to = .timeOfDay(.seconds(3630))
    },
    // A date is the beginning of that day, or its end.
    OptionCase("--replay=a", "--from=2026-11-20", "--to=2026-11-20") {
      $0.replays = ["a"]
      $0.range.from = Timestamp(iso8601: "2026-11-20T00:00:00Z").map { .time($0) }
      $0.range.to = Timestamp(iso8601: "2026-11-21T00:00:00Z").map { .time($0) }
    },
    OptionCase("--replay=a", "--from=2026-11-20 8:00", "--to=2026-11-20T24:00+02:00") {
      $0.replays = ["a"]
      $0.range.from = Timestamp(iso8601: "2026-11-20T08:00:00Z").map { .time($0) }
      $0.range.to = Timestamp(iso8601: "2026-11-20T22:00:00Z").map { .time($0) }
    },
    OptionCase("-o", "drive.kmz", "-f", "text") { $0.output = "drive.kmz" },
    OptionCase("-f", "geojson", "-o", "drive.json") {
      $0.output = "drive.json"
      $0.format = .geoJSON
    },
    OptionCase("-f", "csv:lat,lon", "-o", "drive.csv") {
      $0.output = "drive.csv"
      $0.format = .csv([.lat, .lon])
    },
    OptionCase("--record", "a.jsonl") { $0.record = "a.jsonl" },
    OptionCase("--record", "-") { $0.record = "-" },
    OptionCase("--replay", "-") { $0.replays = ["-"] },
    OptionCase("--replay", "b", "--replay=a", "--replay", "-") { $0.replays = ["b", "a", "-"] },
    OptionCase("--replay", "van=b", "--replay=a", "--replay=van=-") {
      $0.replays = ["b", "a", "-"]
      $0.source = "van"
    },
    OptionCase("--replay", "van=a=b/") {
      $0.replays = ["a=b/"]
      $0.source = "van"
    },
    // As in a target, a slash or a colon comes before the = of a path.
    OptionCase("--replay", "./a=b", "--replay=/a=b", "--replay=12:30=b") {
      $0.replays = ["./a=b", "/a=b", "12:30=b"]
    },
    OptionCase("--report", "a.JSON") { $0.report = try? ReportFile("a.JSON") },
    OptionCase("--report=-", "--stop=1,10s") {
      $0.report = try? ReportFile("-")
      $0.printsReport = true
      $0.stop = StopCriteria(radius: 1, duration: .seconds(10))
    },
    OptionCase("-f", "gpx", "-o", "a/", "--stop", "100000,1d") {
      $0.format = .gpx
      $0.output = "a/"
      $0.stop = StopCriteria(radius: 100_000, duration: .seconds(86_400))
    },
    OptionCase("--report=-", "--reference=-48.5,11.25,592.3") {
      $0.report = try? ReportFile("-")
      $0.printsReport = true
      $0.reference = Coordinate(latitude: -48.5, longitude: 11.25).map { .init($0, altHAE: 592.3) }
    },
    OptionCase("--report=a.txt", "--reference", "48.5,-11.25") {
      $0.report = try? ReportFile("a.txt")
      $0.reference = Coordinate(latitude: 48.5, longitude: -11.25).map { .init($0) }
    },
    OptionCase("--doctor") { $0.examines = true },
    OptionCase("-q") { $0.quiet = true },
    OptionCase("--verbose") { $0.verbose = true },
    OptionCase("--color", "never") { $0.color = .never },
    OptionCase("--generate", "complete-fish") { $0.action = .generate(.fish) },
    OptionCase("--generate=schema") { $0.action = .generate(.schema) },
    OptionCase("--version") { $0.action = .version },
    OptionCase("--help") { $0.action = .help },
  ]
}

@Suite struct `A time of the command line` {
  private func time(_ text: String) -> RecordedRange.Bound { .time(Timestamp(iso8601: text)!) }

  @Test(arguments: [
    ("2026-05-01T09:30:00Z", "2026-05-01T09:30:00Z"),
    ("2026-05-01t09:30:00z", "2026-05-01T09:30:00Z"),
    ("2026-05-01 09:30", "2026-05-01T09:30:00Z"), ("2026-05-01T09:30Z", "2026-05-01T09:30:00Z"),
    ("2026-05-01T09:30:15.25+02:00", "2026-05-01T07:30:15.25Z"),
    ("2026-05-01T09:30-05:30", "2026-05-01T15:00:00Z"), ("2026-05-01", "2026-05-01T00:00:00Z"),
  ])
  func `is in UTC unless it has a zone, with or without seconds`(text: String, expected: String)
    throws
  {
    #expect(try OptionValues.when(text) == time(expected))
  }

  @Test(arguments: [("09:30", 34_200_000), ("00:00:00", 0), ("23:59:59.5", 86_399_500)])
  func `can be a time of day`(text: String, milliseconds: Int) throws {
    #expect(try OptionValues.when(text) == .timeOfDay(.milliseconds(milliseconds)))
  }

  @Test(arguments: [
    "", "9:3", "24:01", "09:60", "2026-05-1", "2026-13-01", "2026-05-01T", "2026-05-01T:30",
    "2026-05-01X09:30", "2026-05-01T09:30+0200", "2026-05-01T09:30+25:00", "yesterday",
    "1746091800",
    "2026-05-01T09:30:00ZZ", "2026-05-01T+02:00", "09:30ZZ", "2026-05-0\u{e9}", "-1 day",
    "+02:00", "Z", "09:30+", "09:30+2:00", "09:30+0200", "09:30 +02:00", "09:30+25:00",
    "2026-05-01+02:00",
  ])
  func `of another form is refused`(text: String) {
    #expect(
      throws: UsageError(
        "'\(text)' is not a time such as 2026-05-01T09:30:00Z, 2026-05-01 or 09:30")
    ) { try OptionValues.when(text) }
  }
}
