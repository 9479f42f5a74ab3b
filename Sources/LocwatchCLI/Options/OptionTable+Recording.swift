import GPSDLocation
import LocwatchSystem

extension OptionTable {
  static let recording = OptionGroup(
    title: "Recording and replay",
    options: [
      .file(nil, .record, "also write gpsd's reports to FILE, or to files in DIR/") {
        $0.record = $1
      },
      .value(nil, .rotate, "SIZE|DUR", "begin a new file in DIR/ after this (each UTC day)") {
        options, text throws(UsageError) in
        options.rotation = try OptionValues.rotation(text)
      },
      .value(nil, .keep, "AGE|SIZE", "keep this much of DIR/, such as 30d or 2G (all)") {
        options, text throws(UsageError) in
        options.keep = try OptionValues.keep(text)
      },
      .file(
        nil, .replay, "[NAME=]FILE", "read a recording or a receiver's log; - is stdin"
      ) { options, argument throws(UsageError) in
        let (name, path) = try OptionValues.recording(argument)
        if let name { try options.nameRecording(name) }
        options.replays.append(path)
      },
      .value(nil, .from, "WHEN", "replay from this time on") { options, text throws(UsageError) in
        options.range.from = try OptionValues.when(text)
      },
      .value(nil, .to, "WHEN", "replay up to this time") { options, text throws(UsageError) in
        options.range.to = try OptionValues.when(text, isEnd: true)
      },
      .value(
        nil, .speed, "X|max", completion: .words(["1", "max"]),
        "replay X times as fast as recorded (max; --view: 1)"
      ) { options, text throws(UsageError) in
        options.speed = try OptionValues.speed(text)
      },
      .file(nil, .report, "at the end, write a report: FILE.html, .json or .txt") {
        options, path throws(UsageError) in
        options.report = try ReportFile(path)
      },
      .value(nil, .reference, "LAT,LON[,HAE]", "the true position, for --report") {
        options, text throws(UsageError) in
        options.reference = try OptionValues.reference(text)
      },
      .value(nil, .stop, "RADIUS,DUR", "what counts as a stop, for reports and legs (50,2m)") {
        options, text throws(UsageError) in
        options.stop = try OptionValues.stop(text)
      },
    ])
}
