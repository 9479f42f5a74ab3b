import DaemonHarness
import Foundation
import GPSDLocation
import ReceiverRecordings
import SimulatedReceiver
import Testing

/// What a receiver sent, through a private gpsd. Faults 66, 74, 83 and 99.
@Suite(.serialized, .needsGPSD, .timeLimit(.minutes(3)))
struct `A replay of what a receiver sent` {
  /// The sentences of a simulated receiver.
  private func log(of epochs: Int, year: Int = 2026) throws -> String {
    var scenario = Scenario.quick(Phase(1, .threeDimensional), route: .driving)
    scenario.start = ReceiverTime(year: year, month: 11, day: 20, hour: 7, minute: 5)
    return (0..<epochs).compactMap { scenario.epoch(at: $0) }
      .flatMap { epoch in SentenceKind.allCases.flatMap { NMEASentence.sentences($0, of: epoch) } }
      .map { "\($0.text)\r\n" }.joined()
  }

  @Test func `has every fix, and the name of the file`() async throws {
    let file = try TemporaryFile(Array(try log(of: 300).utf8))
    let result = try await Locwatch.run("-j", "--no-events", "--replay", file.path)
    #expect(result.status == .exited(0), "\(result.errors)")
    let fixes = try Transcript.records(in: result.output)
    #expect(fixes.count == 300)
    #expect(Set(fixes.map(\.time)).count == 300)
    #expect(Set(fixes.map(\.device)) == [file.path])
    // The same each time, although each has another port.
    let again = try await Locwatch.run("-j", "--no-events", "--replay", file.path)
    #expect(again == result)
  }

