import GPSDLocation
import LocwatchSystem

extension OptionTable {
  static let recording = OptionGroup(
    title: "Recording and replay",
    options: [
      .file(
        nil, .record, "also append gpsd's reports to FILE, or to files in DIR/",
        "Also write gpsd's reports to FILE, byte for byte, with the times when they were received. Only "
          + "the user and password in a URL, such as ntrip://user:password@host/mount, are replaced by "
          + "asterisks. "
          + "If FILE is a recording already, it is appended to, and both replay as one; any other "
          + "file that is not empty is refused. With - the reports go to stdout, in place of the "
          + "output. A folder, DIR/, gets a new file at each start and each day of UTC, named by its number "
          + "and its first moment. Those that are finished are compressed. A full disk does not end a recording there: it resumes when there is room, and "
          + "notes how many lines were lost."
      ) { $0.record = $1 },
      .value(
        nil, .rotate, "SIZE|DUR", "begin a new file in DIR/ after this (default: each UTC day)",
        "Begin a new file in the folder of --record after this size, such as 10M (K, M and G are 1000, "
          + "1000000 and 1000000000 bytes), or this time, such as 1h, instead of each day of UTC."
      ) { options, text throws(UsageError) in
        options.rotation = try OptionValues.rotation(text)
      },
      .value(
        nil, .keep, "AGE|SIZE", "keep this much of DIR/, such as 30d or 2G (default: all)",
        "Keep recordings in the folder of --record for this time after their end, such as 30d, or as many "
          + "of the latest as have this size together, such as 2G, and remove older ones. The age is by the "
          + "receivers' dates in the recordings, and by what was recorded since; no clock has a part in it. See "
          + "FILES. The one that is "
          + "being written is never removed, nor is a file whose name is not one that locwatch gives. What is "
          + "removed is reported. A file "
          + "ends when it has an eighth of AGE or SIZE, if it has not ended before."
      ) { options, text throws(UsageError) in
        options.keep = try OptionValues.keep(text)
      },
      .file(
        nil, .replay,
        "read a recording, gpsd JSON, or what a receiver sent; - is stdin",
        "Read a recording, or gpsd JSON as gpspipe -w writes it, instead of a gpsd; - is stdin. It "
          + "may be compressed by gzip. "
          + "If given several times, the files are replayed in that order as one recording; those of a "
          + "folder in the order of their numbers. Raw logs of a receiver (NMEA, UBX, the output of gpspipe -r or -R, "
          + "and files ending in .log, .raw, .bin, .sbf or .tsip) are decoded by a private gpsd first. A "
          + "replay runs on the recording's clock, so the same recording always gives the same "
          + "output."
      ) { $0.replays.append($1) },
      .value(
        nil, .from, "WHEN", "replay from this time on",
        "Replay from WHEN on: a time such as 2026-05-01T09:30:00Z (with a zone such as +02:00, or in UTC), a "
          + "date, or a time of day in UTC such as 9:30, of the recording's first day. What is before it is read, "
          + "and not written; the first records tell the states at WHEN. The times are those at which the lines "
          + "were received or, in a recording without them, those of the reports. Files of a folder that are "
          + "outside of the range are not read. If the recording has nothing in it, the status is 65. 24:00 is the end of a day."
      ) { options, text throws(UsageError) in
        options.range.from = try OptionValues.when(text)
      },
      .value(
        nil, .to, "WHEN", "replay up to this time",
        "Replay up to WHEN, in the forms of --from. What was received at WHEN is not replayed, but a date is "
          + "all of that day. If both are times of day and this one is not the later, it is of the next day: "
          + "--from 23:00 --to 1:00 is a night."
      ) { options, text throws(UsageError) in
        options.range.to = try OptionValues.when(text, isEnd: true)
      },
      .value(
        nil, .speed, "X|max", completion: .words(["1", "max"]),
        "replay X times as fast as recorded (max; 1 with --view)",
        "Replay X times as fast as recorded, where X is 0.001 to 1000000. The default is max, "
          + "which is as fast as possible, and 1 with --view, where keys change it."
      ) { options, text throws(UsageError) in
        options.speed = try OptionValues.speed(text)
      },
      .file(
        nil, .report, "at the end, write accuracy and outages to FILE.html, .json or .txt",
        "At the end, write statistics of each receiver to FILE: how widely its fixes scatter (CEP50, "
          + "R95, R99, DRMS, VEP, SEP, MRSE, the 95 % ellipse), how long it was in each state, its "
          + "first fix and its outages. The ending of FILE tells the form: .html is a page with figures "
          + "that needs neither a script nor the network, .json and .txt have the same numbers; with "
          + "- the text goes to stdout, in place of the output. A replay also prints the text, unless "
          + "records are asked for, as with --format or --events. See REPORT. FILE is replaced as a whole, by "
          + "one with its mode; if it is a pipe, a live run waits for its reader for 2 seconds at the most. "
          + "SIGUSR1 writes it at once, and the run goes on."
      ) { options, path throws(UsageError) in
        options.report = try ReportFile(path)
      },
      .value(
        nil, .every, "DUR", "also write the report every DUR, while the run goes on",
        "Also write the report at the beginning and every DUR, such as 30s, while the run goes on. A page then "
          + "says when it was written, and asks the browser to load it again after DUR, so that any web server can "
          + "show it: FILE is replaced as a whole."
      ) { options, text throws(UsageError) in
        let interval = try OptionValues.duration(text)
        guard interval >= .seconds(1) else { throw UsageError("must be at least a second") }
        options.reportInterval = interval
      },
      .value(
        nil, .reference, "LAT,LON[,HAE]", "the true position, for --report",
        "Take the deviations in the report from this position instead of from the mean: degrees, and "
          + "the height above the ellipsoid in metres."
      ) { options, text throws(UsageError) in
        options.reference = try OptionValues.reference(text)
      },
      .value(
        nil, .stop, "RADIUS,DUR", "what is a stop, for --report and --output DIR/ (50,2m)",
        "Take it for a stop if a receiver stands for DUR, such as 5m, and for a leg if it goes farther than one and a "
          + "half times RADIUS, in metres, from where it stood. The default is 50,2m. A courier may want less, a boat "
          + "at a long chain more."
      ) { options, text throws(UsageError) in
        options.stop = try OptionValues.stop(text)
      },
    ])
}
