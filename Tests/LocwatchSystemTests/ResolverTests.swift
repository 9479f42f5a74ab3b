import EventLoop
import GPSDLocation
import Glibc
import LocationCore
import LocwatchTestSupport
import Synchronization
import Testing

@testable import LocwatchSystem

@Suite(.timeLimit(.minutes(5))) struct `A resolver` {
  private static func name(_ number: Int) -> NetworkAddress {
    NetworkAddress(.tcp, host: "host\(number)", port: 1)
  }

  @Test func `asks nobody for what is no name`() {
    let resolver = Resolver { _ in
      Issue.record("it is looked up")
      return .success([])
    }
    for host in ["127.0.0.1", "::1", ""] {
      let lookUp = resolver.lookUp(NetworkAddress(.tcp, host: host, port: 9)) {
        Issue.record("it is not known at once")
      }
      #expect((try? lookUp.outcome?.get().isEmpty) == false)
    }
  }

  @Test func `looks up 64 names at a time, and each of them once`() async throws {
    let gate = Mutex((isOpen: false, now: 0, most: 0, all: [String]()))
    let resolver = Resolver { address in
      gate.withLock { state in
        state.now += 1
        state.most = max(state.most, state.now)
        state.all.append(address.host)
      }
      while !gate.withLock(\.isOpen) { usleep(1000) }
      gate.withLock { $0.now -= 1 }
      return .failure(LocationError(.unknownHost, "no \(address.host)"))
    }
    let done = Mailbox<Void>()
    let doneCount = Mutex(0)
    let lookUps = (0..<100).map { number in
      resolver.lookUp(Self.name(number)) {
        if doneCount.withLock({
          $0 += 1; return $0 == 100
        }) {
          done.send(())
        }
      }
    }
    #expect(await comes { gate.withLock(\.now) == 64 })
    #expect(lookUps.allSatisfy { $0.outcome == nil })
    gate.withLock { $0.isOpen = true }
    _ = await done.take()
    for (number, lookUp) in lookUps.enumerated() {
      #expect(lookUp.outcome == .failure(LocationError(.unknownHost, "no host\(number)")))
    }
    #expect(gate.withLock { $0.most == 64 && Set($0.all).count == 100 && $0.all.count == 100 })
  }
}
