import Foundation
import GPSDLocation
import GPSDTestKit
import LocationCore
import Synchronization
import Testing
import VirtualTimeTesting

@testable import LocwatchReceivers
@testable import LocwatchSystem

/// The gpsd that runs anyway, asked for a device that every machine has.
@Suite struct SystemDaemonTests {
  private static let device = "/dev/null"
  private static let version =
    #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#

  /// gpsd's answer to a question for its devices.
  private static func devices(_ paths: [String]) -> String {
    let devices = paths.map { #"{"class":"DEVICE","path":"\#($0)"}"# }.joined(separator: ",")
    return #"{"class":"DEVICES","devices":[\#(devices)]}"#
  }

  private func found(_ device: SerialDevice, by session: some GPSDSession) async -> String? {
    let clock = ManualClock()
    return await SystemDaemon(session: session, clock: clock.locationClock)
      .device(like: device, until: clock.locationClock.now.advanced(by: .seconds(20)))
  }

  @Test(arguments: [
    (["/dev/null"], "/dev/null"), (["/dev/zero", "/dev/null", "/dev/full"], "/dev/null"),
    (["/dev/../dev/null"], "/dev/../dev/null"), (["/dev/zero"], nil), ([], nil),
  ])
  func `It is used where it has the device, by whatever name`(
    paths: [String], found: String?
  ) async throws {
    let gpsd = ScriptedGPSD(
      clock: ManualClock(), scripts: [.lines(Self.version, Self.devices(paths))])
    let device = try SerialDevice(path: Self.device, on: .empty)
    #expect(await self.found(device, by: gpsd.session()) == found)
    #expect(gpsd.calls == [.open(GPSDEndpoint()), .send(.devices), .read, .close])
  }

  @Test func `A link is the device that it leads to`() async throws {
    let link = NSTemporaryDirectory() + "locwatch-\(UUID())"
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: Self.device)
    defer { try? FileManager.default.removeItem(atPath: link) }
    let session = RecordedSession(lines: [Self.devices(["/dev/zero", Self.device])])
    let device = try SerialDevice(path: link, on: .empty)
    #expect(await found(device, by: session) == Self.device)
  }

  @Test func `It has no device if it does not answer`() async throws {
    let gpsd = ScriptedGPSD(clock: ManualClock(), scripts: [.lines(Self.version), .hangUp])
    let device = try SerialDevice(path: Self.device, on: .empty)
    #expect(await found(device, by: gpsd.session()) == nil)
    #expect(gpsd.calls.last == .close)
  }

  @Test func `It has no device if it cannot be reached`() async throws {
    let gpsd = ScriptedGPSD(clock: ManualClock(), scripts: [.refuse])
    let device = try SerialDevice(path: Self.device, on: .empty)
    #expect(await found(device, by: gpsd.session()) == nil)
  }

  /// Fault 45.
  @Test(.virtualTime, arguments: [version, "", "noise"])
  func `It has no device if it answers with endless other lines`(
    line: String
  ) async throws {
    let clock = ManualClock()
    let device = try SerialDevice(path: Self.device, on: .empty)
    let daemon = SystemDaemon(session: EndlessSession(line: line), clock: clock.locationClock)
    let deadline = clock.locationClock.now.advanced(by: .seconds(1))
    #expect(
      await clock.whileAdvancing { await daemon.device(like: device, until: deadline) } == nil)
    #expect(clock.locationClock.now == deadline)
  }
}

/// Has the same line a thousand times a second.
private final class EndlessSession: GPSDSession {
  private let line: String
  private let due = Mutex(Moment.past)

  init(line: String) { self.line = line }

  func open(_ endpoint: GPSDEndpoint) {}
  func send(_ command: GPSDCommand) {}
  func close() {}

  func poll(at now: Moment) -> Polled<GPSDLines> {
    due.withLock { due in
      guard due <= now else { return .quiet(at: now) }
      due = now.advanced(by: .milliseconds(1))
      return .received(GPSDLines(bytes: Array("\(line)\r\n".utf8)[...], received: now))
    }
  }

  func wait() -> Wait { Wait(until: due.withLock(\.self)) }
}

@Suite struct `The program gpsd` {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["one", "two", "none"] { try folder.makeFolder(name) }
    for name in ["one", "two"] { try folder.write("", to: "\(name)/gpsd", mode: 0o755) }
  }

  private func found(path: String?, or others: String...) throws -> String {
    let names = { (names: [String]) in names.map { "\(folder.path)/\($0)" } }
    let path = path.map { names($0.components(separatedBy: ":")).joined(separator: ":") }
    let program = try GPSDProgram.find(
      Environment(path.map { ["PATH": $0] } ?? [:]), or: names(others))
    return String(program.dropFirst(folder.path.count + 1))
  }

  @Test func `is looked for in the PATH, and then where Debian has it`() throws {
    #expect(try found(path: "none:one:two", or: "two") == "one/gpsd")
    #expect(try found(path: "two", or: "one") == "two/gpsd")
    #expect(try found(path: "none", or: "none", "two", "one") == "two/gpsd")
    #expect(try found(path: nil, or: "one") == "one/gpsd")
  }

  @Test func `that is missing is reported with the command that installs it`() throws {
    try folder.write("", to: "none/gpsd")
    do throws(Failure) {
      _ = try GPSDProgram.find(["PATH": folder.path], or: ["\(folder.path)/none", "/nowhere"])
      Issue.record("It was found.")
    } catch {
      #expect(error.status == .unavailable)
      #expect(
        error.message
          == "gpsd, which reads the receiver, is not installed: 'sudo apt install gpsd'")
    }
  }
}
