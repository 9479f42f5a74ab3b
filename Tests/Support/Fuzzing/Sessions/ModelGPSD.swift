import Foundation
import Glibc
import LocationTestKit

/// A gpsd that reads a log from one connection and reports on another, without a process: each turn it
/// does a little.
struct ModelGPSD {
  /// How it fails, if it does.
  enum Fate: CaseIterable { case none, dies, closesSource, stops }

  let fate: Fate
  /// The reports that a client has to get, without the answers to `?VERSION;`.
  private(set) var reports: [String] = []
  /// What it has read of the log.
  private(set) var log: [UInt8] = []

  /// `nil` when it is closed.
  private var client: CInt?
  private var source: CInt?
  private let path: String
  private var output: [UInt8] = []
  private var commands = ""
  private var receiver: FuzzReceiver
  private var turnsLeft: Int
  private var hasFailed = false

  /// - Parameters:
  ///   - client: Its end of the connection on which it reports, which it closes.
  ///   - source: Its end of the connection from which it reads, which it closes.
  init(client: CInt, source: CInt, path: String, _ random: inout SeededRandom) {
    self.client = client
    self.source = source
    self.path = path
    fate = random.happens(onceIn: 3) ? random.pick(Fate.allCases) : .none
    turnsLeft = fate == .none ? .max : .random(in: 0...60, using: &random)
    receiver = FuzzReceiver(
      path: path, from: ReceiverClock.ordinaryTime(&random), isOdd: random.happens(onceIn: 2),
      &random)
    send(#"{"class":"VERSION","release":"3.25","rev":"3.25","proto_major":3,"proto_minor":15}"#)
  }

  mutating func turn(_ random: inout SeededRandom) {
    guard !hasFailed else { return }
    turnsLeft -= 1
    guard turnsLeft > 0 else { return fail() }
    receiveCommands()
    if random.happens(onceIn: 2) { readLog(&random) }
    if let end = commands.firstIndex(of: ";"), random.happens(onceIn: 2) {
      answer(commands[..<end], &random)
      commands = String(commands[commands.index(after: end)...])
    }
    write(upTo: random.pick([1, 10, 1000, 100_000]))
  }

  /// Closes what is still open.
  mutating func end() {
    Self.close(&client)
    Self.close(&source)
  }

  private mutating func fail() {
    hasFailed = true
    switch fate {
    case .none, .stops: break
    case .closesSource: Self.close(&source)
    case .dies: end()
    }
  }

  private static func close(_ descriptor: inout CInt?) {
    if let descriptor { _ = Glibc.close(descriptor) }
    descriptor = nil
  }

  private mutating func receiveCommands() {
    var bytes = [UInt8](repeating: 0, count: 1000)
    let count = recv(client ?? -1, &bytes, bytes.count, CInt(MSG_DONTWAIT))
    if count > 0 { commands += String(decoding: bytes[..<count], as: UTF8.self) }
  }

  private mutating func answer(_ command: Substring, _ random: inout SeededRandom) {
    if command.contains("?WATCH") {
      send("{\"class\":\"DEVICES\",\"devices\":[{\"class\":\"DEVICE\",\"path\":\"\(path)\"}]}")
      send(#"{"class":"WATCH","enable":true,"json":true}"#)
    } else {
      // It reads its receivers before it answers its clients.
      readLog(&random)
      output += "{\"class\":\"VERSION\",\"release\":\"3.25\"}\r\n".utf8
    }
  }

  private mutating func readLog(_ random: inout SeededRandom) {
    var bytes = [UInt8](repeating: 0, count: 16_384)
    let count = recv(source ?? -1, &bytes, bytes.count, CInt(MSG_DONTWAIT))
    guard count > 0 else { return }
    log += bytes[..<count]
    for _ in 0..<random.pick([0, 1, 5]) {
      for line in receiver.epoch(after: .seconds(1), &random) { send(line.text) }
    }
  }

  private mutating func send(_ report: String) {
    reports.append(report)
    output += "\(report)\r\n".utf8
  }

  private mutating func write(upTo count: Int) {
    let part = output.prefix(count)
    guard !part.isEmpty else { return }
    let sent = part.withUnsafeBytes {
      Glibc.send(
        client ?? -1, $0.baseAddress, $0.count,
        CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL))
    }
    if sent > 0 { output.removeFirst(sent) }
  }
}
