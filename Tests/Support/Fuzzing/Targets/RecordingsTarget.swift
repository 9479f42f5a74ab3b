import GPSDLocation
import LocationCore
import LocationTestKit
import LocwatchCLI
import LocwatchSystem

/// Folders of recordings, replayed by the command's own code: runs of one source and of several in any
/// order, in one file or in many, with files that are empty or end in the middle of a line, and clocks
/// that were set back. Each report of a neighbour is one fix.
package struct RecordingsTarget: FuzzTarget {
  private static let sources = [[], [], ["bow", "stern"], ["bow"], ["stern", "mast", "bow"]]

  package init() {}

  package func round(seed: UInt64, into tally: inout FuzzTally) async throws -> String? {
    var random = SeededRandom(seed: seed)
    let isOdd = seed % 2 == 1
    let runs = runs(isOdd: isOdd, &random)
    let isNumbered = random.happens(onceIn: 2)
    tally.lines += runs.reduce(0) { $0 + $1.lines }
    let folder = try FuzzFolder()
    try folder.makeFolder("replay")
    try write(runs, to: folder, isNumbered: isNumbered, &random)
    var arguments = ["--replay", folder.path("replay"), "--quiet", "--json"]
    arguments += ["-o", folder.path("out")]
    let form = random.pick(["html", "json", "txt"])
    // There is a report only for a single source.
    let isReported = runs.flatMap(\.neighbours).allSatisfy { $0.source == nil }
    if isReported, random.happens(onceIn: 2) {
      arguments += ["--report", folder.path("report.\(form)")]
    }
    let options = try Options(arguments: arguments.map(Argument.init), environment: [:])
    let status = try LoopRun.result { loop in
      await Run(options, log: Log(options), environment: [:], loop: loop) {
        RecordedSession(lines: [])
      }.perform()
    }
    var expected: [String: NeighbourRecords.Expected] = [:]
    for (neighbour, source) in runs.flatMap(\.neighbours) {
      expected[neighbour.path] = .init(source: source, count: neighbour.count)
      tally.checks += neighbour.count
    }
    let count = expected.values.reduce(0) { $0 + $1.count }
    guard status == .success || count == 0 else { return "it ended with \(status)" }
    // Without numbers, the names of the files are times, which were set back.
    var records = NeighbourRecords(expected, isOrdered: isNumbered || !isOdd)
    return records.complaint(about: folder.read("out"))
      ?? complaint(aboutReport: folder.read("report.\(form)"), form)
  }

  private func runs(isOdd: Bool, _ random: inout SeededRandom) -> [RecordedRun] {
    var runs: [RecordedRun] = []
    var start = Timestamp(secondsSince1970: 1_700_000_000)
    for number in 0..<Int.random(in: 1...4, using: &random) {
      let run = RecordedRun(
        "run\(number)", of: random.pick(Self.sources), from: start, isOdd: isOdd, &random)
      runs.append(run)
      let pause = Duration.seconds(Int.random(in: 1...100_000, using: &random))
      start = run.end.advanced(by: pause)
      // A machine without a battery for its clock begins in another year.
      if isOdd, random.happens(onceIn: 4) {
        start = Timestamp(secondsSince1970: random.pick([0, 1_600_000_000, 1_699_999_990]))
      }
    }
    return runs
  }

  /// Writes the files of the runs; now and then, one is appended to the one before.
  ///
  /// - Parameter isNumbered: Whether the names begin with numbers, as they do since 0.3.
  private func write(
    _ runs: [RecordedRun], to folder: FuzzFolder, isNumbered: Bool, _ random: inout SeededRandom
  ) throws {
    var files: [(name: String, bytes: [UInt8])] = []
    for file in runs.flatMap(\.files) {
      if let last = files.last, random.happens(onceIn: 4) {
        files[files.count - 1].bytes = last.bytes + file.bytes
      } else {
        let number = isNumbered ? files.count + 1 : nil
        files.append((name(for: file.start, number, besides: files.map(\.name)), file.bytes))
      }
    }
    for index in files.indices {
      if random.happens(onceIn: 8) {
        files[index].bytes += #"{"class":"TPV","device":"/dev/to"#.utf8
      }
      // A file that is being written, or that a crash left, has not got its final name.
      let isPart = random.happens(onceIn: 8)
      try folder.write(
        files[index].bytes, to: "replay/\(files[index].name)\(isPart ? ".part" : "")")
    }
    if let last = files.last, random.happens(onceIn: 6) {
      try folder.write([], to: "replay/\(last.name.dropLast(6))-empty.jsonl")
    }
  }

  /// Returns the name that locwatch gives a file: its number and its first moment, or the next
  /// millisecond that is free.
  private func name(for start: Timestamp, _ number: Int?, besides names: [String]) -> String {
    var start = start
    while true {
      let name = start.description.filter { $0 != ":" } + ".jsonl"
      if let number { return "\(1_000_000 + number)-\(name)" }
      if !names.contains(name) { return name }
      start = start.advanced(by: .milliseconds(1))
    }
  }

  private func complaint(aboutReport bytes: [UInt8], _ form: String) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    if text.isEmpty { return nil }
    switch form {
    case "html": return ReportCheck.complaint(aboutPage: text)
    case "json": return ReportCheck.complaint(aboutJSON: text)
    default: return ReportCheck.complaint(aboutText: text)
    }
  }
}
