import Fuzzing
import LocwatchCLI
import LocwatchReceivers
import Testing

@Suite struct `Checks of the fuzzer notice in a log that is fed to gpsd` {
  private static let reports = [
    #"{"class":"VERSION"}"#, #"{"class":"TPV","device":"tcp://a:1","mode":1}"#,
  ]
  private static let passedOn = [
    #"{"class":"VERSION"}"#, #"{"class":"TPV","device":"drive.log","mode":1}"#,
  ]

  private func complaint(
    about outcome: LogFeed.Outcome, passedOn: [String] = passedOn, reports: [String] = reports,
    read: String = "$GP", mayFail: Bool = false, hasReader: Bool = true
  ) -> String? {
    let check = FeedCheck(
      log: Array("$GP".utf8), read: Array(read.utf8), reports: reports, path: "tcp://a:1",
      name: "drive.log", mayFail: mayFail, hasReader: hasReader)
    return check.complaint(about: outcome, passedOn: passedOn)
  }

  @Test func `nothing in a complete log`() {
    #expect(complaint(about: .complete(hasReports: true)) == nil)
    #expect(
      complaint(
        about: .complete(hasReports: false), passedOn: Array(Self.passedOn.prefix(1)),
        reports: Array(Self.reports.prefix(1))) == nil)
  }

  @Test func `a report that is missing, changed or made up`() {
    let outcome = LogFeed.Outcome.complete(hasReports: true)
    #expect(
      complaint(about: outcome, passedOn: Array(Self.passedOn.prefix(1)))
        == "1 of 2 reports were passed on")
    #expect(
      complaint(about: outcome, passedOn: Self.reports)
        == "\(Self.reports[1]) became \(Self.reports[1])")
    #expect(
      complaint(about: outcome, passedOn: Self.passedOn + ["{}"])
        == "a report that gpsd did not send: {}")
    #expect(
      complaint(about: outcome, passedOn: Self.passedOn.reversed())
        == "\(Self.reports[0]) became \(Self.passedOn[1])")
  }

  @Test func `a log that gpsd did not get`() {
    #expect(complaint(about: .complete(hasReports: true), read: "$G") == "gpsd got 2 of 3 bytes")
    #expect(
      complaint(about: .incomplete("x"), read: "$P", mayFail: true) == "gpsd got something else")
  }

  @Test func `an outcome without its cause`() {
    #expect(complaint(about: .complete(hasReports: false)) == "it has reports")
    #expect(
      complaint(about: .complete(hasReports: true), passedOn: [], reports: [])
        == "it has no reports")
    #expect(complaint(about: .incomplete("x")) == "it ends early: x")
    #expect(complaint(about: .incomplete("x"), mayFail: true) == nil)
    #expect(complaint(about: .unread) == "it takes the reader for gone")
    #expect(complaint(about: .unread, hasReader: false) == nil)
  }
}
