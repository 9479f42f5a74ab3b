import Testing

@testable import LocwatchCLI

@Suite struct `The environment` {
  private let environment = Environment(["TERM": "xterm", "TERMINAL": "yes"])

  @Test func `has what was given, and nothing else`() {
    #expect(environment["TERM"] == "xterm")
    #expect(environment["PATH"] == nil)
    #expect(environment["PATH", default: "/bin"] == "/bin")
  }

  @Test func `of a child has one variable set, and once`() {
    #expect(
      environment.entries(setting: "TERM", to: "dumb").sorted() == ["TERM=dumb", "TERMINAL=yes"])
  }

  @Test func `of the process is its own`() throws {
    let path = try #require(Environment.ofProcess["PATH"])
    #expect(Environment.ofProcess.entries(setting: "A", to: "b").contains("PATH=\(path)"))
  }
}