  /// Every gpsd dates this later by 1,024 weeks.
  @Test(arguments: [2005, 2012])
  func `from before 2017 has the dates of the log`(year: Int) async throws {
    let file = try TemporaryFile(Array(try log(of: 30, year: year).utf8))
    let result = try await Locwatch.run("-f", "%time", "--no-events", "--replay", file.path)
    #expect(result.status == .exited(0))
    let days = result.output.split(separator: "\n").map { $0.prefix(10) }
    #expect(days.count == 30 && Set(days) == ["\(year)-11-20"])
    #expect(
      result.errors
        == "locwatch: \(file.path): gpsd's dates are a multiple of 1,024 weeks too late; those of the log are used\n"
    )
  }

  @Test(
    .enabled(if: Recordings.folder != nil, "\(Recordings.whySkipped)"),
    // gpsd 3.22 reads only the year of the date in this log's comment, and then counts a different number of weeks.
    arguments: ReceiverLog.handful.filter { $0.name != "sirfstarv" })
  func `has the fixes that gpsd reported of it`(log: ReceiverLog) async throws {
    func fixes(of path: String) async throws -> [String] {
      let run = try await Locwatch.run(["-f", "%lat %lon %time", "--replay", path])
      #expect(run.status == .exited(0))
      // The dates of old logs are not those of gpsd.
      return run.output.split(separator: "\n").map { line in
        line.split(separator: " ").map { word in
          word.hasSuffix("Z") ? String(word.drop { $0 != "T" }) : String(word)
        }.joined(separator: " ")
      }
    }
    #expect(try await fixes(of: log.file.path) == fixes(of: log.recording.path))
  }

  @Test func `has every fix of a stream, and of what gpspipe -r and -R write`() async throws {
    let log = try log(of: 300)
    let greeting =
      #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#
      + "\r\n" + #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a"}]}"# + "\r\n"
      + #"{"class":"WATCH","enable":true,"json":false,"nmea":true,"raw":0}"# + "\r\n"
    let file = try TemporaryFile(Array((greeting + log).utf8))
    let arguments = ["-f", "%time %lat %lon", "--replay"]
    let result = try await Locwatch.run(arguments + [file.path])
    #expect(result.status == .exited(0), "\(result.errors)")
    #expect(result.output.split(separator: "\n").count == 300)
    for text in [log, greeting + log, "# comment\n" + log] {
      let locwatch = try Locwatch.start(arguments + ["-"], input: .pipe)
      var rest = text[...]
      while !rest.isEmpty {
        try await locwatch.write(String(rest.prefix(5000)))
        rest = rest.dropFirst(5000)
      }
      locwatch.closeInput()
      #expect(try await locwatch.waitForExit() == .exited(0), "\(locwatch.errors.text)")
      #expect(locwatch.output.text == result.output)
      #expect(locwatch.errors.text == "")
    }
  }

  @Test func `ends with --count, and leaves no gpsd behind`() async throws {
    let file = try TemporaryFile(Array(try log(of: 2000).utf8))
    let result = try await Locwatch.run("-f", "%lat %lon", "-n", "3", "--replay", file.path)
    #expect(result.status == .exited(0))
    #expect(result.output.split(separator: "\n").count == 3)
  }

  /// The gpsd of a locwatch, which is a child of its only child.
  private func daemon(of locwatch: ChildProcess) throws -> pid_t? {
    let all = try ProcessTable.identifiers()
    func children(of parent: pid_t) -> [pid_t] {
      all.filter { ProcessTable.parent(of: $0) == parent }
    }
    return children(of: locwatch.identifier).flatMap(children).first {
      ProcessTable.arguments(of: $0).first?.hasSuffix("gpsd") == true
    }
  }

  /// Starts a replay that takes long, and waits for its first fixes.
  private func startLongReplay(
    _ arguments: String..., of file: TemporaryFile
  ) async throws -> (locwatch: ChildProcess, daemon: pid_t) {
    let locwatch = try Locwatch.start(["-j", "--no-events", "--replay", file.path] + arguments)
    try await waitUntil("fixes") { locwatch.output.lines.count > 10 }
    return (locwatch, try #require(try daemon(of: locwatch)))
  }

  /// Asserts that a replay of this many bytes ended before its end, and says so.
  private func expectIncomplete(
    _ locwatch: ChildProcess, _ file: TemporaryFile, size: Int, reason: String
  ) throws {
    let message = locwatch.errors.text
    let start = "locwatch: \(file.path): \(reason), after "
    let end = " of \(size) bytes: the output is incomplete\n"
    #expect(message.hasPrefix(start) && message.hasSuffix(end), "\(message)")
    let count = Int(message.dropFirst(start.count).dropLast(end.count))
    #expect(count.map { (1..<size).contains($0) } == true)
    let fixes = try locwatch.output.records()
    #expect(fixes.count < 20_000 && fixes.allSatisfy { $0.isFix })
  }

  @Test func `that loses its gpsd says that it is incomplete, and still reports`() async throws {
    let log = Array(try log(of: 20_000).utf8)
    let file = try TemporaryFile(log)
    let report = try TemporaryFile(ending: ".json")
    let (locwatch, daemon) = try await startLongReplay("--report", report.path, of: file)
    kill(daemon, SIGKILL)
    #expect(try await locwatch.waitForExit() == .exited(69))
    try expectIncomplete(locwatch, file, size: log.count, reason: "gpsd went away")
    #expect(report.text.contains(#""fixes":\#(try locwatch.output.records().count)"#))
  }

  @Test(.takesLong) func `whose gpsd stops is given up after 20 s`() async throws {
    let log = Array(try log(of: 20_000).utf8)
    let file = try TemporaryFile(log)
    let (locwatch, daemon) = try await startLongReplay(of: file)
    kill(daemon, SIGSTOP)
    #expect(try await locwatch.waitForExit(timeout: .seconds(60)) == .exited(69))
    try expectIncomplete(
      locwatch, file, size: log.count, reason: "gpsd has not answered for 20 s")
  }

  /// The program that is run as gpsd lets a stranger connect before gpsd does.
  @Test func `gives nothing to a stranger who connects first, and has every fix`() async throws {
    let file = try TemporaryFile(Array(try log(of: 300).utf8))
    let stranger = """
      import os, socket, sys
      os.setsid()
      peer = socket.create_connection(("127.0.0.1", int(sys.argv[1].rpartition(":")[2])))
      os.close(int(sys.argv[3]))
      with open(sys.argv[2], "wb") as file:
        file.write(b"got " + peer.recv(1000))
      """
    let folder = try TemporaryFolder()
    try folder.write(stranger, to: "stranger.py")
    // gpsd starts when the stranger closes the pipe.
    let script = """
      #!/bin/bash
      for path; do :; done
      exec 9< <(exec python3 \(folder.path)/stranger.py "$path" \(folder.path)/got 1 3<&- 4<&-)
      cat <&9
      exec /usr/sbin/gpsd "$@" 9<&-
      """
    try folder.write(script + "\n", to: "gpsd", mode: 0o755)
    let result = try await Locwatch.run(
      ["-j", "--no-events", "--replay", file.path],
      environment: ["PATH": folder.path + ":/usr/bin:/bin"], timeout: .seconds(60))
    #expect(result.status == .exited(0), "\(result.errors)")
    #expect(try Transcript.records(in: result.output).count == 300)
    // The stranger may end later.
    try await waitUntil("what the stranger got") {
      folder.text(of: "got")?.isEmpty == false
    }
    #expect(folder.text(of: "got") == "got ")
  }

  @Test(arguments: ["bin", "log"])
  func `that has nothing of a receiver is an error`(ending: String) async throws {
    let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)
    let file = try TemporaryFile(bytes, ending: ".\(ending)")
    let message = "locwatch: \(file.path): gpsd finds no receiver's data in it\n"
    for format in ["json", "gpx"] {
      #expect(
        try await Locwatch.run("-f", format, "--replay", file.path)
          == .init(status: .exited(65), output: "", errors: message))
    }
  }
}
