import EventLoop
import Foundation
import GPSDLocation
import GPSDTestKit
import Glibc
import LocationCore
import Synchronization
import TestSupport
import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem

/// A run of the command that a test follows while it is running.
final class StartedRun {
  private let loop: EventLoop
  private let errors: PipeEnds
  private let ending = Ending()
  private let task: Task<Void, Never>
  private var text = ""

  private final class Ending: Sendable {
    let status = Mutex<LocwatchSystem.ExitStatus?>(nil)
  }

  /// - Parameters:
  ///   - arguments: The command line.
  ///   - output: Standard output.
  ///   - screen: The terminal of a view.
  ///   - gpsd: What each connection gets to.
  init(
    _ arguments: [String], environment: Environment = [:], on output: Descriptor? = nil,
    screen: ScriptedScreen? = nil, gpsd: ScriptedGPSD? = nil
  ) throws {
    let options = try Options(arguments: arguments, environment: environment)
    loop = try #require(EventLoop.shared)
    errors = try PipeEnds()
    let gpsd = gpsd ?? ScriptedGPSD(clock: ManualClock(), scripts: [.refuse])
    var run = Run(
      options, log: Log(options, to: errors.descriptor), environment: environment,
      loop: loop
    ) { gpsd.session() }
    if let output { run.standardOutput = output }
    if let screen { run.makeScreen = { screen } }
    task = RunTask(run).start { [ending] status in ending.status.withLock { $0 = status } }
    run.cancellation.attach(task)
  }

  /// The status; `nil` while locwatch runs.
  var status: LocwatchSystem.ExitStatus? { ending.status.withLock(\.self) }

  /// What was said on standard error so far.
  var said: String {
    text += String(decoding: errors.readAll(), as: UTF8.self)
    return text
  }

  func cancel() { task.cancel() }

  /// Waits for the end.
  func end() async -> LocwatchSystem.ExitStatus? {
    await task.value
    return status
  }

  /// Lets what runs on the loop reach its waits.
  func settle() async {
    for _ in 0..<20 { await Task(executorPreference: loop) {}.value }
  }
}

/// A named pipe that a test feeds.
final class FedPipe {
  let path: String
  private var writer: CInt

  init(_ name: String, in folder: TemporaryFolder, _ lines: [String] = []) {
    path = folder.makePipe(name)
    // An end for both does not wait for another one.
    writer = open(path, O_RDWR | O_CLOEXEC)
    feed(lines)
  }

  deinit { if writer >= 0 { close(writer) } }

  func feed(_ lines: [String]) { feed(Array(RunLines.text(lines).utf8)) }
  func feed(_ bytes: [UInt8]) { _ = write(writer, bytes, bytes.count) }

  /// Ends what is fed when the pipe has a reader.
  func end() async {
    #expect(await comes { descriptors(of: path) > 1 })
    close(writer)
    writer = -1
  }
}
