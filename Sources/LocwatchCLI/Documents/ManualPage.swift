import LocationFormats
import LocwatchDoctor
import LocwatchSystem

/// The manual page, in man(7): the prose of `locwatch.1`, with what the code knows in place of the lines
/// `.\" insert …`.
enum ManualPage {
  static func source(version: String) -> String {
    var page = Roff()
    let template = String(decoding: PackageResources.locwatch_1, as: UTF8.self)
    for line in template.split(separator: "\n") {
      if line.hasPrefix(mark) {
        insert(line.dropFirst(mark.count), into: &page, version: version)
      } else {
        page.raw(String(line))
      }
    }
    return page.source
  }

  private static let mark = #".\" insert "#

  private static func insert(_ part: Substring, into page: inout Roff, version: String) {
    switch part {
    case "title":
      page.title("locwatch", section: 1, date: versionDate, release: "locwatch \(version)")
    case "operands":
      for operand in OptionTable.groups.flatMap(\.operands) {
        page.item(Roff.italic(operand.form), operand.detail)
      }
    case "options": options(&page)
    case "fields":
      for field in FixField.allCases {
        let since = field.since.map { " From gpsd \($0) on." } ?? ""
        page.item(Roff.bold(field.name), "\(field.meaning).\(since)")
      }
    case "checks":
      for check in Check.all { page.item(Roff.bold(check.name), check.problem) }
    case "statuses":
      for row in ExitStatusTable.rows { page.item(Roff.bold(row.numbers), row.detail) }
    case "examples":
      for example in Examples.all { page.item(Roff.bold(example.command), example.purpose) }
    default: page.raw(mark + part)
    }
  }

  private static func options(_ page: inout Roff) {
    for group in OptionTable.groups {
      page.subsection(group.title)
      for option in group.options {
        page.item(option.roffForm, option.detail.isEmpty ? option.sentence : option.detail)
      }
    }
  }
}

extension Option {
  /// `-t, --timeout DUR` with the names in bold and the value in italics.
  fileprivate var roffForm: String {
    let letter = short.map { Roff.bold("-\($0)") + ", " } ?? ""
    return letter + Roff.bold("--\(long)") + (valueName.map { " " + Roff.italic($0) } ?? "")
  }

  fileprivate var sentence: String { summary.prefix(1).uppercased() + summary.dropFirst() + "." }
}
