import GPSDLocation
import LocationCore
import Testing

@testable import LocwatchCLI

@Suite struct RecorderTests {
  /// Keeps a line for each of the moments, and returns what is written: `T` for a line that says
  /// when the next ones came.
  private func written(for microseconds: [Int]) throws -> String {
    let pipe = try PipeEnds()
    let recorder = Recorder(pipe.descriptor)
    for (index, microsecond) in microseconds.enumerated() {
      let received = Moment(uptime: .microseconds(microsecond))
      recorder.keep(GPSDLine(bytes: Array("\(index)\n".utf8)[...], received: received))
    }
    try recorder.flush()
    return pipe.readAll().split(separator: 0x0A)
      .map { $0.first == UInt8(ascii: "{") ? "T" : String(decoding: $0, as: UTF8.self) }
      .joined(separator: " ")
  }

  @Test func `The time is written where its millisecond is another one`() throws {
    #expect(try written(for: [0]) == "T 0")
    #expect(try written(for: [0, 10, 999]) == "T 0 1 2")
    #expect(try written(for: [0, 999, 1000, 1001, 2500]) == "T 0 1 T 2 3 T 4")
  }

  @Test func `A line that came at no known time has none written`() throws {
    let pipe = try PipeEnds()
    let recorder = Recorder(pipe.descriptor)
    recorder.keep(GPSDLine(bytes: Array("line\n".utf8)[...], received: nil))
    #expect(pipe.readAll() == [])
    try recorder.flush()
    #expect(pipe.readAll() == Array("line\n".utf8))
    #expect(!recorder.hasPending)
  }
}
