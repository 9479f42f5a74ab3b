package import LocationCore
package import LocationText

/// When a page that is written repeatedly was written, and when it is written next.
package struct PageRefresh: Sendable {
  private let interval: Duration
  private let written: Timestamp?
  /// What a server shows above the page, as markup; `nil` for a page that is a file.
  let head: TextBuffer?
  private let isOfWholeRun: Bool

  /// - Parameters:
  ///   - interval: A whole number of seconds.
  ///   - written: When the page is written; `nil` if the time of day is unknown.
  ///   - isOfWholeRun: Whether the statistics began with the run, and not with the first page.
  package init(
    interval: Duration, written: Timestamp?, head: TextBuffer? = nil, isOfWholeRun: Bool = true
  ) {
    self.interval = interval
    self.written = written
    self.head = head
    self.isOfWholeRun = isOfWholeRun
  }

  /// What reloads the page: the browser, or a script of the server, if the browser runs scripts.
  var element: String {
    let reload = "<meta http-equiv=\"refresh\" content=\"\(Int(interval.inSeconds))\">"
    guard head != nil else { return "\(reload)\n" }
    return """
      <noscript>\(reload)</noscript>
      <script src="/page.js" defer></script><link rel="stylesheet" href="/page.css">

      """
  }

  /// `Written at 2026-11-20 07:05:12 UTC, and every 30 s while locwatch runs.`, and since when the page counts.
  var sentence: String {
    let beginning =
      isOfWholeRun
      ? ""
      : " The figures begin when this page is first opened; with --report, when locwatch starts."
    let every = "every \(ReportText.people(interval)) while locwatch runs.\(beginning)"
    guard let written else { return "Written \(every)" }
    let time = written.nearestSecond.description
    return "Written at \(time.prefix(10)) \(time.dropFirst(11).prefix(8)) UTC, and \(every)"
  }

  /// `When this was written, the last fix was 3 s old.` `nil` if the receiver had no fix.
  func sentence(about receiver: ReceiverReport) -> String? {
    receiver.sinceLastFix.map {
      "When this was written, the last fix was \(ReportText.people($0)) old."
    }
  }
}
