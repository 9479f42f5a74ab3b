import Testing

@testable import LocwatchReceivers

private enum NMEA {
  /// Returns a sentence with its checksum.
  static func sentence(_ text: String) -> String {
    let checksum = String(text.utf8.reduce(0, ^), radix: 16, uppercase: true)
    return "$\(text)*\(checksum.count < 2 ? "0" : "")\(checksum)\r\n"
  }

  static func gga(_ time: String) -> String { sentence("GPGGA,\(time),4730.0,N") }
  static func rmc(_ time: String) -> String { sentence("GNRMC,\(time),A,4730.0,N") }
  static func gll(_ time: String) -> String { sentence("GPGLL,4730.0,N,0830.0,E,\(time),A") }
  static let gsa = sentence("GPGSA,A,3,01,02")
  static func epoch(_ time: String) -> String { gga(time) + gsa + rmc(time) + gsa }

  /// What teaches the order: the first epoch may have begun before it was heard.
  static let lesson = epoch("1") + epoch("2") + epoch("3") + gga("4")
}

/// Fault 70.
@Suite struct `The order of a receiver's sentences` {
  /// Returns a cycle that has read the texts.
  private static func cycle(_ texts: String...) -> NMEACycle {
    var cycle = NMEACycle()
    for text in texts { cycle.read(Array(text.utf8)[...]) }
    return cycle
  }

