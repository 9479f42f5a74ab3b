import DaemonHarness
import Foundation

/// One line of NDJSON, as far as tests look at it.
struct Record: Decodable {
  var type: String
  var state: String?
  var previous: String?
  var device: String?
  var reason: String?
  var retryIn: Double?
  var lastFix: LastFix?
  var received: String?
  var time: String?
  var current: Bool?
  var timeJump: Double?
  var age: Double?
  var mode: Int?
  var fix: String?
  var lat: Double?
  var lon: Double?
  var altMSL: Double?
  var altHAE: Double?
  var satsUsed: Int?

  /// Where a receiver was last.
  struct LastFix: Decodable {
    var time: String?
    var lat: Double
    var lon: Double
  }

  init(line: some StringProtocol) throws {
    self = try JSONDecoder().decode(Record.self, from: Data(line.utf8))
  }

  var isFix: Bool { type == "fix" }

  var position: (lat: Double, lon: Double, altMSL: Double)? {
    guard let lat, let lon, let altMSL else { return nil }
    return (lat, lon, altMSL)
  }

  /// `searching < connecting`
  var transition: String? { state.map { "\($0) < \(previous ?? "-")" } }
}

extension CollectedOutput {
  /// All records so far.
  func records() throws -> [Record] { try lines.map(Record.init(line:)) }
}

/// Follows the records of one `locwatch --json`, in their order.
struct Transcript {
  private let output: CollectedOutput
  /// Where the next record to look at is.
  private(set) var position = 0

  init(of process: ChildProcess) { output = process.output }

  /// The records of a run that is over.
  static func records(in text: String) throws -> [Record] {
    try text.split(separator: "\n").map(Record.init(line:))
  }

  /// Waits for a record after those that were waited for before.
  ///
  /// - Parameter timeout: How long it may take, however many others come before it.
  @discardableResult
  mutating func next(
    timeout: Duration = .seconds(60), where matches: (Record) throws -> Bool
  ) async throws -> Record {
    let line = try await output.waitForLine(after: position, timeout: timeout) { line in
      position += 1
      return try matches(Record(line: line))
    }
    return try Record(line: line)
  }

  /// Waits for a transition, of `device` where that is given.
  @discardableResult
  mutating func state(
    _ state: String, of device: String? = nil, timeout: Duration = .seconds(60)
  ) async throws -> Record {
    try await next(timeout: timeout) {
      $0.state == state && (device == nil || $0.device == device)
    }
  }

  /// Waits for a fix.
  @discardableResult
  mutating func fix(timeout: Duration = .seconds(60)) async throws -> Record {
    try await next(timeout: timeout) { $0.isFix }
  }
}
