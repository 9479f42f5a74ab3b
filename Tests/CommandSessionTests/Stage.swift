import Foundation
import LocwatchTerminalTestSupport
import LocwatchTestSupport
import TestSupport

@testable import LocwatchCLI
@testable import LocwatchSystem

/// What a command runs on: its folder, its outputs, and its machine.
final class Stage: Sendable {
  let folder: TemporaryFolder
  /// Standard output.
  let output: PipeEnds
  /// Standard error. It is the same pipe, so that records and messages come in their order, unless the reader of the
  /// output stops.
  let errors: PipeEnds
  /// Whether the outputs are a terminal.
  let hasTerminal: Bool
  /// The terminal, which has a keyboard. Only a view writes to it; other output goes into the pipe.
  let screen: ScriptedScreen
  /// A free port, which the session calls PORT.
  let port: UInt16
  private let machine: PlayedMachine

  /// - Parameter environment: With `TERM`, the outputs are a terminal, whose size is in `COLUMNS` and `LINES`.
  init(
    of session: Session, in folder: TemporaryFolder, _ environment: [String: String]
  ) throws {
    self.folder = folder
    output = try PipeEnds()
    let stops = session.lines(of: .user).contains { $0.contains(" reader ") }
    errors = stops ? try PipeEnds() : output
    hasTerminal = environment["TERM"] != nil
    screen = try ScriptedScreen(typed: ())
    screen.size = (
      environment["COLUMNS"].flatMap { Int($0) } ?? 80,
      environment["LINES"].flatMap { Int($0) } ?? 24
    )
    port = try PageRequest.freePort()
    machine = try PlayedMachine(session.lines(of: .machine))
  }

  /// Has a run use all this.
  func prepare(_ run: inout Run) {
    run.standardOutput = output.descriptor
    if hasTerminal { run.terminalSize = { [screen] in screen.size } }
    run.machine = machine.machine
    // In its place on the loop.
    run.startThread = { body in
      body()
      return true
    }
    run.makeScreen = { [screen] in screen }
  }

  /// Returns an argument with the paths and the port that the session names.
  func argument(_ word: String) -> String {
    let path = word.hasPrefix("./") || word.contains("=./")
    return (path ? word.replacing("./", with: "\(folder.path)/", maxReplacements: 1) : word)
      .replacing("PORT", with: "\(port)")
  }

  /// Returns a text as the session names its paths and its port.
  func shown(_ text: String) -> String {
    text.replacing("\(folder.path)/", with: "./").replacing(":\(port)", with: ":PORT")
  }

  /// Returns what a command of the shell writes in the folder.
  func shell(_ command: String) -> [String] {
    Self.shell(command, in: folder).map(shown)
  }

  static func shell(_ command: String, in folder: TemporaryFolder) -> [String] {
    do {
      let run = try ProgramOutput(of: "/bin/sh", ["-c", "cd \(folder.path) && \(command)"])
      let lines = (run.text + run.errors).split(whereSeparator: \.isNewline).map(String.init)
      return run.status == 0 ? lines : lines + ["= \(run.status.map(String.init) ?? "signal")"]
    } catch {
      return ["\(error)"]
    }
  }
}
