import EventLoop
import GPSDLocation
import LocationCore
import LocationTestKit
import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem

/// A whole run of the command in this process: its output in a file, its messages, and its status.
struct CommandRun {
  let status: LocwatchSystem.ExitStatus
  /// The text of the output; `nil` if none was made.
  let output: String?
  /// The lines on standard error, without the command's name.
  let messages: [String]

  /// - Parameters:
  ///   - arguments: The command line without the output.
  ///   - live: What each gpsd sends.
  init(
    _ arguments: [String], in folder: TemporaryFolder, live: [String] = [],
    output: String? = "out"
  ) async throws {
    let arguments = arguments + (output.map { ["-o", "\(folder.path)/\($0)"] } ?? [])
    let options = try Options(arguments: arguments, environment: [:])
    let pipe = try PipeEnds()
    let loop = try #require(EventLoop.shared)
    let run = Run(
      options, log: Log(options, to: pipe.descriptor), environment: [:], loop: loop
    ) { RecordedSession(lines: live) }
    status = await Task(executorPreference: loop) { [run] in await run.perform() }.value
    // A pipe is read by the test.
    self.output = output == "pipe" ? nil : output.flatMap { folder.text(of: $0) }
    messages = String(decoding: pipe.readAll(), as: UTF8.self).split(separator: "\n").map {
      String($0.trimmingPrefix("locwatch: "))
    }
  }
}

/// Lines of gpsd, and of recordings.
enum RunLines {
  static let version =
    #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#
  static let devices =
    #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a","driver":"NMEA0183"}]}"#

  static func fix(_ second: Int, device: String = "/dev/a") -> String {
    #"{"class":"TPV","device":"\#(device)","mode":3,"time":"2026-11-20T07:05:0\#(second).000Z","#
      + #""lat":48.5,"lon":11.25,"altHAE":592,"altMSL":545,"speed":1,"track":84,"climb":0,"#
      + #""epx":14,"epy":20,"eph":20,"epv":48}"#
  }

  static func stamp(_ seconds: Int, of source: String) -> String {
    #"{"class":"LOCWATCH","t":\#(seconds).000,"source":"\#(source)"}"#
  }

  static func text(_ lines: [String]) -> String { lines.map { $0 + "\r\n" }.joined() }
}
