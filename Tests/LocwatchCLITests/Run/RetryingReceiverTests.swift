import GPSDLocation
import LocationCore
import LocationTestKit
import Synchronization
import TestSupport
import Testing
import VirtualTimeTesting

@testable import LocwatchCLI
@testable import LocwatchReceivers
@testable import LocwatchSystem

/// Fault 84.
@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `A receiver that is looked for` {
  private static let target = LiveTarget(endpoint: GPSDEndpoint(host: "found"), device: "/dev/x")
  private static let missing = Failure(.noInput, "/dev/x: No such file")

  /// What is found, look after look, and what was said and when.
  private final class Scene: Sendable {
    struct State {
      var looks: [Result<LiveTarget, Failure>]
      var story: [String] = []
    }

    let clock = ManualClock()
    let state: Mutex<State>
    let scripts: [ScriptedLocationSource.Step]
    let retries: RetryPolicy

    /// - Parameter looks: What is found. The last one repeats.
    init(
      _ looks: [Result<LiveTarget, Failure>], then scripts: [ScriptedLocationSource.Step] = [],
      retries: RetryPolicy = RetryPolicy(jitter: 0)
    ) {
      state = Mutex(State(looks: looks))
      self.scripts = scripts
      self.retries = retries
    }

    var story: [String] { state.withLock(\.story) }

    func tell(_ text: String) {
      let second = clock.locationClock.now.uptime.inSeconds
      state.withLock { $0.story.append("\(second) \(text)") }
    }

    func search() -> ReceiverSearch {
      ReceiverSearch {
        self.tell("said: \($0)")
      } resolve: { () throws(Failure) in
        let result = self.state.withLock { state in
          state.looks.count > 1 ? state.looks.removeFirst() : state.looks[0]
        }
        self.tell("look")
        return try result.get()
      }
    }

    func receiver(_ search: ReceiverSearch, isRetried: Bool = true) -> RetryingReceiver {
      RetryingReceiver(
        search: search, clock: clock.locationClock, retries: isRetried ? retries : .never
      ) { target in
        self.tell("connect to \(target.endpoint.host)")
        return ScriptedLocationSource(clock: self.clock, scripts: self.scripts)
      }
    }

    /// Takes updates until one is the last that is wanted, and adds them to the story.
    func watch(_ receiver: RetryingReceiver, until last: String, retries: RetryPolicy) async {
      await clock.whileAdvancing {
        do throws(LocationError) {
          var updates = receiver.updates(retries: retries).makeAsyncIterator()
          while let update = try await updates.next() {
            switch update {
            case .state(let change):
              tell(change.state.rawValue + (change.reason.map { ": \($0)" } ?? ""))
            case .fix: tell("fix")
            case .retry: tell("retry")
            case .change, .event: break
            }
            if story.last?.hasSuffix(last) == true { break }
          }
          updates.close()
          tell("end")
        } catch {
          tell("failed \(error.code): \(error)")
        }
      }
    }
  }

  private static func fix(_ second: Double) -> ScriptedLocationSource.Step {
    .event(.fix(.scripted(second)))
  }

  @Test func `is read once it is found`() async {
    let scene = Scene([.success(Self.target)], then: [Self.fix(0), .end])
    await scene.watch(scene.receiver(scene.search()), until: "-", retries: .never)
    #expect(
      scene.story == [
        "0.0 connecting", "0.0 look", "0.0 connect to found", "0.0 fix-3d", "0.0 fix", "0.0 end",
      ])
  }

  @Test func `has no service if gpsd cannot be started for it`() async {
    let uninstalled = Result<LiveTarget, Failure>.failure(Failure(.unavailable, "not installed"))
    let scene = Scene([uninstalled, uninstalled, .success(Self.target)], then: [Self.fix(0)])
    await scene.watch(
      scene.receiver(scene.search()), until: "fix-3d", retries: RetryPolicy(jitter: 0))
    #expect(
      scene.story == [
        "0.0 connecting", "0.0 look", "0.0 said: not installed", "0.0 no-daemon: not installed",
        "1.0 look", "1.0 retry", "3.0 look", "3.0 connect to found", "3.0 fix-3d", "3.0 end",
      ])
    let failing = Scene([uninstalled])
    await failing.watch(
      failing.receiver(failing.search(), isRetried: false), until: "-", retries: .never)
    #expect(failing.story.last == "0.0 failed unreachable: not installed")
    #expect(!failing.story.contains { $0.contains("said") })
  }

  @Test func `is found only once, for all connections`() async {
    let scene = Scene(
      [.success(Self.target), .failure(Self.missing)],
      then: [Self.fix(0), .fail(LocationError(.disconnected, "gone"))])
    let receiver = scene.receiver(scene.search())
    for _ in 1...2 {
      var connection = receiver.connection()
      _ = try? await connection.read(by: scene.clock.locationClock)
      connection.close()
    }
    #expect(scene.story == ["0.0 look", "0.0 connect to found", "0.0 connect to found"])
  }

  @Test func `is not read if it is found after the end`() async throws {
    let scene = Scene([.success(Self.target)], then: [Self.fix(0)])
    let search = scene.search()
    search.end()
    await scene.watch(scene.receiver(search), until: "-", retries: .never)
    #expect(scene.story == ["0.0 connecting", "0.0 look", "0.0 end"])
  }

  @Test func `is no longer looked for when its task is cancelled`() async {
    let scene = Scene([.failure(Self.missing)])
    let receiver = scene.receiver(scene.search())
    let task = Task {
      var connection = receiver.connection()
      _ = try? await connection.read(by: scene.clock.locationClock)
      guard case .ended? = try? await connection.read(by: scene.clock.locationClock) else {
        return false
      }
      return true
    }
    await scene.clock.waitForSleepers()
    task.cancel()
    #expect(await task.value)
    #expect(scene.story == ["0.0 look", "0.0 said: /dev/x: No such file"])
  }

  @Test func `says nothing after the end`() async {
    let scene = Scene([.failure(Self.missing)])
    let search = scene.search()
    search.end()
    let receiver = scene.receiver(search)
    var connection = receiver.connection()
    _ = try? await connection.read(by: scene.clock.locationClock)
    #expect(scene.story == ["0.0 look"])
  }

  @Test func `is released at the end of the search, and only once`() async throws {
    let ends = Collector<String>()
    var target = Self.target
    target.didEnd = { ends.add("end") }
    let scene = Scene([.success(target)], then: [Self.fix(0)])
    let search = scene.search()
    var connection = scene.receiver(search).connection()
    _ = try await connection.read(by: scene.clock.locationClock)
    #expect(ends.values == [])
    search.end()
    #expect(ends.values == ["end"])
    search.end()
    #expect(ends.values == ["end"])
    connection.close()
  }

  @Test func `is released if the task is cancelled during the search`() async throws {
    let ends = Collector<String>()
    let search = ReceiverSearch {
      Issue.record("it says \($0)")
    } resolve: {
      withUnsafeCurrentTask { $0?.cancel() }
      return LiveTarget(endpoint: GPSDEndpoint(), device: nil) { ends.add("end") }
    }
    let scene = Scene([.failure(Self.missing)])
    let receiver = scene.receiver(search)
    let read = await Task {
      var connection = receiver.connection()
      return try? await connection.read(by: scene.clock.locationClock)
    }.value
    #expect(read == .ended)
    #expect(ends.values == ["end"])
    #expect(scene.story == [])
  }

  @Test func `is closed with its connection, after which nothing comes`() async throws {
    let clock = ManualClock()
    let source = ScriptedLocationSource(clock: clock, scripts: [Self.fix(0)])
    let search = ReceiverSearch { _ in
    } resolve: {
      Self.target
    }
    let receiver = RetryingReceiver(
      search: search, clock: clock.locationClock
    ) { _ in source }
    var connection = receiver.connection()
    #expect(try await connection.read(by: clock.locationClock) != .ended)
    #expect(source.calls.last != .close)
    connection.close()
    #expect(source.calls.last == .close)
    #expect(try await connection.read(by: clock.locationClock) == .ended)
    search.end()
  }

  @Test func `keeps the provider contract`() async {
    let scene = Scene([.success(Self.target)], then: [Self.fix(1), .end])
    let violations = await scene.clock.whileAdvancing {
      // Only the read that finds the receiver connects to it.
      await scene.receiver(scene.search()).contractViolations(
        reporting: [.fix(.scripted(1))], excusing: [.momentsOfArrival])
    }
    #expect(violations == [])
    #expect(scene.receiver(scene.search()).receiversReportTime)
  }
}
