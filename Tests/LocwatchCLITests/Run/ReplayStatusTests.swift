import Testing

@testable import LocwatchCLI

@Suite struct ReplayStatusTests {
  @Test(arguments: [
    (41_234_567, 72_700_000, 1073, "41.2 of 72.7 MB, 56 %, 38.4 MB/s, 1 s left"),
    (1_000, 1_000_000_000, 2000, "0.0 of 1.0 GB, 0 %, 0.5 kB/s, 556 h left"),
    (12_000, 24_600, 4000, "12.0 of 24.6 kB, 48 %, 3.0 kB/s, 5 s left"),
    (30_000_000, 3_000_000_000, 10_000, "0.0 of 3.0 GB, 1 %, 3.0 MB/s, 17 min left"),
    (24_600, 24_600, 2000, "24.6 of 24.6 kB, 100 %, 12.3 kB/s"),
    // The file grew meanwhile.
    (30_000, 24_600, 2000, "30.0 of 24.6 kB, 100 %, 15.0 kB/s"),
    (0, 24_600, 1000, "0.0 of 24.6 kB, 0 %, 0.0 kB/s"),
    (25_300_000, nil, 10_000, "25.3 MB, 2.5 MB/s"),
    (0, 0, 0, "0.0 kB, 0.0 kB/s"),
  ])
  func `How far a replay is, is told in words`(
    said: Int, size: Int?, milliseconds: Int, words: String
  ) {
    let status = ReplayStatus(said: said, size: size, elapsed: .milliseconds(milliseconds))
    #expect(status.words == words)
  }
}
