import DaemonHarness
import GPSDLocation
import GPSDProtocol
import Glibc
import LocationCore
import TestSupport
import Testing

@testable import LibGPS

@Suite(.timeLimit(.minutes(3))) struct `A libgps session that reads` {
  /// Fault 122.
  @Test func `leaves out the lines that only locwatch writes`() async throws {
    let forged = #"{"class":"LOCWATCH_CORRECTIONS","state":"connected","source":"ntrip://h/M"}"#
    let fixture = try await SessionFixture(.sendLines("a", forged, "b"), .hold)
    #expect(try await fixture.line() == "a\r\n")
    #expect(try await fixture.line() == "b\r\n")
  }

  @Test func `returns lines as they came, including line ends and odd bytes`() async throws {
    let bytes = Array("{\"class\":\"TPV\"}\r\n\nplain\n\0\u{e9}\r\n".utf8) + [0xff, 0x0a]
    let fixture = try await SessionFixture(.sendBytes(bytes), .hold)
    var lines: [[UInt8]] = []
    while lines.count < 5, case .received(let read) = try await fixture.read() {
      lines += read.map(Array.init)
    }
    #expect(lines.joined().elementsEqual(bytes))
    #expect(lines.map(\.count) == [17, 1, 6, 5, 2])
  }

  @Test func `returns a line that comes byte by byte once, when it is complete`() async throws {
    let gate = Gate()
    let half = #"{"class":"TPV","mo"#
    let fixture = try await SessionFixture(
      .trickle(Array(half.utf8), every: .milliseconds(1)), .wait(gate),
      .trickle(Array("de\":3}\r\n".utf8), every: .milliseconds(1)), .hold)
    guard case .quiet = try await fixture.session.read(until: .within(.milliseconds(100)))
    else {
      Issue.record("half a line was given as one")
      return
    }
    gate.open()
    #expect(try await fixture.line() == half + "de\":3}\r\n")
    guard case .quiet = try await fixture.session.read(until: .past) else {
      Issue.record("the line was given twice")
      return
    }
  }

  /// Fault 48: the bytes come faster than they are read.
  @Test func `does not wait for the end of a line past its deadline`() async throws {
    let piece = [UInt8](repeating: 0x78, count: 1 << 20)
    let fixture = try await SessionFixture(.generate { _ in piece })
    guard case .received(let lines) = try await fixture.read() else {
      Issue.record("nothing was discarded")
      return
    }
    #expect(lines.discardedBytes == 65_536)
    for _ in 0..<100 {
      guard case .quiet = try await fixture.session.read(until: .past) else {
        Issue.record("a line without an end has ended")
        return
      }
    }
  }

  @Test func `reports when lines arrived`() async throws {
    let gate = Gate()
    let fixture = try await SessionFixture(.wait(gate), .sendLines("line"), .hold)
    let before = LocationClock.live.now
    gate.open()
    guard case .received(let lines) = try await fixture.read() else {
      Issue.record("no lines")
      return
    }
    let received = try #require(lines.received)
    #expect(before < received && received < LocationClock.live.now)
    #expect(received.wall != nil)
  }

  @Test func `counts a line that is cut off, and then says that gpsd hung up`() async throws {
    let fixture = try await SessionFixture(.send("whole\r\n{\"class\":\"TP"), .close)
    #expect(try await fixture.line() == "whole\r\n")
    #expect(try await fixture.discardedBytes() == 12)
    let hungUp = LocationError(.disconnected, "closed by gpsd")
    #expect(await failure { try await fixture.read() } == hungUp)
    #expect(await failure { try await fixture.read() } == hungUp)
  }

  @Test func `counts a line that is cut off by a reset, and then says so`() async throws {
    let gate = Gate()
    let fixture = try await SessionFixture(
      .send("whole\r\n{\"class\":\"TP"), .wait(gate), .reset)
    #expect(try await fixture.line() == "whole\r\n")
    gate.open()
    #expect(try await fixture.discardedBytes() == 12)
    let reset = LocationError(
      .disconnected, systemError: .errno(ECONNRESET), "Connection reset by peer")
    #expect(await failure { try await fixture.read() } == reset)
    #expect(await failure { try await fixture.read() } == reset)
  }

  @Test func `counts a line that is too long, and gives its neighbours`() async throws {
    let longest = String(repeating: "x", count: LineFramer.maximumLineLength - 1)
    let fixture = try await SessionFixture(
      .send("one\n\(longest)\n\(longest)x\ntwo\n"), .hold)
    #expect(try await fixture.line() == "one\n")
    #expect(try await fixture.line() == longest + "\n")
    for bytes in [65_536, 1] {
      #expect(try await fixture.discardedBytes() == bytes)
    }
    #expect(try await fixture.line() == "two\n")
  }

  /// Fault 49. The impostor sends until its client no longer reads.
  @Test func `is given up as no gpsd after 64 KiB without a line end`() async throws {
    let block = [UInt8](repeating: 0x78, count: 65_536)
    let impostor = try Impostor([.generate { _ in block }])
    let statistics = GPSDStatistics()
    let source = GPSDLocationSource(endpoint: impostor.endpoint, statistics: statistics)
    var connection = source.connection()
    await #expect(
      throws: LocationError(
        .notAService, "not a gpsd: it says '65536 bytes without a line end'")
    ) { try await connection.read() }
    #expect(statistics.counts.discards == 1)
    #expect(statistics.counts.discardedBytes == 65_536)
  }

  @Test func `returns all lines of a flood`() async throws {
    let line = Array(#"{"class":"TPV","device":"/dev/ttyACM0","mode":1}"#.utf8 + [0x0d, 0x0a])
    let block = Array(repeatElement(line, count: 1000).joined())
    let fixture = try await SessionFixture(.generate { $0 < 100 ? block : nil }, .close)
    var count = 0
    while case .received(let lines)? = try? await fixture.read() {
      for read in lines {
        if !read.elementsEqual(line) { Issue.record("\(read) is no line of them") }
        count += 1
      }
    }
    #expect(count == 100_000)
  }

  @Test func `returns what is available at a deadline that has passed`() async throws {
    let fixture = try await SessionFixture(.sendLines("one", "two"), .hold)
    var bytes: [UInt8] = []
    while bytes.count < 10, !Task.isCancelled {
      guard case .received(let lines) = try await fixture.session.read(until: .past) else {
        await Task.yield()
        continue
      }
      bytes += lines.bytes
    }
    #expect(bytes == Array("one\r\ntwo\r\n".utf8))
  }

  @Test(arguments: [Duration.zero, .milliseconds(1), .milliseconds(20), .milliseconds(300)])
  func `waits until its deadline, and barely longer`(wait: Duration) async throws {
    let fixture = try await SessionFixture(.hold)
    let deadline = Moment.within(wait)
    guard case .quiet(let moment) = try await fixture.session.read(until: deadline) else {
      Issue.record("something came")
      return
    }
    #expect(moment >= deadline)
    #expect(deadline.duration(to: moment) < .seconds(5))
  }
}
