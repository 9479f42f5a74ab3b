import LocationTestKit

/// Lines that are time stamps of a recording, or nearly, and say what none should.
enum OddTimestamp {
  private static let times = [
    "0.000", "4294967295.999", "4294967296.000", "-1.000", "1e300", "5.0", "5.0000", "5", "nan",
    "99999999999999999999.000", "0.999", "31536000.000",
  ]
  private static let starts = [
    "1970-01-01T00:00:00.000Z", "2262-04-11T23:47:16.854Z", "1677-09-21T00:12:43.146Z",
    "9999-12-31T23:59:59.999Z", "2106-02-07T06:28:16.000Z", "", "x",
  ]

  /// - Parameter source: The source of the next line; the stamp never names another one, whose the
  ///   line would be.
  static func any(of source: String?, _ random: inout SeededRandom) -> String {
    var members = "\"class\":\"LOCWATCH\",\"t\":\(random.pick(times))"
    if random.happens(onceIn: 3) { members += ",\"start\":\"\(random.pick(starts))\"" }
    if let source { members += ",\"source\":\"\(source)\"" }
    if random.happens(onceIn: 4) { members += ",\"lost\":\(OddNumber.any(&random))" }
    return "{\(members)}"
  }
}
