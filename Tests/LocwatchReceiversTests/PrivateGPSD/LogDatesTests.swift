import Testing

@testable import LocwatchReceivers

/// gpsd dates a log from before 2017 later by 1,024 weeks.
@Suite struct `The dates of a log` {
  private static func sentence(_ text: String) -> String {
    let checksum = text.utf8.reduce(0, ^)
    return "$\(text)*\(checksum < 16 ? "0" : "")\(String(checksum, radix: 16, uppercase: true))\r\n"
  }

  /// An RMC with a date such as `050512`.
  private static func rmc(_ date: String) -> String {
    sentence("GPRMC,120000.00,A,4807.038,N,01131.000,E,0.0,0.0,\(date),,,A")
  }

  private static func zda(_ date: String) -> String { sentence("GPZDA,120000.00,\(date),00,00") }

  private static func report(_ date: String) -> String {
    #"{"class":"TPV","device":"log","mode":3,"time":"\#(date)T12:00:00.000Z","lat":48.1}"# + "\r\n"
  }

  private static func correct(_ date: String, after log: String...) -> String {
    var dates = LogDates()
    for part in log { dates.read(Array(part.utf8)[...]) }
    return correct(date, by: &dates)
  }

  private static func correct(_ date: String, by dates: inout LogDates) -> String {
    let text = String(decoding: dates.correct(Array(report(date).utf8)[...]), as: UTF8.self)
    // Nothing but the date changes.
    let corrected = text.split(separator: #""time":""#).last.map { String($0.prefix(10)) } ?? ""
    #expect(text == report(corrected))
    #expect(dates.hasCorrected == (corrected != date))
    return corrected
  }

  @Test(arguments: [
    // As gpsd 3.22 to 3.27.5 date them.
    (rmc("050512"), "2031-12-20", "2012-05-05"), (rmc("060505"), "2024-12-20", "2005-05-06"),
    (rmc("040516"), "2035-12-19", "2016-05-04"), (zda("05,05,2012"), "2031-12-20", "2012-05-05"),
    // Two thousand and forty-eight weeks, and the last century.
    (rmc("050512"), "2051-08-05", "2012-05-05"), (rmc("070699"), "2019-01-21", "1999-06-07"),
    (rmc("010180"), "1999-08-17", "1980-01-01"), (rmc("311279"), "2079-12-31", "2079-12-31"),
    // What gpsd dates as the log does, or in another way, stays.
    (rmc("201126"), "2026-11-20", "2026-11-20"), (rmc("050512"), "2012-05-05", "2012-05-05"),
    (rmc("050512"), "2031-12-21", "2031-12-21"), (rmc("050512"), "1992-09-19", "1992-09-19"),
    ("$GPRMC,120000,A,,,,,,,050512,,\r\n", "2031-12-20", "2012-05-05"),
    ("2012-05-05 12:00:00 " + rmc("050512"), "2031-12-20", "2012-05-05"),
    // What is no date says nothing.
    ("", "2031-12-20", "2031-12-20"), (rmc(""), "2031-12-20", "2031-12-20"),
    (rmc("320512"), "2031-12-20", "2031-12-20"), (rmc("05051"), "2031-12-20", "2031-12-20"),
    (zda(",,"), "2031-12-20", "2031-12-20"), (sentence("GPZDA,120000"), "2031-12-20", "2031-12-20"),
    (rmc("050512").replacing("120000", with: "120001"), "2031-12-20", "2031-12-20"),
    ("$GPRMC", "2031-12-20", "2031-12-20"), (rmc("ééé"), "2031-12-20", "2031-12-20"),
  ])
  func `replace those of gpsd that are later by a multiple of 1,024 weeks`(
    log: String, date: String, expected: String
  ) {
    #expect(Self.correct(date, after: log) == expected)
  }

  @Test func `are read across pieces`() {
    let text = Self.rmc("050512")
    #expect(
      Self.correct("2031-12-20", after: String(text.prefix(20)), String(text.dropFirst(20)))
        == "2012-05-05")
    #expect(Self.correct("2031-12-20", after: String(text.dropLast(2))) == "2031-12-20")
  }

  @Test func `hold until another one is known`() {
    var dates = LogDates()
    dates.read(Array(Self.rmc("050512").utf8)[...])
    #expect(Self.correct("2031-12-20", by: &dates) == "2012-05-05")
    // The log has no date of the next day yet.
    #expect(Self.correct("2031-12-21", by: &dates) == "2012-05-06")
    dates.read(Array((Self.rmc("201126") + Self.rmc("211126")).utf8)[...])
    let report = Array(Self.report("2026-11-20").utf8)[...]
    #expect(dates.correct(report) == report)
    let next = Array(Self.report("2026-11-22").utf8)[...]
    #expect(dates.correct(next) == next)
  }

  @Test func `of five days are those of the last four`() {
    var dates = LogDates()
    for day in 1...5 { dates.read(Array(Self.rmc("0\(day)0512").utf8)[...]) }
    #expect(Self.correct("2031-12-16", by: &dates) == "2031-12-16")
    #expect(Self.correct("2031-12-17", by: &dates) == "2012-05-02")
  }

  @Test func `are not looked for in reports without a time`() {
    var dates = LogDates()
    dates.read(Array(Self.rmc("050512").utf8)[...])
    for text in [
      #"{"class":"SKY","device":"log"}"#, #"{"time":""#, #"{"time":"2031-12-2"#, "", #""time":"x"#,
      #"{"class":"RAW","time":170000}"#, #"{"t":1,"time":"2031-12-20"#,
    ] {
      let line = Array(text.utf8)[...]
      let corrected = String(decoding: dates.correct(line), as: UTF8.self)
      #expect(corrected == text.replacing("2031-12-20", with: "2012-05-05"))
    }
  }
}
