import LocationText

/// The text of `--help`, in 80 columns.
package enum HelpPage {
  package static var text: String {
    var page = """
      Usage: locwatch [OPTIONS] [[NAME=]TARGET...]

      Print the position that gpsd reports, and every change of its state.

      """
    for group in OptionTable.groups {
      page += "\n\(group.title):\n"
      for operand in group.operands { page += entry(operand.form, operand.summary) }
      for option in group.options { page += entry(option.form, option.summary) }
    }
    page += "\nExit status:\n"
    for status in ExitStatusTable.rows { page += entry(status.numbers, status.summary) }
    page += "\nExamples:\n"
    for example in Examples.all.prefix(4) {
      page += "  \(example.command)\n      \(example.purpose)\n"
    }
    return page + "\nMore: man locwatch, or locwatch --generate man | man -l -\n"
  }

  private static let column = 26

  private static func entry(_ name: String, _ summary: String) -> String {
    let lines = summary.wrapped(to: 79 - column)
    var entry = "  \(name)".padded(to: column)
    if name.count + 4 > column { entry += "\n" + "".padded(to: column) }
    return entry + lines.joined(separator: "\n" + "".padded(to: column)) + "\n"
  }
}

extension Option {
  /// `-t, --timeout DUR`, indented if there is no short name.
  fileprivate var form: String {
    (short.map { "-\($0), " } ?? "    ") + "--\(long)" + (valueName.map { " \($0)" } ?? "")
  }
}

/// The meanings of the exit statuses.
enum ExitStatusTable {
  /// The number, a short text for the help, and a sentence for the manual page.
  static let rows: [(numbers: String, summary: String, detail: String)] = [
    (
      "0", "the requested output was written",
      "The requested output was written, --duration passed, a replay without --count ended, or the "
        + "reader of stdout closed it. With --doctor, all is well."
    ),
    (
      "1", "an internal error in locwatch; with --doctor: something is wrong",
      "An internal error in locwatch. With --doctor, something is wrong."
    ),
    (
      "2", "with --doctor: something may be wrong",
      "With --doctor, nothing is known to be wrong, but not everything could be seen."
    ),
    ("64", "the command line is invalid", "The command line is invalid."),
    (
      "65", "the replay file is neither gpsd JSON nor a receiver's log",
      "The replay file is neither gpsd JSON nor what a receiver sent (NMEA, UBX and others), or gpsd finds "
        + "nothing of a receiver in it."
    ),
    (
      "66", "the replay file or the serial device cannot be opened",
      "The replay file or the serial device cannot be opened."
    ),
    (
      "69", "gpsd cannot be reached or started, or lacks the receiver (see --no-reconnect)",
      "gpsd cannot be reached or started, did not answer in time, went away (with --no-reconnect), "
        + "or does not serve the receiver; or the gpsd that reads what a receiver sent ended before it "
        + "had read all, and the output is incomplete; or the recording has no receiver with the path of "
        + "--device. A gpsd that has no receiver at all is waited for; with --reconnect, so is one that cannot be "
        + "reached."
    ),
    (
      "73, 74", "an output file cannot be created, or written",
      "An output file cannot be created (73), or written (74)."
    ),
    (
      "124", "the timeout passed without a suitable fix",
      "gpsd answered but no suitable fix came before the timeout, or a replay ended before the "
        + "requested fixes."
    ),
    (
      "129, 130, 143", "ended by SIGHUP, SIGINT, SIGTERM",
      "Ended by SIGHUP, SIGINT or SIGTERM. Files are complete, and the terminal is restored. A "
        + "second signal changes nothing: locwatch ends within 0.8 s. A signal that the parent "
        + "process ignores, as under nohup, is ignored."
    ),
  ]
}

/// Example command lines.
enum Examples {
  static let all: [(command: String, purpose: String)] = [
    ("locwatch /dev/ttyACM0", "Watch a receiver that is plugged in; Ctrl-C ends it."),
    ("locwatch", "Watch the local gpsd."),
    ("locwatch -1 -t 60", "Print the position once, within a minute: latitude longitude height."),
    ("locwatch -j --no-events gps.example | jq .lat", "Follow another machine's receiver."),
    (
      "locwatch -1 --fix 3d --accuracy 50 | while read -r lat lon alt; do echo \"$lat,$lon\"; done",
      "Read a good position into shell variables."
    ),
    (
      "locwatch -1 -t 30 -f csv:time,lat,lon,altMSL >> fixes.csv 2>> fixes.log",
      "Append the position, as a line of crontab(5) after * * * * *. The header is written once; fixes.log says why a "
        + "line is missing. Runs that overlap do not disturb each other."
    ),
    ("locwatch -f gpx > track.gpx", "Record a track; the file is valid at any moment."),
    (
      "locwatch -f '%time %lat %lon %speed' -i 10s",
      "Write lines in a format of your own, one every 10 seconds."
    ),
    ("locwatch -f gpx -o legs/", "Write a track for each leg of a trip."),
    ("locwatch --record drive.jsonl", "Record everything that gpsd reports while watching."),
    (
      "locwatch --record days/ --keep 30d",
      "Record each day, and keep a month. The slash makes it a folder."
    ),
    (
      "locwatch --replay days/ --from 2026-05-01 --to 2026-05-01 --report day.html",
      "Make a page of one of these days."
    ),
    ("locwatch --replay drive.jsonl --view", "Watch a recording on the screen."),
    ("locwatch --replay drive.jsonl -f csv > drive.csv", "Turn a recording into a table."),
    (
      "locwatch --replay drive.jsonl --report -",
      "Show how widely the fixes scatter, and when there were none."
    ),
    (
      "locwatch --events --region home=48.1497,11.5848,200",
      "Report when the receiver comes home, and when it leaves."
    ),
    (
      "locwatch --events --believed --region anchor=54.3323,10.1519,40,20s",
      "Report when a boat drags its anchor. No single fix sets it off."
    ),
    ("locwatch bow=10.0.0.1 stern=10.0.0.2", "Watch several receivers."),
    ("locwatch --best bow=10.0.0.1 stern=10.0.0.2", "Watch the best of several receivers."),
    ("locwatch tcp://phone.example:10110", "Read a phone that sends NMEA."),
    (
      "locwatch /dev/ttyACM0 --corrections ntrip://caster.example/MOUNT",
      "Give a receiver corrections from a caster (RTK)."
    ),
    (
      "locwatch --replay drive.jsonl --quality rtk-fixed --report rtk.html",
      "Show how widely the RTK-fixed fixes scatter, on a page."
    ),
    (
      "locwatch /dev/ttyUSB0",
      "Read a serial receiver, with a gpsd of its own unless one serves it."
    ),
  ]
}
