import Synchronization
import Testing

@testable import LocwatchCLI

@Suite struct LogTests {
  @Test func `A message has no user info of a URL, nor has its source`() throws {
    let pipe = try PipeEnds()
    let log = Log(try Options(arguments: ["-v"], environment: [:]), to: pipe.descriptor)
    log.say("'ntrip://user:s3cret@host' is odd\nboth")
    log.named("tcp://user:s3cret@host").note("tcp://phone:1")
    log.advise("see ntrip://s3cret@x")
    #expect(
      String(decoding: pipe.readAll(), as: UTF8.self) == """
        locwatch: 'ntrip://***********@host' is odd
        locwatch: both
        locwatch: tcp://***********@host: tcp://phone:1
        locwatch: see ntrip://******@x

        """)
  }

  @Test func `A screen shows no user info either`() throws {
    let pipe = try PipeEnds()
    let log = Log(Options(), to: pipe.descriptor)
    let shown = Mutex<[String]>([])
    log.show { message in
      shown.withLock { $0.append(message) }
      return true
    }
    log.say("ntrip://user:s3cret@host")
    #expect(shown.withLock(\.self) == ["ntrip://***********@host"])
  }
}
