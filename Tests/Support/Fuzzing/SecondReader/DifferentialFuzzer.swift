import Foundation
import GPSDLocation
import GPSDProtocol
import LocationTestKit
import TestSupport

/// Compares what our decoder and Python's json make of the same lines: which are reports, and which
/// members they have with which values.
///
/// `second_reader.py` states the differences that are allowed. Lines that were read differently are
/// kept in `Corpus`, and a test reads them again.
package struct DifferentialFuzzer {
  /// A line that the two read differently.
  package struct Difference: Equatable, CustomStringConvertible {
    package var line: [UInt8]
    package var ours: String
    package var theirs: String

    package var description: String {
      "ours: \(ours)\nPython's: \(theirs)\n\(String(decoding: line, as: UTF8.self))"
    }
  }

  /// Python could not be run, or did not read all lines.
  struct Failure: Error {
    var readings: Int
    var lines: Int
  }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
  private static let corpusFolder = folder.appending(path: "Corpus")

  private let mutator: LineMutator

  /// - Parameter seeds: Lines of a gpsd, without their line ends.
  package init(seeds: [[UInt8]]) { mutator = LineMutator(seeds: seeds) }

  /// The lines of a round, which are the same for the same seed.
  package func lines(seed: UInt64, count: Int) -> [[UInt8]] {
    var random = SeededRandom(seed: seed)
    var lines: [[UInt8]] = []
    while lines.count < count {
      var line = mutator.line(&random)
      if Bool.random(using: &random) { Self.replaceNumber(in: &line, &random) }
      // A mutation may have put a line end into a line.
      lines += line.split(separator: UInt8(ascii: "\n")).map(Array.init)
    }
    return Array(lines.prefix(count))
  }

  /// Puts any number, or nearly one, in the place of a number.
  private static func replaceNumber(in line: inout [UInt8], _ random: inout SeededRandom) {
    let isOfNumber = { (0x2B...0x39).contains($0) && $0 != 0x2C } as (UInt8) -> Bool
    guard
      let place = line.indices.randomElement(using: &random),
      let start = line[place...].firstIndex(where: isOfNumber)
    else { return }
    let end = line[start...].firstIndex { !isOfNumber($0) } ?? line.count
    line.replaceSubrange(start..<end, with: number(&random).utf8)
  }

  private static func number(_ random: inout SeededRandom) -> String {
    func digits(_ range: ClosedRange<Int>) -> String {
      (0..<Int.random(in: range, using: &random)).map { _ in
        String(Int.random(in: 0...9, using: &random))
      }.joined()
    }
    let sign = ["", "", "-", "+"].randomElement(using: &random) ?? ""
    let point = ["", ".", "."].randomElement(using: &random) ?? ""
    let exponent = ["", "", "e", "E-", "e+"].randomElement(using: &random) ?? ""
    return sign + digits(0...20) + point + (point.isEmpty ? "" : digits(0...20)) + exponent
      + (exponent.isEmpty ? "" : digits(0...3))
  }

  /// Returns the lines that the two readers read differently.
  package static func differences(in lines: [[UInt8]]) throws -> [Difference] {
    let theirs = try secondReadings(of: lines)
    // One decoder for all, as on a connection: no line may change how the next is read.
    var decoder = GPSDDecoder()
    return zip(lines, theirs).compactMap { line, theirs in
      let ours = JSONReading(line, by: &decoder).text
      return ours == theirs ? nil : Difference(line: line, ours: ours, theirs: theirs)
    }
  }

  /// The lines that were found to be read differently, and others that are hard to read.
  package static func corpus() throws -> [[UInt8]] {
    try FileManager.default.contentsOfDirectory(
      at: corpusFolder, includingPropertiesForKeys: nil
    ).sorted { $0.path < $1.path }.map { [UInt8](try Data(contentsOf: $0)) }
  }

  /// Adds a line to the corpus, and returns the path of its file.
  package static func keep(_ line: [UInt8], as name: String) throws -> String {
    let file = corpusFolder.appending(path: name)
    try Data(line).write(to: file)
    return file.path
  }

  /// What Python's json makes of lines, in the form of `JSONReading`.
  package static func secondReadings(of lines: [[UInt8]]) throws -> [String] {
    var bytes: [UInt8] = []
    for line in lines {
      withUnsafeBytes(of: UInt32(line.count).littleEndian) { bytes.append(contentsOf: $0) }
      bytes.append(contentsOf: line)
    }
    let file = try TemporaryFile(bytes)
    let members = String(decoding: try JSONEncoder().encode(JSONReading.members), as: UTF8.self)
    let output = try ProgramOutput(
      of: "python3", [folder.appending(path: "second_reader.py").path, file.path, members])
    let texts = output.text.utf8.split(separator: UInt8(ascii: "\n")).map { String($0)! }
    guard output.status == 0, texts.count == lines.count else {
      throw Failure(readings: texts.count, lines: lines.count)
    }
    return texts
  }
}
