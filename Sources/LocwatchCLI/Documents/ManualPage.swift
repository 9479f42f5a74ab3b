import LocationFormats
import LocwatchDoctor
import LocwatchSystem

/// The manual pages, in man(7).
///
/// Their text is in files of this folder. The content of the code's tables replaces each line `.\" insert …`,
/// and the title gets the date and the version.
enum ManualPage {
  static func source(of file: [UInt8], version: String) -> String {
    var page = Roff()
    for line in String(decoding: file, as: UTF8.self).split(separator: "\n") {
      switch line {
      case #".\" insert fields"#:
        for field in FixField.allCases {
          let since = field.since.map { " Since gpsd \($0)." } ?? ""
          page.item(Roff.bold(field.name), "\(field.meaning).\(since)")
        }
      case #".\" insert formats"#:
        let others = OptionValues.formats.dropFirst().joined(separator: ", ")
        page.text("text (the default), \(others),")
      case #".\" insert extensions"#:
        page.text("\(FormatEnding.all.map { ".\($0)" }.joined(separator: ", ")).")
      case #".\" insert checks"#:
        for check in Check.all { page.item(Roff.bold(check.name), check.problem) }
      case _ where line.hasPrefix(".TH "):
        page.raw("\(line) \(versionDate) \"locwatch \(version)\"")
      default: page.raw(String(line))
      }
    }
    return page.source
  }
}