  /// Returns what goes before the text when the receiver has been away.
  private static func preface(of cycle: NMEACycle, to text: String) -> String? {
    var cycle = cycle
    cycle.breakOff()
    return cycle.preface(to: Array(text.utf8)[...]).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `is known after two whole epochs`() {
    var cycle = Self.cycle(NMEA.epoch("1") + NMEA.epoch("2") + NMEA.gga("3"))
    let later = NMEA.epoch("9")
    #expect(Self.preface(of: cycle, to: later) == "")
    cycle.read(Array((NMEA.gsa + NMEA.rmc("3")).utf8)[...])
    #expect(Self.preface(of: cycle, to: later) == "")
    cycle.read(Array(NMEA.gga("4").utf8)[...])
    #expect(Self.preface(of: cycle, to: later) == NMEA.rmc("3"))
  }

  @Test func `has no effect before the receiver was away`() {
    let cycle = Self.cycle(NMEA.lesson)
    #expect(cycle.preface(to: Array(NMEA.epoch("9").utf8)[...]) == [])
  }

  @Test func `is the same, however the bytes are split`() {
    let bytes = Array(NMEA.lesson.utf8)
    for size in [1, 2, 7, 50] {
      var cycle = NMEACycle()
      for start in stride(from: 0, to: bytes.count, by: size) {
        cycle.read(bytes[start..<min(start + size, bytes.count)])
      }
      #expect(Self.preface(of: cycle, to: NMEA.epoch("9")) == NMEA.rmc("3"))
    }
  }

  @Test func `is kept while the receiver is away, and what was broken off is not`() {
    var cycle = Self.cycle(NMEA.lesson, "$GPRM")
    cycle.breakOff()
    #expect(Self.preface(of: cycle, to: NMEA.epoch("9")) == NMEA.rmc("3"))
    // The half of an epoch after the return, and the half before, are no epoch.
    cycle.read(Array((NMEA.gsa + NMEA.rmc("9") + NMEA.epoch("10")).utf8)[...])
    #expect(Self.preface(of: cycle, to: NMEA.epoch("11")) == NMEA.rmc("3"))
    cycle.read(Array((NMEA.epoch("11") + NMEA.epoch("12")).utf8)[...])
    #expect(Self.preface(of: cycle, to: NMEA.epoch("13")) == NMEA.rmc("11"))
  }

  @Test func `needs two epochs in a row again after the receiver was away`() {
    var cycle = Self.cycle(NMEA.lesson)
    cycle.breakOff()
    let other = { NMEA.gga($0) + NMEA.gll($0) }
    cycle.read(Array((other("5") + other("6") + other("7")).utf8)[...])
    #expect(Self.preface(of: cycle, to: NMEA.epoch("9")) == NMEA.rmc("3"))
    cycle.read(Array(other("8").utf8)[...])
    #expect(Self.preface(of: cycle, to: NMEA.epoch("9")) == NMEA.gll("7"))
  }

  @Test func `may have an exception, which is not taken for the rule`() {
    var cycle = Self.cycle(NMEA.lesson + NMEA.rmc("4"))
    // Every tenth epoch ends with another sentence.
    let zda = NMEA.sentence("GPZDA,5,23,11,2026,00,00")
    cycle.read(Array((NMEA.epoch("5") + zda + NMEA.epoch("6") + NMEA.epoch("7")).utf8)[...])
    #expect(Self.preface(of: cycle, to: NMEA.epoch("9")) == NMEA.rmc("4"))
  }

  @Test func `has no effect for a receiver that reports no times`() {
    #expect(Self.preface(of: Self.cycle(), to: "") == "")
    #expect(Self.preface(of: Self.cycle(NMEA.gsa + NMEA.gsa), to: NMEA.gsa) == "")
    let cycle = Self.cycle(NMEA.gga("") + NMEA.rmc("x") + NMEA.gll("nan") + NMEA.gga("inf"))
    #expect(Self.preface(of: cycle, to: NMEA.epoch("9")) == "")
  }

  @Test(
    arguments: [
      // The first sentence with a time has not come whole.
      ("", nil), (NMEA.gsa, nil), (NMEA.gga("9").dropLast().description, nil),
      (NMEA.gsa + "$GPGGA,9", nil),
      (NMEA.gsa + NMEA.gga("9"), NMEA.rmc("3")), ("9,A*00\r\n" + NMEA.gga("9"), NMEA.rmc("3")),
      // They begin in the middle of an epoch, or at the time of the sentence.
      (NMEA.rmc("9"), ""), (NMEA.gll("9") + NMEA.gga("10"), ""), (NMEA.gga("3"), ""),
      (NMEA.gga("3.000"), ""),
      // Nothing with a time may ever come.
      (String(repeating: "x", count: NMEACycle.patience - 1), nil),
      (String(repeating: "x", count: NMEACycle.patience), ""),
    ] as [(String, String?)])
  func `decides what goes before the first bytes`(bytes: String, preface: String?) {
    #expect(Self.preface(of: Self.cycle(NMEA.lesson), to: bytes) == preface)
  }

  @Test(
    arguments: [
      "GGA", "GNS", "RMC", "ZDA", "GST", "GBS",
    ])
  func `has the sentences with a time`(formatter: String) {
    let last = { (time: String) in NMEA.sentence("GP\(formatter),\(time),x") }
    let epoch = { NMEA.gll($0) + last($0) }
    let cycle = Self.cycle(epoch("1") + epoch("2") + epoch("3") + epoch("4"))
    #expect(Self.preface(of: cycle, to: NMEA.gll("9")) == last("3"))
  }

  @Test(
    arguments: [
      "$GPVTG,9,x*5F\r\n", "$PUBX,00,9*2D\r\n", "$GGA,9*7C\r\n", "GPGGA,9\r\n", "$GPGGA,9\r\n",
      "$GPGGA,9*00\r\n", "$GPGGA,9*\r\n", "$GPGGA,9*62*62\r\n", "$GPGLL,1*44\r\n", "$*00\r\n",
      "$\r\n",
      "*\r\n", "\r\n", "\n", "\u{1}\u{2}\n",
      "$GPGGA," + String(repeating: "9", count: 200) + "\r\n",
    ])
  func `is not learned from anything else`(line: String) {
    let epoch = { NMEA.gga($0) + NMEA.rmc($0) + line }
    let cycle = Self.cycle(epoch("1") + epoch("2") + epoch("3") + epoch("4"))
    #expect(Self.preface(of: cycle, to: NMEA.gga("10")) == NMEA.rmc("3"))
  }

  @Test(arguments: [(128, true), (129, false)])
  func `is learned from sentences of up to 128 bytes`(length: Int, isLearned: Bool) {
    let last = { (time: String) in
      NMEA.sentence("GPRMC,\(time)," + String(repeating: "x", count: length - 14))
    }
    #expect(last("1").utf8.count == length)
    let epoch = { (time: String) in NMEA.gga(time) + last(time) }
    let cycle = Self.cycle(epoch("1") + epoch("2") + epoch("3") + epoch("4"))
    #expect(
      Self.preface(of: cycle, to: NMEA.gga("9")) == (isLearned ? last("3") : NMEA.gga("3")))
  }

  @Test func `is learned even after much that is not NMEA`() {
    let cycle = Self.cycle(String(repeating: "x", count: 100_000), "\n" + NMEA.lesson)
    #expect(Self.preface(of: cycle, to: NMEA.gga("9")) == NMEA.rmc("3"))
    // A sentence at the end of a long line is a part of it.
    let long = Self.cycle(String(repeating: "x", count: 200), NMEA.gll("9") + NMEA.lesson)
    #expect(Self.preface(of: long, to: NMEA.gga("9")) == NMEA.rmc("3"))
  }
}
