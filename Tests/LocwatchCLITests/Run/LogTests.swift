import Testing

@testable import LocwatchCLI

/// Fault 51, on a pipe of the test's own.
@Suite struct `Of messages that nobody reads` {
  private func lines(_ pipe: PipeEnds) -> [String] {
    String(decoding: pipe.readAll(), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test func `51: those without room are dropped, and counted for the next reader`() throws {
    let pipe = try PipeEnds()
    let log = Log(try Options(arguments: ["--verbose"]), to: pipe.descriptor)
    let message = String(repeating: "x", count: 989)
    for _ in 0..<1000 { log.note(message) }
    let written = lines(pipe)
    #expect(written.count < 70)
    #expect(written.allSatisfy { $0 == "locwatch: \(message)" })
    log.note("back")
    log.note("again")
    #expect(
      lines(pipe) == [
        "locwatch: messages dropped that nobody read: \(1000 - written.count)", "locwatch: back",
        "locwatch: again",
      ])
  }

  @Test func `51: the last one is not waited for without end`() throws {
    let pipe = try PipeEnds()
    let log = Log(try Options(arguments: ["--verbose"]), to: pipe.descriptor)
    for _ in 0..<1000 { log.note(String(repeating: "x", count: 1000)) }
    log.complain("no fix")
    #expect(!lines(pipe).contains("locwatch: no fix"))
    log.complain("no fix")
    #expect(lines(pipe).last == "locwatch: no fix")
  }

  @Test(arguments: [
    (["-q"], ["wrong", "asked"]), ([], ["wrong", "advice", "asked"]),
    (["-v"], ["wrong", "note", "advice", "asked"]),
  ])
  func `a level leaves out what it was not asked for`(
    arguments: [String], messages: [String]
  ) throws {
    let pipe = try PipeEnds()
    let log = Log(try Options(arguments: arguments), to: pipe.descriptor)
    log.complain("wrong")
    log.note("note")
    log.advise("advice")
    log.say("asked")
    #expect(lines(pipe) == messages.map { "locwatch: \($0)" })
  }
}
