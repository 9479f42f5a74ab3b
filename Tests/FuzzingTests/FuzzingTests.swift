import Fuzzing
import TestSupport
import Testing

/// Faults 59 and 73.
@Suite struct `A gpsd gone mad` {
  @Test(.timeLimit(.minutes(5)), arguments: 1...(isReleaseBuild ? 8 : 1) as ClosedRange<UInt64>)
  func `16 to 19, 31: crashes nothing, fools nothing and takes no valid line away`(
    seed: UInt64
  ) async throws {
    let fuzzer = Fuzzer(seeds: try SeedLines.load())
    var summary = Fuzzer.Summary()
    let complaint = try await fuzzer.round(seed: seed, lines: 1000, into: &summary)
    #expect(complaint == nil)
    #expect(summary.mutatedLines >= 1000)
    #expect(summary.delivered == summary.neighbours)
    // What it sends is neither harmless nor mere noise.
    #expect(summary.malformedLines > 100)
    #expect(summary.fixes > summary.neighbours)
  }

  @Test func `does the same twice for the same seed`() async throws {
    let fuzzer = Fuzzer(seeds: try SeedLines.load())
    var summaries: [Fuzzer.Summary] = []
    for _ in 1...2 {
      var summary = Fuzzer.Summary()
      _ = try await fuzzer.round(seed: 2, lines: 300, into: &summary)
      summaries.append(summary)
    }
    #expect(summaries[0] == summaries[1])
  }

  @Test(.timeLimit(.minutes(5)))
  func `60: is read as Python's json reads it`() throws {
    let fuzzer = DifferentialFuzzer(seeds: try SeedLines.load())
    #expect(try DifferentialFuzzer.differences(in: fuzzer.lines(seed: 1, count: 5000)) == [])
  }

  /// Without this, two readers that read nothing would agree as well.
  @Test func `is read member by member`() throws {
    let line = #"{"class":"TPV","device":"/d","mode":3,"lat":48.5,"lon":-0,"":1,"eph":1e999}"#
    #expect(
      try DifferentialFuzzer.secondReadings(of: [Array(line.utf8), [], [0]]) == [
        "TPV device='2f64 mode=4008000000000000 lat=4048400000000000 lon=8000000000000000",
        "blank", "malformed",
      ])
  }

  @Test func `60: is read as Python's json reads it, where it once was not or is hard to`() throws {
    let corpus = try DifferentialFuzzer.corpus()
    #expect(corpus.count >= 22)
    #expect(try DifferentialFuzzer.differences(in: corpus) == [])
  }

  /// Without these, a fuzzer that checks nothing would pass as well.
  @Test(arguments: [
    ("a\u{1B}[2Jb\n", "a control character 27"), ("\u{202E}x\n", "a character that nobody sees"),
    ("a\rb\n", "a control character 13"), ("\u{3164}\n", "a character that nobody sees"),
  ])
  func `would be noticed in the output`(text: String, complaint: String) {
    #expect(RecordCheck.complaintAboutText(Array(text.utf8)) == complaint)
  }
}
