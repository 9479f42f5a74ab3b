import Glibc
package import LocationCore
import LocationFormats
import LocationReports
import LocationText
package import LocwatchSystem

/// Where `--report` writes, and in what form.
package struct ReportFile: Equatable, Sendable {
  package enum Form: String, CaseIterable, Sendable {
    case page = "html"
    case json, text = "txt"
  }

  package let path: FilePath
  package let form: Form

  /// - Throws: ``UsageError`` if the name of the file does not determine its form.
  package init(_ path: FilePath) throws(UsageError) {
    self.path = path
    if path.isStandardStream {
      form = .text
      return
    }
    let ending = path.bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard ending.count > 1, let last = ending.last,
      let form = Form(rawValue: String(decoding: last, as: UTF8.self).lowercased())
    else { throw UsageError("'\(path)' must end in .html, .json or .txt, or be -") }
    self.form = form
  }

  /// Whether the report takes the place of the records.
  var replacesOutput: Bool { path.isStandardStream }

  /// Whether each report replaces the one before, as in a regular file.
  var isReplaced: Bool { !replacesOutput && path.isReplaceable }

  /// Writes the report. A file is replaced atomically, so a reader never sees half of it.
  ///
  /// - Parameters:
  ///   - counts: The counts of the run as JSON; `nil` for none.
  ///   - refresh: When a page is written again; `nil` if it is not.
  ///   - units: Those of a page and of text.
  ///   - isOver: Whether to give up a reader that is behind.
  func write(
    _ sources: [SourceReport], _ counts: TextBuffer? = nil, _ refresh: PageRefresh? = nil,
    units: ReportUnits = .metric, unless isOver: () -> Bool
  ) throws(OutputError) {
    guard !replacesOutput else {
      return try write(sources, counts, refresh, units, to: .standardOutput, unless: isOver)
    }
    try path.replaceContents { output throws(OutputError) in
      try write(sources, counts, refresh, units, to: output, unless: isOver)
    }
  }

  private func write(
    _ sources: [SourceReport], _ counts: TextBuffer?, _ refresh: PageRefresh?,
    _ units: ReportUnits, to output: Descriptor,
    unless isOver: () -> Bool
  ) throws(OutputError) {
    switch form {
    case .page:
      try ReportPage.write(
        sources, version: version, refresh: refresh, units: units, zone: PageZone.Offset.ofMachine
      ) {
        piece throws(OutputError) in try output.writeText(piece, unless: isOver)
      }
    case .json:
      try output.writeText(ReportJSON.text(of: sources, counts: counts), unless: isOver)
    case .text:
      try output.writeText(ReportText.text(of: sources, units: units), unless: isOver)
    }
  }
}

extension PageZone.Offset {
  /// Returns the offset of the local time zone at a moment; UTC if the zone is UTC or unknown.
  static func ofMachine(at time: Timestamp) -> PageZone.Offset {
    var seconds = time_t(time.secondsSince1970)
    var parts = unsafe tm()
    tzset()
    // It fails only in years that no timestamp has.
    _ = unsafe localtime_r(&seconds, &parts)
    guard unsafe parts.tm_gmtoff != 0, let name = unsafe parts.tm_zone else { return .utc }
    return unsafe PageZone.Offset(name: String(cString: name), secondsFromUTC: parts.tm_gmtoff)
  }
}
