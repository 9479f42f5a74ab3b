import LocationFormats

/// The manual page, in man(7).
enum ManualPage {
  static func source(version: String) -> String {
    var page = Roff()
    page.title("locwatch", section: 1, date: versionDate, release: "locwatch \(version)")
    page.section("NAME")
    page.text("locwatch - watch the position that gpsd reports")
    synopsis(&page)
    description(&page)
    options(&page)
    states(&page)
    output(&page)
    view(&page)
    report(&page)
    page.section("EXIT STATUS")
    for row in ExitStatusTable.rows { page.item(Roff.bold(row.numbers), row.detail) }
    surroundings(&page)
    return page.source
  }

  private static func synopsis(_ page: inout Roff) {
    page.section("SYNOPSIS")
    page.raw(
      "\(Roff.bold("locwatch")) [\(Roff.italic("OPTIONS"))] "
        + "[\(Roff.italic("SERVER"))[:\(Roff.italic("PORT"))[:\(Roff.italic("DEVICE"))]] | "
        + "\(Roff.italic("/dev/TTY"))]")
  }

  private static func description(_ page: inout Roff) {
    page.section("DESCRIPTION")
    page.text(
      "locwatch reads positions from gpsd and writes them as they arrive, together with every "
        + "change of state: whether there is a gpsd, a receiver and a fix, and when a fix is lost. "
        + "It runs until it is stopped, reconnects by itself, and never shows an outdated position "
        + "as a current one.")
    for operand in OptionTable.groups.flatMap(\.operands) {
      page.item(Roff.italic(operand.form), operand.detail)
    }
  }

  private static func options(_ page: inout Roff) {
    page.section("OPTIONS")
    page.text(
      "The value of an option is the next word, or follows an equals sign (--count=5), or follows "
        + "the letter directly (-n5). Letters can be combined (-1j). Words after -- are not "
        + "options. --help and --version override everything else on the command line.")
    for group in OptionTable.groups {
      page.subsection(group.title)
      for option in group.options {
        page.item(option.roffForm, option.detail.isEmpty ? option.sentence : option.detail)
      }
    }
  }
}

extension Option {
  /// `-t, --timeout DUR` with the names in bold and the value in italics.
  fileprivate var roffForm: String {
    let letter = short.map { Roff.bold("-\($0)") + ", " } ?? ""
    return letter + Roff.bold("--\(long)") + (valueName.map { " " + Roff.italic($0) } ?? "")
  }

  fileprivate var sentence: String { summary.prefix(1).uppercased() + summary.dropFirst() + "." }
}

extension ManualPage {
  static func states(_ page: inout Roff) {
    page.section("STATES")
    page.text(
      "The link to gpsd has a state, and so has each receiver. Every transition is written as it "
        + "happens.")
    for (state, meaning) in stateMeanings { page.item(Roff.bold(state), meaning) }
  }

  private static let stateMeanings = [
    (
      "connecting",
      "gpsd has not answered yet; its answer can take 7 seconds while it opens a receiver."
    ),
    (
      "no-daemon",
      "gpsd cannot be reached, went away or is silent; retryIn is the number of seconds until the "
        + "next attempt to connect."
    ),
    ("no-device", "gpsd answers but has no receiver, or the receiver was removed."),
    ("searching", "The receiver reports, but has no position."),
    ("fix-2d", "A current position: latitude and longitude."),
    ("fix-3d", "A current position with a height."),
    (
      "lost",
      "The fix has ended: the receiver reports no position (reason: no-fix), reports nothing "
        + "(silence), or repeats the same time (stuck)."
    ),
  ]

