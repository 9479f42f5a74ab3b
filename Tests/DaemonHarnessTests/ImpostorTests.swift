import DaemonHarness
import Foundation
import SimulatedReceiver
import Testing

@Suite(.timeLimit(.minutes(3))) struct `An impostor` {
  @Test func `plays its script and records what it receives`() async throws {
    let impostor = try Impostor([
      .sendLines("hello"), .expect("?WATCH"), .sendLines("one", "two"), .close,
    ])
    let client = try LoopbackClient(port: impostor.port)
    #expect(try await client.output.waitForLine(containing: "hello") == "hello")
    #expect(client.output.lines == ["hello"])
    try client.send("?VERSION;?WATCH={\"enable\":true}\r\n")
    try await waitUntil("end of stream") { client.output.hasEnded }
    #expect(client.output.bytes == Array("hello\r\none\r\ntwo\r\n".utf8))
    let record = try await impostor.client()
    #expect(try await record.waitForCommand(containing: "WATCH") == "?WATCH={\"enable\":true}")
    #expect(record.commands == ["?VERSION;", "?WATCH={\"enable\":true}"])
  }

  @Test func `takes each command for one expectation`() async throws {
    let impostor = try Impostor([.expect("?A"), .sendLines("1"), .expect("?A"), .sendLines("2")])
    let client = try LoopbackClient(port: impostor.port)
    try client.send("?A;")
    _ = try await client.output.waitForLine(containing: "1")
    #expect(client.output.lines == ["1"])
    try client.send("?A;")
    #expect(try await client.output.waitForLine(containing: "2") == "2")
  }

  @Test func `has a script for each client, and the last one for all others`() async throws {
    let impostor = try Impostor([.sendLines("first")], [.sendLines("other")])
    for expected in ["first", "other", "other"] {
      let client = try LoopbackClient(port: impostor.port)
      try await waitUntil("end of stream") { client.output.hasEnded }
      #expect(client.output.lines == [expected])
    }
    #expect(impostor.clients.count == 3)
  }

  @Test(arguments: 0..<20)
  func `lets the client read all before the end, whatever it sends`(_: Int) async throws {
    let impostor = try Impostor([.sendLines("one"), .close])
    let client = try LoopbackClient(port: impostor.port)
    for _ in 0..<10 { try client.send("?DEVICES;") }
    try await waitUntil("end of stream") { client.output.hasEnded }
    #expect(client.output.lines == ["one"])
    #expect(client.output.error == nil)
  }

  @Test func `resets`() async throws {
    let impostor = try Impostor([.expect("?"), .reset])
    let client = try LoopbackClient(port: impostor.port)
    try client.send("?A;")
    try await waitUntil("end of stream") { client.output.hasEnded }
    #expect(client.output.error == ECONNRESET)
  }

  @Test func `waits for a gate, and holds until the client goes`() async throws {
    let gate = Gate()
    let impostor = try Impostor([.sendLines("before"), .wait(gate), .sendLines("after"), .hold])
    var client: LoopbackClient? = try LoopbackClient(port: impostor.port)
    _ = try await client?.output.waitForLine(containing: "before")
    #expect(client?.output.lines == ["before"])
    gate.open()
    _ = try await client?.output.waitForLine(containing: "after")
    let record = try await impostor.client()
    #expect(!record.hasHungUp)
    client = nil
    try await record.waitForHangUp()
    try await waitUntil("end of the connection") { record.isOver }
  }

  @Test func `refuses once it is closed, and can come back on its port`() async throws {
    let impostor = try Impostor([.hold])
    let client = try LoopbackClient(port: impostor.port)
    _ = try await impostor.client()
    impostor.close()
    try await waitUntil("end of stream") { client.output.hasEnded }
    try await waitUntil("refusal") { (try? LoopbackClient(port: impostor.port)) == nil }
    let other = try Impostor([.sendLines("again")], port: impostor.port)
    let next = try LoopbackClient(port: other.port)
    #expect(try await next.output.waitForLine(containing: "again") == "again")
  }

  @Test func `serves a thousand clients, and keeps none of their descriptors`() async throws {
    let impostor = try Impostor([.sendLines("x")])
    for _ in 0..<1000 { _ = try LoopbackClient(port: impostor.port) }
    _ = try await impostor.client(999)
    try await waitUntil("end of all") { impostor.clients.allSatisfy(\.isOver) }
  }

  @Test func `can leave a client waiting`() async throws {
    let backlog = try FullBacklog()
    #expect(throws: SystemError("connect to port \(backlog.port)", code: EINPROGRESS)) {
      try LoopbackClient(port: backlog.port, patience: .milliseconds(300))
    }
  }
}
