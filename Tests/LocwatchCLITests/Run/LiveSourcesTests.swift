import EventLoop
import Foundation
import GPSDLocation
import GPSDTestKit
import LocationCore
import Synchronization
import TestSupport
import Testing
import VirtualTimeTesting

@testable import LocwatchCLI
@testable import LocwatchReceivers
@testable import LocwatchSystem

/// Fault 84.
@Suite(.virtualTime(waitsForOutside: true), .timeLimit(.minutes(5)))
struct `A target of the command line` {
  private static let gpsd = Environment(["PATH": FakePrograms.folder])

  /// A machine, and what was asked of it.
  private struct Machine {
    let clock = ManualClock()
    let daemon: ScriptedGPSD
    let sources: LiveSources
    let pipe: PipeEnds
    let log: Log

    /// - Parameters:
    ///   - users: Whose sockets listen on port 2947; `nil` without /proc.
    ///   - script: What the gpsd there does.
    init(
      users: Set<uid_t>? = [], _ script: [ScriptedGPSD.Step] = [.refuse],
      _ arguments: String...
    ) throws {
      let daemon = ScriptedGPSD(clock: clock, scripts: script)
      self.daemon = daemon
      pipe = try PipeEnds()
      log = Log(try Options(arguments: arguments, environment: [:]), to: pipe.descriptor)
      sources = LiveSources(
        environment: gpsd, loop: try #require(EventLoop.shared), statistics: RunStatistics(),
        machine: .empty, clock: clock.locationClock,
        owners: { port in
          #expect(port == 2947)
          return PortOwners(users: users)
        }, makeSession: { daemon.session() })
    }

    func resolve(_ arguments: String...) async throws -> LiveTarget {
      let options = try Options(arguments: arguments, environment: [:])
      return try await clock.whileAdvancing { () throws(Failure) in
        try await sources.resolve(options, log: log)
      }
    }

    var messages: [String] {
      String(decoding: pipe.readAll(), as: UTF8.self).split(separator: "\n").map {
        String($0.trimmingPrefix("locwatch: "))
      }
    }

    /// When it was, since the beginning.
    var seconds: Double { clock.locationClock.now.uptime.inSeconds }
  }