  static func output(_ page: inout Roff) {
    page.section("OUTPUT")
    page.text(
      "Data goes to stdout, everything else to stderr. Unknown values are left out. Machine formats "
        + "use metres, metres per second, degrees and UTC, regardless of --units and the locale.")
    page.paragraph(
      "If a gpsd has several receivers, most records name theirs. Those of geo, nmea and owntracks, those "
        + "of csv and templates without device, and that of --once as text do not: then a warning on "
        + "stderr says so once, and --device chooses a receiver.")
    for (format, meaning) in formats { page.item(Roff.bold(format), meaning) }
    page.subsection("Fields of a fix")
    page.text(
      "A JSON record of type fix begins with type and, with --source, source. These members follow "
        + "in this order; most are also names for --format csv: and templates. unix, unixms, "
        + "maidenhead, utm, mgrs, speed:kn and speed:kmh are not in JSON. Most names are those of gpsd_json(5); "
        + "different are accuracy (gpsd's eph, or else epx and epy), quality (status), satsUsed and satsSeen "
        + "(which count satellites, while uSat and nSat count signals).")
    for field in FixField.allCases { page.item(Roff.bold(field.rawValue), field.meaning + ".") }
    page.item(
      Roff.bold("satellites"),
      "the signals in view, with --satellites, in JSON only. As in gpsd, a satellite has an element "
        + "for each of its signals: PRN, gnssid, svid, sigid, signal (the name of the signal, or its "
        + "number), el and az (elevation and azimuth, in degrees), ss (strength of the signal, in "
        + "dBHz), used, health, freqid (of GLONASS), qual (how well the signal is tracked, 0 to 7), pr, "
        + "prRate and prRes (the pseudorange, its rate and its residual, in metres and seconds).")
    page.paragraph(
      "satsUsed and satsSeen count satellites, signalsUsed and signalsSeen signals: a receiver for "
        + "two bands has two or three of a satellite. A satellite is used if one of its signals is. "
        + "Until gpsd has sent a list of them, its own numbers are taken for both, although most "
        + "receivers' are of signals.")
    page.subsection("Fields of a transition")
    for (field, meaning) in stateFields { page.item(Roff.bold(field), meaning) }
    page.subsection("Other changes")
    page.text(
      "What changes within a state is a record of its own type. It has a member of the same name with "
        + "the new value, previous, state (which does not change), device, time and received. A value that "
        + "is unknown is left out. A fix that says nothing of the antenna, its power or jamming has what "
        + "its receiver said last; a jam is forgotten after 30 s.")
    for (type, meaning) in changes { page.item(Roff.bold(type), meaning) }
    page.subsection("Fields of a report")
    page.text(
      "Each report of a class that --class names is a record of type report, whether or not fixes or "
        + "transitions are left out.")
    for (field, meaning) in reportFields { page.item(Roff.bold(field), meaning) }
  }

