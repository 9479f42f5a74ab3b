import Testing

@testable import LocwatchSystem

@Suite struct `The nearest name` {
  private static let cases: [(word: String, names: [String], nearest: String?)] = [
    ("timeout", ["time", "timeouts"], "timeouts"), ("t", ["to"], "to"), ("t", ["tor"], nil),
    ("sped", ["speed"], "speed"), ("abc", ["acb"], "acb"), ("abc", ["cab"], nil),
    // A third of the shorter one, at least 1
    ("abcdef", ["abcxyf"], "abcxyf"), ("abcdef", ["abxyzf"], nil), ("abcde", ["abxye"], nil),
    ("abcdef", ["xabcdef"], "xabcdef"), ("abcdef", ["xyabcdef"], "xyabcdef"),
    ("abcdef", ["xyzabcdef"], nil), ("xyzabcdef", ["abcdef"], nil),
    ("xyabcdef", ["abcdef"], "abcdef"),
    // One letter of three more, or fewer, and no two
    ("xabc", ["abc"], "abc"), ("abc", ["xabc"], "xabc"), ("abc", ["xbad"], nil),
    ("xbad", ["abc"], nil), ("abc", ["xabd"], nil), ("xabd", ["abc"], nil),
    // The nearest one, and of two the first
    ("abcdef", ["abxyef", "abxdef"], "abxdef"), ("abcdef", ["abcdex", "xbcdef"], "abcdex"),
    // One that is too far does not hide one that is near enough.
    ("abcdefghi", ["abXdefg", "abcXYZghi"], "abcXYZghi"),
    // In any case
    ("JSON", ["text", "json"], "json"), ("dop", ["pDOP", "hDOP", "vDop"], "pDOP"),
    ("ALTH", ["alt", "altHAE"], "altHAE"),
    ("GPX", ["gpx2", "gpx"], "gpx"), ("é", ["è"], "è"), ("", ["a"], "a"), ("", ["ab"], nil),
    ("a", [], nil), ("a", [""], ""),
  ]

  @Test(arguments: cases.map { ($0.word, $0.names, $0.nearest) })
  func `is the one that begins so, or differs in few letters`(
    word: String, names: [String], nearest: String?
  ) {
    #expect(nearestName(to: word, among: names) == nearest)
  }
}
