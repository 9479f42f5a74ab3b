import Foundation
import GPSDLocation

/// A recording of a gpsd gone mad, in a file that goes with it.
final class FuzzRecording {
  private let file = FileManager.default.temporaryDirectory
    .appending(path: "locwatch-fuzz-\(UUID().uuidString).jsonl")

  init(_ stream: inout FuzzStream, lines: Int) throws {
    var bytes: [UInt8] = []
    while stream.mutatedLines < lines || !stream.isBetweenBatches { bytes += stream.next() }
    try Data(bytes).write(to: file)
  }

  deinit { try? FileManager.default.removeItem(at: file) }

  func session() throws -> RecordedSession { try RecordedSession(contentsOf: file.path) }
}