  private static let formats = [
    (
      "text",
      "One line per record, with its words separated by spaces: time, state and, for a fix, the "
        + "latitude, the longitude and, if it is 3D, the height above mean sea level; for a "
        + "transition, the receiver's path (a dash for the link to gpsd, or a receiver without a "
        + "name), the reason and, where a fix has ended, its time and position. Once gpsd has had more "
        + "than one receiver, each fix is followed by its height, or a dash, and its receiver's path. "
        + "The quality of a fix follows in parentheses, as in (rtk-fixed), where the receiver reports it. "
        + "A fix that is no longer current ends in (not current), and one at which the receiver's "
        + "clock jumped ends in (clock jumped N s). The time is the receiver's: that of the fix, or "
        + "that of the last fix plus the time that has passed since. Before the first fix with a "
        + "time, this machine's clock is used; connecting has a dash. With --once only the position "
        + "is written."
    ),
    (
      "text on a terminal",
      "Transitions scroll by, with the time of day in UTC. Below them is a live line for each "
        + "receiver, in the order in which they appeared, which is redrawn in place. On a narrow "
        + "terminal the least important parts are dropped first: the satellites, the speed, the "
        + "height, the quality, the accuracy. A simulated position is marked SIMULATED. A time followed by ago is the age of the position (shown from 2 s "
        + "on for a current one); a time after for is how long the state has lasted. After a loss "
        + "the last position stays, marked as such, until there is another or a new connection to "
        + "gpsd. With --count, with --once and in a replay at full speed, records are written as to "
        + "a pipe."
    ),
    (
      "json",
      "NDJSON: one record per line, of type fix, state or that of another change; with --class also of "
        + "type report and pps. --generate schema prints a JSON Schema of them."
    ),
    (
      "csv",
      "RFC 4180 with a header. The cell of an unknown value is empty. An apostrophe precedes a text "
        + "that a spreadsheet would run as a formula."
    ),
    (
      "gpx",
      "GPX 1.1: a track for each receiver, with a new segment after every loss. Of several receivers, "
        + "one track is written as it grows, and a replay writes the others after it, each as one up to "
        + "64 MiB of them. A live run writes another one after 16 KiB, about 60 points, and at its end: so "
        + "each receiver has stretches of a minute or more, none of which lacks a point, and kill -9 "
        + "loses what was not written. ele is the "
        + "height above mean sea level. fix is 2d, 3d, dgps (with RTK too) or pps, and src is the "
        + "quality; speed (in metres per second) and course are in Garmin's "
        + "TrackPointExtension v2. Every write to a file ends with the closing tags, so that "
        + "the file is valid whenever locwatch ends, also on a full disk. Only kill -9 in the "
        + "middle of a write can tear it: then replace what follows the last </trkpt> by "
        + "</trkseg></trk></gpx>. In a pipe, and in a file that is appended to, the closing tags "
        + "come at the end."
    ),
    (
      "geojson",
      "RFC 7946: a collection of points (longitude, latitude, height above the ellipsoid) with the "
        + "members of the JSON records as properties. A file is valid at any moment, as with gpx; if "
        + "kill -9 tears it, replace what follows the last }} by ]}."
    ),
    (
      "geojsonseq",
      "RFC 8142, for ogr2ogr, QGIS and DuckDB: a record separator and a Feature per line, with the "
        + "properties of geojson and source. After a loss, a Feature without a geometry has the state, "
        + "the time and the reason."
    ),
    (
      "geo",
      "RFC 5870: geo:48.118633333,11.517333333,592.3;u=24.7, where u is the "
        + "accuracy. A simulated position ends in ;quality=simulated."
    ),
    (
      "owntracks",
      "OwnTracks JSON, for its Recorder, Traccar and Home Assistant: a location per fix with a time, in "
        + "whole metres and km/h. tid is the end of the source's name or, once it has several receivers, of the "
        + "receiver's path. After a loss of the last position there is a message of "
        + "the type lwt, which stands for a device that has gone away."
    ),
    (
      "influx",
      "The line protocol of InfluxDB, in nanoseconds: measurement gps, tags source and device, the fields "
        + "of JSON, and state. A point with a state such as lost and no position ends a fix: "
        + "last(state) says whether last(lat) is current. In a tag, a backslash is \\u{5c}: servers "
        + "disagree on what two of them are."
    ),
    (
      "signalk",
      "Deltas of Signal K, one per line, for fixes that have a time and are current. $source is locwatch, a "
        + "dot, and the name of the source and the receiver's path, with _ for other characters than "
        + "letters, digits and hyphens: so receivers are told apart, and Signal K can prefer one. A value that "
        + "is no longer known is null; after a loss the position is, too, and methodQuality is no GPS."
    ),
    (
      "nmea",
      "NMEA 0183: GGA, GSA and RMC for each fix, and GSV where the satellites are new, with the talker GN "
        + "and CRLF. A fix that is not current is void (V, quality 0), and so are the sentences without "
        + "a position that follow a loss."
    ),
    (
      "prometheus",
      "Metrics for node_exporter's textfile collector, in the file that --output names. The series of a "
        + "position exist while it is current; locwatch_up, locwatch_receiver_state and "
        + "locwatch_fix_timestamp_seconds remain. At the end of a live run locwatch_up is 0, or the file is removed "
        + "if there is no room for that; after kill -9 the file stays as it was, so watch the time stamp. "
        + "The file is replaced as a whole, by one with its mode."
    ),
    (
      "template",
      "A text with a % in it. %NAME is a field of the list below (%sats is short for %satsUsed), %% "
        + "a percent sign, \\n a newline and \\t a tab; a newline follows each fix. A name ends "
        + "before the first character that is neither a letter nor a digit; put it in braces if "
        + "one of these follows: %{lat}N. %speed:kn and %speed:kmh are the speed in knots and in "
        + "kilometres per hour, %unix and %unixms the time since 1970 in seconds and milliseconds, and "
        + "%source is the name of the source. An unknown value is written as a dash."
    ),
  ]

