import Dispatch
import Foundation
import LocationCore
import LocationTestKit
import Synchronization
import TestSupport
import Testing

@testable import GPSDLocation

/// A replay runs where it is asked for, which is somebody's actor.
@Suite(.timeLimit(.minutes(20))) struct `A replay keeps no actor to itself` {
  /// Follows a replay, and counts how often somebody else had a turn meanwhile.
  private actor Room {
    private var turns = 0
    private var isAsked = false

    func follow(_ session: RecordedSession) async throws -> (updates: Int, turns: Int) {
      askForTurn()
      var updates = 0
      for try await _ in GPSDLocationSource(replaying: session).updates(retries: .never) {
        updates += 1
        askForTurn()
      }
      return (updates, turns)
    }

    private func askForTurn() {
      guard !isAsked else { return }
      isAsked = true
      Task {
        turns += 1
        isAsked = false
      }
    }
  }

  /// 3 MB.
  private static let lines = (0..<3000).map { second in
    var time: [UInt8] = []
    Lines.start.advanced(by: .seconds(second)).appendISO8601(to: &time)
    return #"{"class":"TPV","device":"/dev/a","mode":3,"time":"\#(Lines.text(time[...]))","#
      + #""lat":47.37,"lon":8.54,"x":"\#(String(repeating: "x", count: 1000))"}"#
  }

  @Test(arguments: [RecordedSession.Pace.asFastAsPossible, .recorded(speed: 1e9)])
  func `of lines`(pace: RecordedSession.Pace) async throws {
    let session = RecordedSession(lines: Self.lines, pace: pace)
    let (updates, turns) = try await Room().follow(session)
    #expect(updates == 3002)
    #expect(turns >= 2)
  }

  @Test func `of a pipe that nobody has opened to write to`() async throws {
    let pipe = try NamedPipe()
    let rescue = Rescue { pipe.openWriter() }
    let session = try RecordedSession(contentsOf: pipe.path)
    #expect(!rescue.end())
    session.restart()
    let reading = Task { try await session.read(by: session.clock) }
    pipe.openWriter()
    pipe.write(Lines.tpv(1) + "\n")
    guard case .received(let lines) = try await reading.value else {
      Issue.record("no lines")
      return
    }
    #expect(Lines.text(lines.bytes) == Lines.tpv(1) + "\n")
    #expect(try await session.read(until: .past, by: session.clock) == .quiet(at: .at(0)))
    pipe.closeWriter()
    #expect(try await session.read(by: session.clock) == .ended)
  }

  @Test @MainActor func `of a pipe that is silent`() async throws {
    let pipe = try NamedPipe()
    pipe.openWriter()
    let rescue = Rescue { pipe.closeWriter() }
    let session = try RecordedSession(contentsOf: pipe.path)
    let coordinator = LocationCoordinator(GPSDLocationSource(replaying: session))
    coordinator.start()
    while coordinator.state != .connecting, coordinator.isRunning, !Task.isCancelled {
      await Task.yield()
    }
    // It waits for the pipe now, or does so before this is done.
    for _ in 0..<10 { await Task.yield() }
    coordinator.stop()
    #expect(!rescue.end())
    #expect(!coordinator.isRunning)
  }
}

/// Helps a test to its end that would otherwise wait for ever.
private final class Rescue: Sendable {
  private let isOver = DispatchSemaphore(value: 0)
  private let wasNeeded = Mutex(false)

  /// - Parameter help: What is done where ``end()`` does not come for a quarter of an hour, which is longer than a busy machine takes.
  init(_ help: @escaping @Sendable () -> Void) {
    Thread.detachNewThread { [self] in
      guard isOver.wait(timeout: .now() + 900) == .timedOut else { return }
      wasNeeded.withLock { $0 = true }
      help()
    }
  }

  /// Returns whether it was needed.
  func end() -> Bool {
    isOver.signal()
    return wasNeeded.withLock(\.self)
  }
}

/// A named pipe, which is removed when it goes.
private final class NamedPipe: Sendable {
  let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).fifo").path()
  private let writer = Mutex<CInt?>(nil)

  init() throws {
    guard mkfifo(path, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  deinit {
    closeWriter()
    unlink(path)
  }

  /// Opens the end to write to, whether or not somebody has the other one.
  func openWriter() { writer.withLock { $0 = $0 ?? open(path, O_RDWR | O_CLOEXEC) } }

  func write(_ text: String) {
    let bytes = Array(text.utf8)
    writer.withLock { if let writer = $0 { _ = Foundation.write(writer, bytes, bytes.count) } }
  }

  func closeWriter() { writer.withLock { if let writer = $0.take() { close(writer) } } }
}
