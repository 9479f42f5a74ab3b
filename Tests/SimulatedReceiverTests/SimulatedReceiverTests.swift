import Foundation
import SimulatedReceiver
import Testing

@Suite struct `A simulated receiver` {
  private let folder = "/tmp/simulated-receiver-\(UUID().uuidString)"

  @Test func `sends its scenario's epochs to who opens it`() throws {
    let receiver = try SimulatedReceiver(.tunnel)
    let reader = try TerminalReader(receiver.path)
    #expect(receiver.isOpen)
    for index in 0..<3 {
      #expect(try receiver.step())
      #expect(try reader.read() == Scenario.tunnel.bytes(at: index))
    }
  }

  @Test func `keeps nothing for who opens it later`() throws {
    let receiver = try SimulatedReceiver(.drive)
    #expect(!receiver.isOpen)
    #expect(try !receiver.step())
    let reader = try TerminalReader(receiver.path)
    #expect(try receiver.step())
    #expect(try reader.read() == Scenario.drive.bytes(at: 1))
  }

  @Test func `continues in time when the scenario changes`() throws {
    let receiver = try SimulatedReceiver(.drive)
    let reader = try TerminalReader(receiver.path)
    for _ in 0..<3 {
      try receiver.step()
      _ = try reader.read()
    }
    receiver.change(to: .coldStart)
    try receiver.step()
    var expected = Scenario.coldStart
    expected.start = expected.start.advanced(byMilliseconds: 3000)
    #expect(try reader.read() == expected.bytes(at: 0))
  }

  @Test func `hangs up when unplugged, and comes back on the same path`() throws {
    let path = "\(folder)/gps0"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let receiver = try SimulatedReceiver(.drive, link: path)
    #expect(receiver.path == path)
    let reader = try TerminalReader(path)
    try receiver.step()
    #expect(try reader.read() == Scenario.drive.bytes(at: 0))

    receiver.unplug()
    #expect(try reader.read() == [])
    #expect(try !receiver.step())
    #expect(!FileManager.default.fileExists(atPath: path))

    try receiver.plugIn()
    let other = try TerminalReader(path)
    #expect(try receiver.step())
    #expect(try other.read() == Scenario.drive.bytes(at: 2))
  }

  @Test func `unplugs itself where its scenario says so`() throws {
    let path = "\(folder)/gps0"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let receiver = try SimulatedReceiver(.unplug, link: path)
    let existence = try (0..<11).map { _ in
      try receiver.step()
      return FileManager.default.fileExists(atPath: path)
    }
    #expect(
      existence == Array(repeating: true, count: 5) + Array(repeating: false, count: 5) + [true])
  }

  @Test func `takes its link away at the end`() throws {
    let path = "\(folder)/gps0"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    do {
      let receiver = try SimulatedReceiver(.drive, link: path)
      #expect(FileManager.default.fileExists(atPath: receiver.path))
    }
    #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: path)) == nil)
  }

  @Test func `runs the requested number of epochs`() async throws {
    let receiver = try SimulatedReceiver(.drive)
    try await receiver.run(epochs: 100, speed: 1_000_000)
    #expect(receiver.nextEpoch == 100)
  }

  @Test func `stops when cancelled`() async throws {
    let receiver = try SimulatedReceiver(.drive)
    let running = Task { try await receiver.run() }
    running.cancel()
    await #expect(throws: CancellationError.self) { try await running.value }
  }
}

/// A process that has opened a terminal, as gpsd does.
private final class TerminalReader {
  private let descriptor: CInt

  init(_ path: String) throws {
    descriptor = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(descriptor >= 0)
  }

  deinit { close(descriptor) }

  /// What there is; nothing after a hang-up.
  func read() throws -> [UInt8] {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    try #require(poll(&request, 1, 5000) == 1)
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    return Array(buffer.prefix(max(0, count)))
  }
}