  private static let changes = [
    ("quality", "the quality of the fixes, such as rtk-float after rtk-fixed."),
    (
      "antenna",
      "the antenna: ok, open (not connected) or short. The first state is written unless it is ok."
    ),
    (
      "jamming",
      "on or off. It is on from a jam of 100 until one below 50, or until there has been none for 30 "
        + "s, because gpsd leaves out a jam of 0."
    ),
    (
      "pps",
      "with --class PPS, the receiver's pulses per second: present at the first one, lost when there "
        + "was none for 3 s, or when the receiver or gpsd went away."
    ),
    ("selected", "with --best, the name of the source whose records follow."),
    (
      "region",
      "with --region, the name of the region. presence is inside, outside or unknown, and so is "
        + "previous; both are always written."
    ),
  ]

  private static let stateFields = [
    ("state", "the state, as listed above."),
    ("previous", "the state before it."),
    ("reason", "why, in a few words of gpsd, of the system or of locwatch."),
    ("device", "the receiver's path; absent for the link to gpsd."),
    ("lastFix", "the last fix that was current: its time, lat and lon."),
    ("retryIn", "seconds until the next attempt to connect."),
    ("lat, lon", "of a region record, the position at which it was entered or left."),
    (
      "time",
      "when it happened, by the receiver's clock: the time of the fix, else that of the last fix plus "
        + "the time since. Absent before the first time, and for the link to gpsd."
    ),
    ("received", "when it happened, by this machine's clock, UTC."),
    (
      "source",
      "in all types of records: the name of the source, if there are several, or if NAME=TARGET or "
        + "--source gives it."
    ),
  ]

  private static let reportFields = [
    ("class", "the class of the report, such as ATT."),
    ("device", "the path of the receiver or sensor, if gpsd names it."),
    ("received", "when this machine received the report, by its own clock, UTC."),
    (
      "offset",
      "of TOFF and PPS: the clock of gpsd's machine minus the receiver's time (clock minus real), in "
        + "seconds. It is positive if the clock is ahead."
    ),
    (
      "report",
      "the report as gpsd sent it, with its own units: see gpsd_json(5). Characters that are not "
        + "visible are escaped."
    ),
  ]
}

extension ManualPage {
  static func view(_ page: inout Roff) {
    page.section("VIEW")
    page.text(
      "--view shows one receiver on a full screen, live or from a recording, which is then replayed as "
        + "fast as it was recorded unless --speed is given. It needs a terminal. Its size decides what "
        + "is shown: below 60 columns or 14 rows there is no sky.")
    for (part, meaning) in viewParts { page.item(Roff.bold(part), meaning) }
    page.paragraph(
      "At the end of a recording, the view stays until q is pressed; with --count or --duration it "
        + "leaves when they are reached. Messages are shown at the bottom of the screen instead of on "
        + "stderr, if that is a terminal; what ended the run is written after the screen is left.")
  }

  private static let viewParts = [
    (
      "sky",
      "The satellites, with north up and east on the right. The circle is the horizon, the dotted ones "
        + "are 30 and 60 degrees above it. A satellite is the letter of its system and its number, as in "
        + "RINEX (G GPS, R GLONASS, E Galileo, C BeiDou, J QZSS, I NavIC, S SBAS), in upper case if it "
        + "is used. Where satellites are close together, some are shown as a letter alone."
    ),
    (
      "C/N0",
      "The strength of each satellite's strongest signal, in dBHz. Where there is no room for all, the "
        + "number of those left out follows a plus sign."
    ),
    (
      "scatter",
      "The positions of the last 10 minutes about their mean, at most one each second. A plus sign is the "
        + "last one. The text tells the radius of the circle, and how far from the mean half of the "
        + "positions are at the most."
    ),
    ("q, ctrl-C", "Leave. The exit status is 0 after q, 130 after ctrl-C."),
    (
      "Tab, arrows, 1 to 9", "Choose a receiver, if there are several."
    ),
    ("ctrl-L", "Draw the screen again."),
    ("ctrl-Z", "Stop, as usual. The screen comes back with fg."),
  ]

