import LocwatchTestSupport
import Testing

/// Positions that a receiver sends in batches, under one time.
@Suite(.timeLimit(.minutes(5))) struct `Positions that are left out` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func messages(latitudes: [Double]) async throws -> [String] {
    let lines = latitudes.map {
      #"{"class":"TPV","device":"/dev/a","mode":3,"time":"2026-11-20T07:05:00.000Z","lat":\#($0),"lon":8.5}"#
    }
    let file = try folder.write(lines.map { $0 + "\n" }.joined(), to: "batch.jsonl")
    return try await CommandRun(["-f", "csv:time,lat", "--replay", file], in: folder).messages
  }

  @Test func `are counted in a message at the end`() async throws {
    #expect(
      try await messages(latitudes: [47, 47.001, 47.002])
        == ["positions that are left out because they have the time of another one: 2"])
    #expect(try await messages(latitudes: [47, 47.00001]) == [])
  }
}