  private static func devices(_ paths: String...) -> [ScriptedGPSD.Step] {
    let devices = paths.map { #"{"class":"DEVICE","path":"\#($0)"}"# }.joined(separator: ",")
    return [.lines(#"{"class":"DEVICES","devices":[\#(devices)]}"#)]
  }

  @Test func `is read from the system's gpsd, even under another name`() async throws {
    let machine = try Machine(users: [0], Self.devices("/dev/zero", "/dev/../dev/null"), "-v")
    let target = try await machine.resolve("/dev/null")
    #expect(target.endpoint == GPSDEndpoint())
    #expect(target.device == "/dev/../dev/null")
    #expect(target.reader == nil)
    #expect(
      machine.messages == [
        "the system's gpsd already serves /dev/../dev/null: connecting to it"
      ])
  }

  @Test(
    arguments: [
      // If nobody listens, another user does, or it is unknown, nobody is asked.
      ([], nil),
      (
        [0, 4_000_000, 3_999_999],
        "the gpsd on port 2947 is not used: its socket belongs to user 3999999, 4000000"
      ),
      (nil, "cannot look for the system's gpsd: that needs /proc"),
    ] as [(Set<uid_t>?, String?)])
  func `has a private gpsd if there is none to trust`(
    users: Set<uid_t>?, message: String?
  ) async throws {
    let machine = try Machine(users: users, Self.devices("/dev/full"), "-v")
    let target = try await machine.resolve("/dev/full")
    #expect(target.reader != nil)
    #expect(target.device == nil)
    #expect(machine.daemon.calls == [])
    #expect(machine.messages == [message, "starting a gpsd for /dev/full"].compactMap(\.self))
  }

  @Test func `has a private gpsd if the system's has another receiver`() async throws {
    let machine = try Machine(users: [0], Self.devices("/dev/zero"))
    let target = try await machine.resolve("/dev/null")
    #expect(target.reader != nil)
    #expect(
      machine.daemon.calls == [.open(GPSDEndpoint()), .send(.devices), .read, .close])
  }

  @Test(
    arguments: [
      ([], 1.5), (["-t", "1s"], 1), (["--duration", "500ms"], 0.5), (["-t", "1500ms"], 1.5),
      (["-t", "1m", "--duration", "1m"], 1.5),
    ] as [([String], Double)])
  func `is requested from a silent gpsd for a second and a half`(
    arguments: [String], seconds: Double
  ) async throws {
    let machine = try Machine(users: [0], [])
    let options = try Options(arguments: arguments + ["/dev/null"], environment: [:])
    // The program may have run for long.
    machine.clock.jump(by: .seconds(100))
    for number in 1...2 {
      let target = try await machine.clock.whileAdvancing { () throws(Failure) in
        try await machine.sources.resolve(options, log: machine.log)
      }
      #expect(target.reader != nil)
      #expect(machine.seconds == 100 + Double(number) * seconds)
    }
  }

  @Test func `may have a path by which an unplugged receiver cannot be recovered`() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.link("my gps", to: "/dev/full")
    let machine = try Machine()
    let target = try await machine.resolve(path)
    #expect(target.reader != nil)
    #expect(
      machine.messages == [
        "cannot recover an unplugged receiver: that needs /proc and a short path without spaces"
      ])
    target.end()
  }

  // One of several targets

  private func member(
    of machine: Machine, _ arguments: String...
  ) throws -> (provider: any LocationProvider, search: ReceiverSearch?) {
    let options = try Options(arguments: arguments + ["other=h"], environment: [:])
    return machine.sources.provider(
      ofMember: options.member(options.fleet[0]), recorder: nil,
      log: machine.log.named(options.fleet[0].name))
  }

  @Test func `is one of several, a receiver that is plugged in later`() async throws {
    let machine = try Machine(users: [0], Self.devices("/dev/null"), "-v")
    let path = NSTemporaryDirectory() + "locwatch-\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let (provider, search) = try member(of: machine, "a=\(path)")
    let clock = machine.clock
    var connection = provider.connection()
    let first = await clock.whileAdvancing { try? await connection.read(by: clock.locationClock) }
    #expect(first == .event(.receivers([]), at: Moment(uptime: .zero)))
    #expect(
      machine.messages.first == "a: \(path): No such file or directory")
    #expect(machine.daemon.calls == [])
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/null")
    let second = await clock.whileAdvancing { try? await connection.read(by: clock.locationClock) }
    guard case .received(let events) = second else {
      Issue.record("\(second as Any)")
      return
    }
    #expect(!events.isEmpty)
    #expect(machine.daemon.calls.prefix(5).last == .open(GPSDEndpoint()))
    #expect(
      machine.messages == [
        "a: the system's gpsd already serves /dev/null: connecting to it"
      ])
    #expect((0.8...1.2).contains(machine.seconds))
    connection.close()
    search?.end()
  }

  @Test func `is reported as the receiver of another source until that ends`() async throws {
    let machine = try Machine()
    let path = NSTemporaryDirectory() + "locwatch-\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/full")
    let first = try await machine.resolve("/dev/full")
    #expect(machine.messages == [])
    let second = try await machine.resolve(path)
    #expect(
      machine.messages == [
        "\(path) is the receiver of /dev/full: each gets only part of the data"
      ])
    let third = try await machine.resolve("/dev/full")
    #expect(
      machine.messages == [
        "/dev/full is the receiver of another target: each gets only part of the data"
      ])
    first.end()
    third.end()
    _ = try await machine.resolve("/dev/full")
    #expect(
      machine.messages == [
        "/dev/full is the receiver of \(path): each gets only part of the data"
      ])
    second.end()
  }

  @Test func `is not read if a search that has ended found it`() async throws {
    let machine = try Machine(users: [0], [])
    let (provider, search) = try member(of: machine, "a=/dev/full")
    let task = Task {
      var connection = provider.connection()
      return try? await connection.read(by: machine.clock.locationClock)
    }
    // gpsd was asked, and is silent.
    await machine.clock.waitForSleepers()
    search?.end()
    #expect(await machine.clock.whileAdvancing { await task.value } == .ended)
    #expect(machine.messages == [] && !machine.daemon.calls.contains(.send(.watch)))
    _ = try await machine.resolve("/dev/full")
    #expect(machine.messages == [])
  }
}

/// A folder with a program named gpsd, which is never run.
private enum FakePrograms {
  static let folder: String = {
    let folder = NSTemporaryDirectory() + "locwatch-programs"
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    let program = folder + "/gpsd"
    if !FileManager.default.fileExists(atPath: program) {
      _ = FileManager.default.createFile(
        atPath: program, contents: nil, attributes: [.posixPermissions: 0o755])
    }
    return folder
  }()
}