  /// The sections on recordings, variables, examples and other pages.
  static func surroundings(_ page: inout Roff) {
    page.section("ENVIRONMENT")
    page.item(
      Roff.bold("GPSD_UNITS"),
      "metric, imperial or nautical: the units of the live lines on a terminal and of the view, "
        + "unless --units is given.")
    page.item(
      "\(Roff.bold("NO_COLOR")), \(Roff.bold("TERM"))",
      "There is no colour if NO_COLOR is not empty or TERM is dumb; --color overrides both.")
    page.item(
      Roff.bold("COLORTERM"),
      "If it is set, or TERM contains 256, the view has a colour for each satellite system.")
    page.item(
      "\(Roff.bold("LC_ALL")), \(Roff.bold("LC_CTYPE")), \(Roff.bold("LANG"))",
      "Whether the terminal shows UTF-8. The locale changes nothing else: the decimal separator is "
        + "always a point.")
    page.item(
      "\(Roff.bold("PATH")), \(Roff.bold("TMPDIR"))",
      "Where the private gpsd is looked for, before the system's sbin directories, and where its "
        + "control socket is created.")
    page.section("FILES")
    page.text(
      "A recording consists of lines of JSON: those of gpsd, byte for byte except for passwords in URLs, "
        + "and between them lines "
        + "of locwatch with the seconds since the start:")
    page.example([#"{"class":"LOCWATCH","t":12.345}"#])
    page.paragraph(
      "The last line is one of these, and says when the recording ended. A line of gpsd that looks like "
        + "one of these follows a line with \"verbatim\":1. Lines that a full "
        + "disk kept out of a folder of recordings are counted in the first time stamp after the gap, as in "
        + "\"lost\":7. A file of a folder has a number and the time of its first line as its name, such as "
        + "000007-2026-11-20T070450.120Z.jsonl. The number is one more than the highest in the folder, and the "
        + "files are replayed in the order of their numbers, whatever the clock was set to. Files "
        + "without a number, as those of locwatch 0.2 are, come first, in the order of their names. "
        + "If a file is removed during a recording, the recording continues in a new one, or in one of the same "
        + "name if it is not in a folder. If the end of a file is torn, its last line alone is lost. "
        + "gpscsv and gpsprof can read a recording, too.")
    page.paragraph(
      "What gpspipe -w writes can be replayed as well. It does not say when a line came, so the time of the "
        + "recording follows that of the receivers' positions. A receiver's clock that is set back, or "
        + "forward by more than half a day, takes no time.")
    page.paragraph(
      "What a receiver sent is known by its first bytes (NMEA, UBX), by the ending of its name, or by the "
        + "three lines with which gpsd greets gpspipe -r and gpspipe -R. It can also come from stdin, as in "
        + "\"gzip -dc clean.nmea.gz | locwatch --replay -\", except with --view and behind other files."
    )
    page.paragraph(
      "Files of a folder that look like recordings and are not read are named on stderr, with what to do: "
        + "compressed ones, those whose name does not end in .jsonl, and what a receiver sent. The others are "
        + "replayed, and the status is 0.")
    page.paragraph(
      "A replay counts and skips damaged lines. If "
        + "a file contains no gpsd report, the replay ends with status 65 and a message that names "
        + "the kind of file, if known. Output begins at the first report from a receiver.")
    page.paragraph(
      "A file or folder can contain runs of one source and runs of several. All are replayed, and those of one "
        + "source have no name in their records, or that of --source. Of a pipe, the first lines decide: if it "
        + "begins with a run of one source, and one of several follows, the replay ends there with status 65. "
        + "--view, --report and prometheus need a recording of a single source. Of more than 8,192 sources, "
        + "the lines of the others are left out and counted.")
    page.item(
      Roff.bold("locwatch@.service"),
      "A systemd unit of the Debian package that records a gpsd all the time: \"systemctl enable "
        + "--now locwatch@localhost\", or locwatch@boat.example:2947. Recordings are below "
        + "/var/lib/locwatch, and stay when the package is purged. Transitions are in the journal.")
    page.section("EXAMPLES")
    for example in Examples.all { page.item(Roff.bold(example.command), example.purpose) }
    page.section("SEE ALSO")
    let pages = [
      ("cgps", 1), ("gpsctl", 1), ("gpscsv", 1), ("gpspipe", 1), ("gpsd_json", 5),
      ("locwatch-recipes", 7), ("gpsd", 8),
    ]
    page.raw(pages.map { "\(Roff.bold($0.0))(\($0.1))" }.joined(separator: ",\n"))
  }
}
